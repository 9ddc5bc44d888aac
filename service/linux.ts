import { existsSync } from 'node:fs';
import { autostartManager } from './autostart.ts';
import type { ServiceContext, ServiceManager } from './manager.ts';
import { readReceipt } from './receipt.ts';
import { systemdManager } from './systemd.ts';

/** sd_booted(3): the folder is there exactly where systemd manages the system. */
const BOOTED = '/run/systemd/system';

/** What installed the service is what takes it away; before that, systemd wherever it runs. */
export function linuxManager(context: ServiceContext, booted: boolean = existsSync(BOOTED)): ServiceManager {
  const installed = readReceipt(context.stateFolder)?.kind;
  if (installed === 'autostart' || (installed === undefined && !booted)) return autostartManager(context);
  return systemdManager(context);
}
