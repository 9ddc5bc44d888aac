import * as z from 'zod';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';

/** What a person can do to the overlay. */
export function overlayOperations(emulator: Emulator): { readonly [name: string]: AdminOperation } {
  return {
    'overlay.set': defineOperation({
      summary: 'Turn the overlay over a process on or off, lock or unlock it',
      args: () =>
        z.object({
          pid: z.int().check(z.gte(0), z.lte(2147483647)),
          enabled: z.optional(z.boolean()),
          locked: z.optional(z.boolean()),
        }),
      run({ pid, enabled, locked }) {
        const old = emulator.client.overlay(pid);
        const overlay = { pid, enabled: enabled ?? old.enabled, locked: locked ?? old.locked };
        emulator.client.setOverlay(overlay);
        return overlay;
      },
    }),
  };
}
