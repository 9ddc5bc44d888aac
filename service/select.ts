import { existsSync } from 'node:fs';
import type { OsName } from '../platform/endpoint/endpoints.ts';
import { LocalError } from '../src/base/local-error.ts';
import { autostartManager } from './autostart.ts';
import { launchdManager } from './launchd.ts';
import type { ServiceContext, ServiceManager } from './manager.ts';
import { readReceipt } from './receipt.ts';
import { systemdManager } from './systemd.ts';
import { windowsManager } from './windows.ts';

type Selector = (context: ServiceContext) => ServiceManager;

/** Each system in files of its own; the entry chooses between the managers of that system. */
const selectors: { readonly [os in OsName]?: Selector } = {
  linux: linuxManager,
  darwin: launchdManager,
  win32: windowsManager,
};

/** The manager that starts programs at login here. Throws `LocalError` FOOTBRIDGE_NO_MANAGER without one. */
export async function selectManager(os: OsName, context: ServiceContext): Promise<ServiceManager> {
  const select = selectors[os];
  if (select === undefined) {
    throw new LocalError(
      'FOOTBRIDGE_NO_MANAGER',
      `Footbridge knows no service manager for ${os}. Start "footbridge run" in whatever way this system has.`,
    );
  }
  return select(context);
}

/** sd_booted(3): the folder exists exactly where systemd manages the system. */
const BOOTED = '/run/systemd/system';

/** The manager that installed the service removes it; before that, systemd wherever it runs. */
export function linuxManager(context: ServiceContext, booted: boolean = existsSync(BOOTED)): ServiceManager {
  const installed = readReceipt(context.stateFolder)?.kind;
  if (installed === 'autostart' || (installed === undefined && !booted)) return autostartManager(context);
  return systemdManager(context);
}
