import type { OsName } from '../platform/endpoints.ts';
import { LocalError } from '../platform/local-error.ts';
import type { ServiceContext, ServiceManager } from './manager.ts';

type Selector = (context: ServiceContext) => ServiceManager;

/** Each system in files of its own; the entry decides between the managers of that system. */
const selectors: { readonly [os in OsName]?: () => Promise<Selector> } = {
  linux: async () => (await import('./linux.ts')).linuxManager,
  darwin: async () => (await import('./launchd.ts')).launchdManager,
  win32: async () => (await import('./windows.ts')).windowsManager,
};

/** The manager that starts things at login here. Throws `LocalError` FOOTBRIDGE_NO_MANAGER where there is none. */
export async function selectManager(os: OsName, context: ServiceContext): Promise<ServiceManager> {
  const load = selectors[os];
  if (load === undefined) {
    throw new LocalError(
      'FOOTBRIDGE_NO_MANAGER',
      `Footbridge knows no service manager for ${os}. Start "footbridge run" in whatever way this system has.`,
    );
  }
  return (await load())(context);
}
