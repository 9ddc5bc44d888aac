import type { Check } from '../check.ts';
import { checkOwnFolder } from '../own-folder.ts';

/** Folder of the log of a service without a journal. */
export const logFolder: Check = {
  id: 'log-folder',
  inspect: ({ folders, uid }) => checkOwnFolder(folders.log, uid, { made: true }),
};
