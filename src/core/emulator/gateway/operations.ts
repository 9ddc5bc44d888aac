import * as z from 'zod';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';
import { findApplication } from '../find-application.ts';

const byApplication = () => z.object({ app: z.string().check(z.minLength(1), z.maxLength(100)) });

/** What a test or a person can do to the connections of bots and games. */
export function gatewayOperations(emulator: Emulator): { readonly [name: string]: AdminOperation } {
  return {
    'gateway.sessions': defineOperation({
      summary: 'Sessions of bots and games at the gateway, connected or cut, oldest first',
      args: () => z.object({}),
      run: () => emulator.gateway.sessions(),
    }),
    'gateway.reconnect': defineOperation({
      summary: 'Ask the clients of an application to reconnect (opcode 7)',
      args: byApplication,
      run: async ({ app }) => {
        const application = findApplication(emulator, app).id;
        return { application, asked: await emulator.gateway.disturb(application, 'reconnect') };
      },
    }),
    'gateway.cut': defineOperation({
      summary: 'Cut the lines of an application without a word; its sessions can be resumed',
      args: byApplication,
      run: async ({ app }) => {
        const application = findApplication(emulator, app).id;
        return { application, cut: await emulator.gateway.disturb(application, 'cut') };
      },
    }),
  };
}
