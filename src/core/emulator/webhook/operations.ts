import * as z from 'zod';
import { EVENT_TYPES } from '../../../emulator/applications/webhooks/event-types.ts';
import type { Delivery } from '../../../emulator/applications/webhooks/records.ts';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';
import { findApplication } from '../find-application.ts';

const name = () => z.string().check(z.minLength(1), z.maxLength(100));

/** What a person can do to what applications are told over HTTP. */
export function webhookOperations(emulator: Emulator): { readonly [name: string]: AdminOperation } {
  return {
    'webhook.set': defineOperation({
      summary: 'Tell an application what happens, at an address of this machine that proves itself first',
      args: () =>
        z.object({
          app: name(),
          url: z.string().check(z.minLength(1), z.maxLength(2048)),
          events: z.optional(z.array(z.enum(EVENT_TYPES)).check(z.maxLength(EVENT_TYPES.length))),
        }),
      run: ({ app, url, events }) => emulator.webhooks.set(findApplication(emulator, app).id, url, events),
    }),
    'webhook.remove': defineOperation({
      summary: 'Tell an application nothing more',
      args: () => z.object({ app: name() }),
      run: ({ app }) => {
        const application = findApplication(emulator, app).id;
        return { application, removed: emulator.webhooks.unset(application) };
      },
    }),
    'webhooks.list': defineOperation({
      summary: 'Everything that was sent to applications or is on its way, oldest first',
      args: () => z.object({}),
      run: () => emulator.webhooks.deliveries().map(shown),
    }),
    'webhook.redeliver': defineOperation({
      summary: 'Send a delivery again',
      args: () => z.object({ id: name() }),
      run: ({ id }) => shown(emulator.webhooks.redeliver(id)),
    }),
  };
}

function shown({ id, application, url, type, state, body, attempts }: Delivery): object {
  return { id, application, url, type, state, attempts, body: JSON.parse(body) as unknown };
}
