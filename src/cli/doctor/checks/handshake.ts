import { LocalError } from '../../../../platform/local-error.ts';
import { connectTo, WireClient } from '../../call/wire-client.ts';
import { type Check, notApplicable, ok } from '../check.ts';

/** An application that the emulator's fixture knows; another core may refuse it, which is an answer too. */
const CLIENT_ID = '300000000000000001';
/** Longer than the core "upstream" keeps an app waiting for its client. */
const PATIENCE_MS = 8000;
/** An app that waits longer looks broken to a person (ms). */
const SLOW_MS = 1000;

/** Does what an app does first, at the bridge's own endpoint. */
export const handshake: Check = {
  id: 'handshake',
  async look({ bridge }) {
    if (bridge.kind === 'unknown') return notApplicable('no bridge runs');
    const path = bridge.status.endpoints.find(({ kind }) => kind === 'ipc')?.path;
    if (path === undefined) return notApplicable('the bridge has no socket for apps');
    const started = performance.now();
    const answer = await shakeHands(path);
    const ms = Math.round(performance.now() - started);
    if (answer === undefined && ms <= SLOW_MS) return ok(`READY after ${ms} ms at ${path}`);
    return {
      verdict: answer === undefined ? 'warning' : 'failed',
      evidence: [answer === undefined ? `READY only after ${ms} ms at ${path}` : `${path}: ${answer}`],
      fix: 'look at the core above, and at the log: footbridge logs',
    };
  },
};

/** Undefined after READY, else what came instead. */
async function shakeHands(path: string): Promise<string | undefined> {
  let client: WireClient | undefined;
  try {
    client = new WireClient(await connectTo(path));
    await client.handshake(CLIENT_ID, PATIENCE_MS);
    return undefined;
  } catch (error) {
    if (error instanceof LocalError && error.code === 'FOOTBRIDGE_TIMEOUT')
      return `no READY within ${PATIENCE_MS / 1000} s`;
    return error instanceof Error ? error.message : String(error);
  } finally {
    client?.close();
  }
}
