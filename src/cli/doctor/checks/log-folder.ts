import type { Check } from '../check.ts';
import { checkOwnFolder } from '../own-folder.ts';

/** Where a service without a journal keeps its log. */
export const logFolder: Check = {
  id: 'log-folder',
  look: ({ folders, uid }) => checkOwnFolder(folders.log, uid, { made: true }),
};
