import { placesIn } from '../../bridge-places.ts';
import { type Check, notApplicable } from '../check.ts';
import { checkOwnFolder } from '../own-folder.ts';

/** Folder of the log of a service without a journal. */
export const logFolder: Check = {
  id: 'log-folder',
  title: 'Log folder',
  explanation: `
    A service without a journal keeps its log in this folder, in two files of 1 MiB. A folder that others can write to
    lets them replace the log.

    A folder that is not there is made when it is needed. \`footbridge logs\` prints the log.
  `,
  inspect({ bridge, folders, uid }) {
    const places = bridge.kind === 'known' ? placesIn(bridge.status) : undefined;
    if (places?.log === null) return notApplicable('the running bridge writes its log to no file');
    const path = places?.log ?? folders.log;
    return checkOwnFolder(path, uid, { made: path === folders.log });
  },
};
