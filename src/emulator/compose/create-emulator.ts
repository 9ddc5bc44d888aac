import { startServices } from '../api/service.ts';
import { composePlatform } from './compose-platform.ts';
import { type Emulator, emulatorOf } from './emulator.ts';
import type { EmulatorOptions } from './emulator-options.ts';
import { servicesOf } from './services.ts';

/**
 * Starts an emulator. The storage is read first; if that fails, a warning is logged and no grant is loaded. Neither
 * broken storage nor a full disk rejects the promise.
 */
export async function createEmulator(options: EmulatorOptions): Promise<Emulator> {
  const parts = await composePlatform(options);
  return emulatorOf(parts, startServices(parts.world, servicesOf(parts)));
}
