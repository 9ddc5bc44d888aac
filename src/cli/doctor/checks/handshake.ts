import { tryHandshake, tryPing } from '../../service/handshake.ts';
import { type Check, notApplicable, ok } from '../check.ts';

/** An app that waits longer looks broken to a person (ms). */
const SLOW_MS = 1000;

/** Does what an app does first, at the bridge's own endpoint. */
export const handshake: Check = {
  id: 'handshake',
  async look({ bridge }) {
    if (bridge.kind === 'unknown') return notApplicable('no bridge runs');
    const path = bridge.status.endpoints.find(({ kind }) => kind === 'ipc')?.path;
    if (path === undefined) return notApplicable('the bridge has no socket for apps');
    // While nobody answers, every app is kept waiting and then refused.
    const tried = await (bridge.reach?.served === false ? tryPing(path) : tryHandshake(path));
    const fix = 'look at the core above, and at the log: footbridge logs';
    switch (tried.kind) {
      case 'ready':
        if (tried.ms <= SLOW_MS) return ok(`READY after ${tried.ms} ms at ${path}`);
        return { verdict: 'warning', evidence: [`READY only after ${tried.ms} ms at ${path}`], fix };
      case 'pong':
        return ok(`PONG after ${tried.ms} ms at ${path}; nobody is behind it to give READY`);
      case 'refused':
        return { verdict: 'warning', evidence: [`${path}: ${tried.reason} (after ${tried.ms} ms)`], fix };
      case 'failed':
        return { verdict: 'failed', evidence: [`${path}: ${tried.reason}`], fix };
    }
  },
};
