import type { FurtherEndpoint } from '../../../control/routes.ts';
import { endpointNote } from '../../endpoints/note.ts';
import { type Check, notApplicable } from '../check.ts';

/** Whether each endpoint of `[[endpoints]]` is served. */
export const furtherEndpoints: Check = {
  id: 'further-endpoints',
  title: 'Endpoints besides the first',
  explanation: `
    \`footbridge endpoints add\` and an \`[[endpoints]]\` table of the configuration make the bridge serve one more socket, with rights of its own: in the
    folder of a Flatpak or snap, or at a path that a container mounts.

    - "serving": apps may connect there, with the rights shown.
    - "waiting": the folder is not there yet. That of a Flatpak or snap appears when it runs for the first time, and the
      socket with it. Of a path, the bridge makes only the last folder, and only in a folder of yours; make the others.
    - "blocked": a link, a live socket of another program, or a folder that others can write to is in the way. The line
      says what to do; the bridge never removes it, and its first endpoint is not affected.
  `,
  inspect({ bridge }) {
    if (bridge.kind === 'unknown') return notApplicable('no bridge runs');
    // Absent in the status of an older bridge.
    const { further = [] } = bridge.status as Partial<typeof bridge.status>;
    if (further.length === 0) return notApplicable('the configuration has no [[endpoints]]');
    const blocked = further.filter(({ state }) => state === 'blocked');
    return {
      verdict: blocked.length > 0 ? 'warning' : 'ok',
      evidence: further.map(describeFurther),
      fix: blocked.length > 0 ? 'follow that line; the bridge tries again by itself' : null,
    };
  },
};

/** One line about an endpoint besides the first. */
export function describeFurther(endpoint: FurtherEndpoint): string {
  const { name, path, rights, state } = endpoint;
  const allowed = typeof rights === 'string' ? rights : rights.join(' ');
  const note = endpointNote(endpoint);
  return `${name}: ${state} at ${path}, rights ${allowed}${note === '' ? '' : `: ${note}`}`;
}
