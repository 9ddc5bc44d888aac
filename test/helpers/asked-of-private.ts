import { ids } from './emulator-world.ts';
import { inGuild } from './guild-platform.ts';
import { APP, type PlatformRequest, type TestPlatform } from './platform.ts';

type Asked = readonly [what: string, PlatformRequest];

const GROUP = { id: '6000', type: 'group', recipients: [APP, 'river', 'otter'], owner: APP };

/** A token that lets the bot add the logged-in user to a group. */
async function joinToken({ bearer }: TestPlatform): Promise<string> {
  return (await bearer(['identify', 'gdm.join'])).authorization.replace('Bearer ', '');
}

/** How each operation of private channels is asked by somebody who may. */
export const ASKED_OF_PRIVATE: Readonly<Record<string, (platform: TestPlatform) => Promise<Asked>>> = {
  create_dm: async (platform) => {
    await inGuild(platform, []);
    return ['POST /users/@me/channels', { headers: platform.bot(), json: { recipient_id: ids.otter } }];
  },
  add_group_dm_user: async (platform) => {
    await inGuild(platform, []);
    await platform.emulator.apply({ private_channels: [{ ...GROUP, recipients: [APP, 'otter'] }] });
    const json = { access_token: await joinToken(platform), nick: 'Captain' };
    return [`PUT /channels/6000/recipients/${ids.river}`, { headers: platform.bot(), json }];
  },
  update_user_message_external_moderation_metadata: async (platform) => {
    await platform.emulator.apply({
      private_channels: [{ id: '6000', recipients: ['river', 'otter'] }],
      messages: [{ id: '9000', channel: '6000', content: 'x', application: APP }],
    });
    const path = `/partner-sdk/dms/${ids.river}/${ids.otter}/messages/9000/moderation-metadata`;
    return [`PUT ${path}`, { headers: platform.bot(), json: { verdict: 'fine' } }];
  },
  delete_group_dm_user: async (platform) => {
    await inGuild(platform, []);
    await platform.emulator.apply({ private_channels: [GROUP] });
    return [`DELETE /channels/6000/recipients/${ids.otter}`, { headers: platform.bot() }];
  },
};
