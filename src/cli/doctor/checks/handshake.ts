import { tryPing } from '../../service/handshake.ts';
import { type Check, notApplicable, ok } from '../check.ts';

/** An app that waits longer looks broken to a person (ms). */
const SLOW_MS = 1000;

/** Asks for an answer at the bridge's own endpoint; who stands behind it, the check of the core asks. */
export const handshake: Check = {
  id: 'handshake',
  async look({ bridge }) {
    if (bridge.kind === 'unknown') return notApplicable('no bridge runs');
    const path = bridge.status.endpoints.find(({ kind }) => kind === 'ipc')?.path;
    if (path === undefined) return notApplicable('the bridge has no socket for apps');
    const tried = await tryPing(path);
    const fix = 'look at the core above, and at the log: footbridge logs';
    if (tried.kind === 'failed') return { verdict: 'failed', evidence: [`${path}: ${tried.reason}`], fix };
    if (tried.ms <= SLOW_MS) return ok(`PONG after ${tried.ms} ms at ${path}`);
    return { verdict: 'warning', evidence: [`PONG only after ${tried.ms} ms at ${path}`], fix };
  },
};
