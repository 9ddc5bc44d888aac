import { type Check, notApplicable } from '../check.ts';
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
  `,
  inspect({ configuration, uid, folders }) {
    if (configuration.kind === 'unknown') return notApplicable('the configuration is not known');
    const { dataDir } = configuration.value.settings;
    return checkOwnFolder(dataDir, uid, { made: dataDir === folders.data });
  },
};
