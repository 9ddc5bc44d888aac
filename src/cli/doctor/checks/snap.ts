import { join } from 'node:path';
import { endpointPath } from '../../../../platform/endpoint/endpoints.ts';
import { identityOf, isStill, lstatOf } from '../../../../platform/files/inode.ts';
import { type Check, notApplicable, ok, socketsOf } from '../check.ts';
import { namesIn } from '../names-in.ts';

/** Whether apps in snaps can access the endpoint: each snap has its own runtime folder below the session's. */
export const snap: Check = {
  id: 'snap',
  title: 'Runtime folders of snaps',
  explanation: `
    A strictly confined snap sees only its own folder below the runtime folder, \`snap.NAME\`. Classic snaps see
    everything.

    The check lists the folders without an endpoint. Not every snap needs one. For one that does,
    \`footbridge endpoints add snap --client NAME\` makes the bridge serve a socket there.
  `,
  inspect({ os, endpoints, bridge }) {
    if (os !== 'linux') return notApplicable('there is no snap on this system');
    if (endpoints.kind === 'unknown') return notApplicable('the runtime folder is not known');
    const { folder } = endpoints;
    const snaps = namesIn(folder).filter((name) => /^snap\.[\w.-]+$/.test(name));
    if (snaps.length === 0) return notApplicable('no snap has run in this session');
    const path = endpointPath(os, folder, 0);
    const status = lstatOf(path);
    if (status?.isSocket() !== true || bridge.kind === 'unknown')
      return notApplicable(`no bridge runs at ${path}, so ${snaps.join(', ')} have nothing to see`);
    const identity = identityOf(status);
    const served = socketsOf(bridge);
    // A socket in a snap's folder that is not ours belongs to another program: a chat client in a snap has its own
    // endpoint there.
    const blind = snaps.filter((name) => lstatOf(inSnap(folder, name)) === undefined);
    const seeing = snaps.filter((name) => {
      const inside = inSnap(folder, name);
      return served.includes(inside) || isStill(inside, identity);
    });
    const evidence = seeing.length === 0 ? [] : [`the endpoint is in the folder of: ${seeing.join(', ')}`];
    const others = snaps.filter((name) => !blind.includes(name) && !seeing.includes(name));
    if (others.length > 0)
      evidence.push(
        `another socket is in the folder of: ${others.join(', ')}; the check of endpoints says whose`,
      );
    if (blind.length === 0) return ok(...evidence);
    return {
      verdict: 'ok',
      evidence: [
        ...evidence,
        'classic snaps see the endpoint; strictly confined ones see their own folder only',
        `without an endpoint in it: ${blind.join(', ')}`,
      ],
      fix: `for one that needs it: footbridge endpoints add snap --client ${(blind[0] ?? '').slice('snap.'.length)}`,
    };
  },
};

function inSnap(folder: string, name: string): string {
  return join(folder, name, 'discord-ipc-0');
}
