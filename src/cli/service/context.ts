import { homedir, userInfo } from 'node:os';
import { sessionEnvironment } from '../../../platform/endpoint/endpoints.ts';
import type { ServiceContext, ServiceManager } from '../../../service/manager.ts';
import { programRunner } from '../../../service/run.ts';
import { selectManager } from '../../../service/select.ts';
import { applicationFolders } from '../../daemon/config/folders.ts';
import type { Io } from '../../daemon/io.ts';
import { currentHost, daemonClient } from '../daemon-client.ts';

/** Properties of this user's session that the service managers need. */
function serviceContext(io: Io): ServiceContext {
  // systemctl finds the user's systemd through the runtime folder.
  const env = sessionEnvironment(io.env);
  return {
    env,
    home: env['HOME'] || homedir(),
    uid: process.getuid?.(),
    user: userName(io),
    stateFolder: applicationFolders().data,
    run: programRunner(env),
    bridgePid: () =>
      daemonClient(io)
        .status()
        .then(
          ({ pid }) => pid,
          () => undefined,
        ),
  };
}

/** Service manager of this system. Throws `LocalError` FOOTBRIDGE_NO_MANAGER. */
export function currentManager(io: Io): Promise<ServiceManager> {
  return selectManager(currentHost().os, serviceContext(io));
}

/** A user without an entry in the user database, as in some containers, has only a number. */
function userName({ env }: Io): string {
  try {
    return userInfo().username;
  } catch {
    return env['USER'] || String(process.getuid?.());
  }
}
