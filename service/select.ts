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

/** Manager selection of each operating system; each system has its own files. */
const selectors: { readonly [os in OsName]?: Selector } = {
  linux: linuxManager,
  darwin: launchdManager,
  win32: windowsManager,
};

/**
 * Selects the manager that starts programs at login on this system. Throws `LocalError` FOOTBRIDGE_NO_MANAGER when
 * there is none.
 */
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

/** Folder that exists exactly when systemd manages the system (sd_booted(3)). */
const BOOTED = '/run/systemd/system';

/**
 * Returns the manager that installed the service, so that it also removes it. Without an installation, returns systemd
 * if it runs.
 */
export function linuxManager(context: ServiceContext, booted: boolean = existsSync(BOOTED)): ServiceManager {
  const installed = readReceipt(context.stateFolder)?.kind;
  if (installed === 'autostart' || (installed === undefined && !booted)) return autostartManager(context);
  return systemdManager(context);
}
