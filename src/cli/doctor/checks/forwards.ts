import { amount } from '../../../base/text.ts';
import type { ForwardFacts } from '../../../control/routes.ts';
import { type Check, notApplicable } from '../check.ts';

/** Whether the far end of each `[[forward]]` is reached. */
export const forwards: Check = {
  id: 'forwards',
  title: 'Forwards of the configuration',
  explanation: `
    A \`[[forward]]\` of the configuration leads apps of another machine, container or sandbox to a bridge, as long as this bridge runs.

    - "connected since": both ends of the forward are reached. A last error is from before that time.
    - "not connected": the forward tries again by itself, at least once a minute. The line says why; run the command of
      its \`exec:\` end in a terminal to see what it prints.
    - "starting": apps cannot connect yet. A last error is that of the attempt before this one.

    A \`footbridge forward\` that was started in a terminal tells its faults there.
  `,
  inspect({ bridge }) {
    if (bridge.kind === 'unknown') return notApplicable('no bridge runs');
    // Absent in the status of an older bridge.
    const { forwards: all = [] } = bridge.status as Partial<typeof bridge.status>;
    if (all.length === 0) return notApplicable('the configuration has no [[forward]]');
    // A command may take a minute for an attempt that then fails like the one before.
    const isDown = all.some(
      ({ state, lastError }) => state === 'waiting' || (state === 'starting' && lastError !== null),
    );
    return {
      verdict: isDown ? 'warning' : 'ok',
      evidence: all.map(describeForward),
      fix: isDown ? 'follow that line; the forward tries again by itself' : null,
    };
  },
};

function describeForward({ name, state, why, since, lastError, sessions }: ForwardFacts): string {
  if (why !== null) return `${name}: not connected: ${why}`;
  const last = lastError === null ? '' : `; last error: ${lastError}`;
  if (state === 'starting' || since === null) return `${name}: starting${last}`;
  return `${name}: connected since ${since}, ${amount(sessions, 'app')}${last}`;
}
