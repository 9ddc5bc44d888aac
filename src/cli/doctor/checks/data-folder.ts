import { unstoredIn } from '../../bridge-places.ts';
import { type Check, dataFolderOf, type Finding, notApplicable, type Scene } from '../check.ts';
import { checkOwnFolder } from '../own-folder.ts';

/** Folder of grants and tokens. */
export const dataFolder: Check = {
  id: 'data-folder',
  title: 'Data folder',
  explanation: `
    Grants and tokens are kept in this folder, so that an app does not have to ask again after a restart. It must be
    writable, belong to you, and be closed to others.

    \`footbridge doctor --fix\` sets the mode of the folder that the bridge made. A folder that you chose with data_dir
    is left to you. Where the folder cannot be used, the bridge does not start.

    "not stored" means that the last change of that file holds until the bridge ends. The bridge tries again until it can
    write. While a bridge runs, the check looks at the folder of that bridge.
  `,
  inspect(scene) {
    const { bridge, uid, folders } = scene;
    const path = dataFolderOf(scene);
    const unstored = bridge.kind === 'known' ? unstoredIn(bridge.status) : [];
    const finding =
      path === undefined ? withoutFolder(bridge) : checkOwnFolder(path, uid, { made: path === folders.data });
    if (unstored.length === 0) return finding;
    return {
      ...finding,
      verdict: 'failed',
      evidence: [...finding.evidence, ...unstored.map((line) => `not stored: ${line}`)],
      fix:
        finding.fix ??
        'make room on that disk, or make the folder writable; restart the bridge if the line stays',
    };
  },
};

function withoutFolder({ kind }: Scene['bridge']): Finding {
  return notApplicable(
    kind === 'known' ? 'the running bridge stores nothing' : 'the configuration is not known',
  );
}
