import { type Check, notApplicable } from '../check.ts';
import { checkOwnFolder } from '../own-folder.ts';

/** Folder of grants and tokens. */
export const dataFolder: Check = {
  id: 'data-folder',
  inspect({ configuration, uid, folders }) {
    if (configuration.kind === 'unknown') return notApplicable('the configuration is not known');
    const { dataDir } = configuration.value.settings;
    return checkOwnFolder(dataDir, uid, { made: dataDir === folders.data });
  },
};
