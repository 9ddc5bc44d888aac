import { ids } from '../../../helpers/emulator-world.ts';
import { APP, type PlatformRequest, type TestPlatform } from '../../../helpers/platform.ts';

/** How one operation is asked. */
export type Asked = (platform: TestPlatform) => Promise<readonly [what: string, PlatformRequest]>;

const CHANNEL = `/channels/${ids.general}`;
const GUILD = `/guilds/${ids.riverBank}`;

/** The bot of the application, as a member that may everything and reads what messages say. */
async function member({
  emulator,
  bot,
}: TestPlatform): Promise<{ readonly headers: ReturnType<typeof bot> }> {
  await emulator.apply({
    users: [{ id: APP, username: 'harbour', bot: true }],
    applications: [{ id: APP, bot_user: APP, intents: ['message_content'] }],
    guilds: [
      {
        id: ids.riverBank,
        members: [{ user: APP }],
        roles: [{ id: ids.riverBank, permissions: ['ADMINISTRATOR'] }],
      },
    ],
  });
  return { headers: bot() };
}

const SAID = {
  content: `<@${ids.river}>`,
  nonce: 'n',
  embeds: [
    {
      title: 'x',
      timestamp: '2026-01-01T00:00:00Z',
      footer: { text: 'x' },
      author: { name: 'x', url: 'https://example.test/' },
      image: { url: 'https://example.test/x.png' },
      fields: [{ name: 'a', value: 'b' }],
    },
  ],
  components: [
    { type: 1, components: [{ type: 2, style: 1, custom_id: 'x', label: 'x', emoji: { name: '🌊' } }] },
    { type: 1, components: [{ type: 3, custom_id: 'y', options: [{ label: 'a', value: 'b' }] }] },
  ],
  message_reference: { message_id: '600000000000000001' },
};

/** Writes a message and returns its place. */
async function said(
  platform: TestPlatform,
  json: object = SAID,
): Promise<readonly [path: string, PlatformRequest]> {
  const asked = await member(platform);
  const { body } = await platform.call(`POST ${CHANNEL}/messages`, { ...asked, json });
  return [`${CHANNEL}/messages/${body.id}`, asked];
}

/** Begins a thread and returns its place. */
async function threadIn(
  platform: TestPlatform,
  type = 11,
): Promise<readonly [path: string, PlatformRequest]> {
  const asked = await member(platform);
  const { body } = await platform.call(`POST ${CHANNEL}/threads`, { ...asked, json: { name: 'x', type } });
  return [`/channels/${body.id}`, asked];
}

/** How the operations on channels and messages are asked. */
export const messageAsked: Readonly<Record<string, Asked>> = {
  create_message: async (platform) => [
    `POST ${CHANNEL}/messages`,
    { ...(await member(platform)), json: SAID },
  ],
  list_messages: async (platform) => {
    const [, asked] = await said(platform, {
      flags: 1 << 15,
      components: [
        {
          type: 17,
          components: [
            {
              type: 9,
              components: [{ type: 10, content: 'x' }],
              accessory: { type: 11, media: { url: 'https://example.test/x.png' } },
            },
            { type: 12, items: [{ media: { url: 'https://example.test/x.png' } }] },
            { type: 14 },
            { type: 1, components: [{ type: 5, custom_id: 'z' }] },
          ],
        },
      ],
    });
    return [`GET ${CHANNEL}/messages`, asked];
  },
  get_message: async (platform) => {
    const [path, asked] = await said(platform);
    return [`GET ${path}`, asked];
  },
  update_message: async (platform) => {
    const [path, asked] = await said(platform);
    return [`PATCH ${path}`, { ...asked, json: { content: 'x', flags: 4 } }];
  },
  delete_message: async (platform) => {
    const [path, asked] = await said(platform);
    return [`DELETE ${path}`, asked];
  },
  bulk_delete_messages: async (platform) => {
    const [path, asked] = await said(platform);
    const [other] = await said(platform, { content: 'x' });
    const messages = [path, other].map((one) => one.split('/').at(-1));
    return [`POST ${CHANNEL}/messages/bulk-delete`, { ...asked, json: { messages } }];
  },
  ...Object.fromEntries(
    (
      [
        ['add_my_message_reaction', 'PUT', `reactions/${encodeURIComponent('🌊')}/@me`],
        ['delete_my_message_reaction', 'DELETE', `reactions/${encodeURIComponent('🌊')}/@me`],
        ['delete_user_message_reaction', 'DELETE', `reactions/%F0%9F%8C%8A/${ids.otter}`],
        ['delete_all_message_reactions_by_emoji', 'DELETE', 'reactions/%F0%9F%8C%8A'],
        ['delete_all_message_reactions', 'DELETE', 'reactions'],
      ] as const
    ).map(([id, method, rest]): [string, Asked] => [
      id,
      async (platform) => {
        const [path, asked] = await said(platform);
        return [`${method} ${path}/${rest}`, asked];
      },
    ]),
  ),
  list_message_reactions_by_emoji: async (platform) => {
    const [path, asked] = await said(platform);
    await platform.call(`PUT ${path}/reactions/%F0%9F%8C%8A/@me`, asked);
    return [`GET ${path}/reactions/%F0%9F%8C%8A`, asked];
  },
  ...Object.fromEntries(
    (
      [
        ['list_pins', 'GET', 'messages/pins'],
        ['create_pin', 'PUT', 'messages/pins/600000000000000001'],
        ['delete_pin', 'DELETE', 'messages/pins/600000000000000001'],
        ['deprecated_list_pins', 'GET', 'pins'],
        ['deprecated_create_pin', 'PUT', 'pins/600000000000000001'],
        ['deprecated_delete_pin', 'DELETE', 'pins/600000000000000001'],
        ['trigger_typing_indicator', 'POST', 'typing'],
      ] as const
    ).map(([id, method, rest]): [string, Asked] => [
      id,
      async (platform) => {
        const asked = await member(platform);
        await platform.call(`PUT ${CHANNEL}/messages/pins/600000000000000002`, asked);
        return [`${method} ${CHANNEL}/${rest}`, asked];
      },
    ]),
  ),
  crosspost_message: async (platform) => {
    const asked = await member(platform);
    const news = '/channels/500000000000000003/messages';
    const { body } = await platform.call(`POST ${news}`, { ...asked, json: { content: 'x' } });
    return [`POST ${news}/${body.id}/crosspost`, asked];
  },
  get_channel: async (platform) => [`GET ${CHANNEL}`, await member(platform)],
  list_guild_channels: async (platform) => [`GET ${GUILD}/channels`, await member(platform)],
  create_guild_channel: async (platform) => [
    `POST ${GUILD}/channels`,
    {
      ...(await member(platform)),
      json: { name: 'x', type: 15, available_tags: [{ name: 'a' }], topic: 'x' },
    },
  ],
  update_channel: async (platform) => [
    `PATCH ${CHANNEL}`,
    { ...(await member(platform)), json: { name: 'x' } },
  ],
  delete_channel: async (platform) => [`DELETE /channels/${ids.lounge}`, await member(platform)],
  bulk_update_guild_channels: async (platform) => [
    `PATCH ${GUILD}/channels`,
    { ...(await member(platform)), json: [{ id: ids.general, position: 3 }] },
  ],
  set_channel_permission_overwrite: async (platform) => [
    `PUT ${CHANNEL}/permissions/${ids.otter}`,
    { ...(await member(platform)), json: { type: 1, deny: 1024 } },
  ],
  delete_channel_permission_overwrite: async (platform) => {
    const asked = await member(platform);
    const path = `${CHANNEL}/permissions/${ids.otter}`;
    await platform.call(`PUT ${path}`, { ...asked, json: { type: 1, deny: 1024 } });
    return [`DELETE ${path}`, asked];
  },
  update_voice_channel_status: async (platform) => [
    `PUT /channels/${ids.lounge}/voice-status`,
    { ...(await member(platform)), json: { status: 'x' } },
  ],
  create_thread_from_message: async (platform) => {
    const [path, asked] = await said(platform);
    return [`POST ${path}/threads`, { ...asked, json: { name: 'x' } }];
  },
  create_thread: async (platform) => [
    `POST ${CHANNEL}/threads`,
    { ...(await member(platform)), json: { name: 'x', type: 12, invitable: false } },
  ],
  ...Object.fromEntries(
    (
      [
        ['join_thread', 'PUT', 'thread-members/@me'],
        ['leave_thread', 'DELETE', 'thread-members/@me'],
        ['add_thread_member', 'PUT', `thread-members/${ids.otter}`],
        ['delete_thread_member', 'DELETE', `thread-members/${APP}`],
        ['get_thread_member', 'GET', `thread-members/${APP}`],
        ['list_thread_members', 'GET', 'thread-members'],
      ] as const
    ).map(([id, method, rest]): [string, Asked] => [
      id,
      async (platform) => {
        const [thread, asked] = await threadIn(platform);
        return [`${method} ${thread}/${rest}`, asked];
      },
    ]),
  ),
  get_active_guild_threads: async (platform) => {
    const [, asked] = await threadIn(platform);
    return [`GET ${GUILD}/threads/active`, asked];
  },
  ...Object.fromEntries(
    (
      [
        ['list_public_archived_threads', 'threads/archived/public'],
        ['list_private_archived_threads', 'threads/archived/private'],
        ['list_my_private_archived_threads', 'users/@me/threads/archived/private'],
      ] as const
    ).map(([id, rest]): [string, Asked] => [
      id,
      async (platform) => {
        const [thread, asked] = await threadIn(platform, rest.includes('private') ? 12 : 11);
        await platform.call(`PATCH ${thread}`, { ...asked, json: { archived: true } });
        return [`GET ${CHANNEL}/${rest}`, asked];
      },
    ]),
  ),
  thread_search: async (platform) => {
    const [, asked] = await threadIn(platform);
    return [`GET ${CHANNEL}/threads/search`, asked];
  },
  guild_search: async (platform) => {
    const [, asked] = await said(platform);
    const what = `GET ${GUILD}/messages/search`;
    while ((await platform.call(what, asked)).status === 202)
      await new Promise((resolve) => setTimeout(resolve, 5));
    return [what, asked];
  },
};
