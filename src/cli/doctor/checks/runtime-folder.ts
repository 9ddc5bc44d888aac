import { existsSync } from 'node:fs';
import { bridgeFolders } from '../../../../platform/endpoint/search.ts';
import { checkEndpointFolder } from '../../../../platform/files/private-folder.ts';
import { messageOf } from '../../../base/local-error.ts';
import { type Check, failed, notApplicable } from '../check.ts';

/** Folder of the endpoints: its owner, and access of other users. */
export const runtimeFolder: Check = {
  id: 'runtime-folder',
  title: 'Runtime folder',
  explanation: `
    Apps look for the endpoint in one folder: the first of XDG_RUNTIME_DIR, TMPDIR, TMP and TEMP that is set, else /tmp.
    Bridge and app must agree on it. A login session gives each user a folder that nobody else can enter.

    The check fails when another user could put a socket into the folder. It warns when the bridge and the apps of the
    login session look in different folders, as after \`su\` or in a cron job: start the bridge with the variable that
    the line shows.
  `,
  inspect({ os, env, endpoints, uid, native }) {
    if (endpoints.kind === 'unknown') return failed('set the variable as it says', endpoints.reason);
    if (uid === undefined) return notApplicable('pipes have no folder');
    const { folder, source, snap } = endpoints;
    const from = source === 'default' ? 'no variable names another' : `from ${source}`;
    try {
      const { privacy } = checkEndpointFolder(folder, uid);
      const unsafe = privacy === 'shared' && native.kind === 'absent';
      const session = bridgeFolders(os, env, uid).at(-1) ?? folder;
      const elsewhere = session !== folder && existsSync(session);
      return {
        verdict: unsafe ? 'failed' : source === 'default' || elsewhere ? 'warning' : 'ok',
        evidence: [
          `${folder} (${from}), ${privacy === 'private' ? 'yours alone' : 'other users can look into it'}`,
          ...(unsafe
            ? ['who connects cannot be checked without koffi, so the bridge does not start here']
            : []),
          ...(snap === undefined
            ? []
            : [`XDG_RUNTIME_DIR here is the folder of the snap ${snap}, where other apps do not look`]),
          ...(elsewhere ? [`apps of the login session look in ${session}`] : []),
        ],
        fix: elsewhere
          ? `export ${os === 'darwin' ? 'TMPDIR' : 'XDG_RUNTIME_DIR'}=${session}, and start the bridge with it`
          : unsafe || source === 'default'
            ? 'point XDG_RUNTIME_DIR at a folder of your own with mode 0700; a login session has one'
            : null,
      };
    } catch (error) {
      const reason = messageOf(error);
      return failed('follow that line', reason);
    }
  },
};
