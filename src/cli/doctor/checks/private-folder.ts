import type { BigIntStats } from 'node:fs';
import { lstatOf } from '../../../../platform/files/inode.ts';
import { ensurePrivateFolder, privateFolderIn } from '../../../../platform/files/private-folder.ts';
import { type Check, type Finding, failed, notApplicable, ok } from '../check.ts';

/** Private folder beside the endpoints: locks and the control socket. */
export const privateFolder: Check = {
  id: 'private-folder',
  title: 'Private folder of the bridge',
  explanation: `
    Beside the endpoint the bridge has a folder with its locks and its control socket. Whoever can enter it could command
    the bridge, so it must belong to you, with mode 0700, and the bridge refuses any other.

    \`footbridge doctor --fix\` sets the mode. A folder of another user has to be removed by that user or an
    administrator.
  `,
  inspect({ endpoints, uid }) {
    if (endpoints.kind === 'unknown') return notApplicable('the runtime folder is not known');
    if (uid === undefined) return notApplicable('pipes have no folder');
    const { folder } = endpoints;
    const path = privateFolderIn(folder, uid);
    const status = lstatOf(path);
    if (status === undefined) return ok(`${path} is not there; the bridge makes it`);
    return findingOf(path, status, uid, () => ensurePrivateFolder(folder, uid));
  },
};

function findingOf(path: string, status: BigIntStats, uid: number, repair: () => void): Finding {
  if (!status.isDirectory() || Number(status.uid) !== uid) {
    const what = status.isDirectory() ? `belongs to uid ${status.uid}` : 'is no folder';
    return failed(
      `have it removed by its owner or an administrator: rm -r ${path}`,
      `${path} ${what}: the bridge refuses to use it`,
    );
  }
  const mode = Number(status.mode & 0o7777n);
  if (mode === 0o700) return ok(`${path}, mode 0700`);
  return {
    verdict: 'warning',
    evidence: [`${path} has mode ${mode.toString(8).padStart(4, '0')}`],
    fix: `chmod 0700 ${path} (footbridge doctor --fix does it)`,
    repair: async () => {
      repair();
      return [`chmod 0700 ${path}`];
    },
  };
}
