import { tryPing } from '../../service/handshake.ts';
import { type Check, failed, notApplicable, ok, warning } from '../check.ts';

/** Time above which an app looks broken to its user (ms). */
const SLOW_MS = 1000;

/** Sends a PING to the bridge's own endpoint; the check of the core covers the chat client behind it. */
export const handshake: Check = {
  id: 'handshake',
  title: 'Answer of the endpoint',
  explanation: `
    The check connects to the bridge as an app does, sends a PING and measures the time until the PONG. It does not
    reach the chat client behind the core.

    No answer within a few seconds means that the bridge hangs or the machine is overloaded: look at
    \`footbridge logs\`.
  `,
  async inspect({ bridge }) {
    if (bridge.kind === 'unknown') return notApplicable('no bridge runs');
    const path = bridge.status.endpoints.find(({ kind }) => kind === 'ipc')?.path;
    if (path === undefined) return notApplicable('the bridge has no socket for apps');
    const tried = await tryPing(path);
    const fix = 'look at the core above, and at the log: footbridge logs';
    if (tried.kind === 'failed') return failed(fix, `${path}: ${tried.reason}`);
    if (tried.ms <= SLOW_MS) return ok(`PONG after ${tried.ms} ms at ${path}`);
    return warning(fix, `PONG only after ${tried.ms} ms at ${path}`);
  },
};
