import type { Beginning } from '../../../../src/emulator/interactions/new-interaction.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP, type TestPlatform } from '../../../helpers/platform.ts';
import type { Asked } from './asked-messages.ts';

/** Somebody uses a command of the application; the path of what its answer is sent to. */
async function used(platform: TestPlatform, given: Partial<Beginning> = {}) {
  await platform.emulator.apply({ applications: [{ id: APP }] });
  // A busy machine takes more than 3 seconds where the clock goes on.
  platform.emulator.clock.freeze();
  const data = { id: '920', name: 'tide', type: 1 };
  const { id, token } = platform.emulator.interactions.begin({
    application: APP,
    user: ids.river,
    channel: ids.general,
    type: 2,
    data,
    ...given,
  });
  return { callback: `/interactions/${id}/${token}/callback`, hook: `/webhooks/${APP}/${token}` };
}

const ofOriginal =
  (method: string, json?: unknown): Asked =>
  async (platform) => {
    const { callback, hook } = await used(platform);
    await platform.call(`POST ${callback}`, { json: { type: 4, data: { content: 'High' } } });
    return [`${method} ${hook}/messages/@original`, json === undefined ? {} : { json }];
  };

/** How the operations on interactions are asked. */
export const interactionAsked: Readonly<Record<string, Asked>> = {
  create_interaction_response: async (platform) => {
    const { callback } = await used(platform);
    return [`POST ${callback}?with_response=true`, { json: { type: 4, data: { content: 'High' } } }];
  },
  get_original_webhook_message: ofOriginal('GET'),
  update_original_webhook_message: ofOriginal('PATCH', { content: 'Low' }),
  delete_original_webhook_message: ofOriginal('DELETE'),
};
