import { expect, it } from 'vitest';
import { ids } from '../../helpers/emulator-world.ts';
import { type GuildPlatform, guildPlatform } from '../../helpers/guild-platform.ts';
import { dataUri, gif, mp3, png, stickerForm } from '../../helpers/media-bytes.ts';
import { APP, type PlatformRequest } from '../../helpers/platform.ts';

/** So many rows with ids of their own. */
const rows = (count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, at) => ({ id: `${7000 + at}`, name: `row${at}`, ...fields }));

const sound = dataUri(mp3(), 'audio/mpeg');
const START = '2040-01-04T18:00:00Z';
const EVENT = { type: 'voice', channel: ids.lounge, start: START };
const EMOJI = { name: 'boat', image: dataUri(png()) };

interface Limit {
  /** What the guild has when there is room for one more. */
  readonly fill: (platform: GuildPlatform) => unknown;
  readonly ask: readonly [what: string, request: PlatformRequest];
  readonly code: number;
  readonly message: RegExp;
}

const sounds =
  (count: number, fields: object = {}) =>
  (platform: GuildPlatform) =>
    platform.emulator.apply({
      guilds: [{ id: ids.riverBank, ...fields }],
      soundboard_sounds: rows(count, { guild: ids.riverBank }),
    });
const stickers =
  (count: number, fields: object = {}) =>
  ({ guild }: GuildPlatform) =>
    guild({ stickers: rows(count, { format: 'png' }), ...fields });
const emojis =
  (count: number, fields: object = {}, of: object = {}) =>
  ({ guild }: GuildPlatform) =>
    guild({ emojis: rows(count, of), ...fields });

const SOUND = ['POST /soundboard-sounds', { json: { name: 'bell', sound } }] as const;
const STICKER = ['POST /stickers', { body: stickerForm(png()) }] as const;
const STILL = ['POST /emojis', { json: EMOJI }] as const;
const MOVING = ['POST /emojis', { json: { name: 'boat', image: dataUri(gif({ frames: 2 })) } }] as const;
const managed = { id: '9', name: 'managed', managed: true, animated: true };

const LIMITS: Readonly<Record<string, Limit>> = {
  // The built-in guild has six channels, and four roles with those of `guildPlatform()`.
  channels: {
    fill: ({ guild }) => guild({ channels: rows(493, { type: 'text' }) }),
    ask: ['POST /channels', { json: { name: 'x' } }],
    code: 30013,
    message: /\(500\)/,
  },
  'channels of a category': {
    fill: ({ guild }) => guild({ channels: rows(49, { type: 'text', parent: ids.category }) }),
    ask: ['POST /channels', { json: { name: 'x', parent_id: ids.category } }],
    code: 50035,
    message: /Invalid Form Body/,
  },
  roles: {
    fill: ({ guild }) => guild({ roles: rows(245) }),
    ask: ['POST /roles', { json: {} }],
    code: 30005,
    message: /\(250\)/,
  },
  'still emoji': { fill: emojis(49), ask: STILL, code: 30008, message: /\(50\)/ },
  'still emoji of level 1': {
    fill: emojis(99, { premium_tier: 1 }),
    ask: STILL,
    code: 30008,
    message: /\(100\)/,
  },
  'still emoji with a feature': {
    fill: emojis(199, { premium_tier: 2, features: ['MORE_EMOJI'] }),
    ask: STILL,
    code: 30008,
    message: /\(200\)/,
  },
  'still emoji of level 3 with a feature': {
    fill: emojis(249, { premium_tier: 3, features: ['MORE_EMOJI'] }),
    ask: STILL,
    code: 30008,
    message: /\(250\)/,
  },
  'moving emoji, besides still and managed ones': {
    fill: async ({ guild }) => {
      await guild({ emojis: [managed, { id: '10', name: 'still' }] });
      await guild({ emojis: rows(49, { animated: true }) });
    },
    ask: MOVING,
    code: 30018,
    message: /\(50\)/,
  },
  stickers: { fill: stickers(4), ask: STICKER, code: 30039, message: /\(5\)/ },
  'stickers of level 2': {
    fill: stickers(29, { premium_tier: 2 }),
    ask: STICKER,
    code: 30039,
    message: /\(30\)/,
  },
  'stickers with a feature': {
    fill: stickers(59, { features: ['MORE_STICKERS'] }),
    ask: STICKER,
    code: 30039,
    message: /\(60\)/,
  },
  sounds: { fill: sounds(7), ask: SOUND, code: 30045, message: /\(8\)/ },
  'sounds of level 3': { fill: sounds(47, { premium_tier: 3 }), ask: SOUND, code: 30045, message: /\(48\)/ },
  'sounds with a feature': {
    fill: sounds(95, { features: ['MORE_SOUNDBOARD'] }),
    ask: SOUND,
    code: 30045,
    message: /\(96\)/,
  },
  'events, besides those that are over': {
    fill: async ({ guild }) => {
      await guild({ scheduled_events: [{ id: '9', name: 'over', ...EVENT, status: 'completed' }] });
      await guild({ scheduled_events: rows(99, EVENT) });
    },
    ask: [
      'POST /scheduled-events',
      {
        json: {
          name: 'x',
          privacy_level: 2,
          entity_type: 2,
          channel_id: ids.lounge,
          scheduled_start_time: START,
        },
      },
    ],
    code: 30038,
    message: /\(100\)/,
  },
};

it.each(Object.keys(LIMITS))('the last of the %s is made, and one more is refused', async (name) => {
  const { fill, ask: asked, code, message } = LIMITS[name] as Limit;
  const platform = await guildPlatform(['ADMINISTRATOR']);
  await fill(platform);
  const made = await platform.ask(...asked);
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  const { body } = await platform.refused(...asked);
  expect(body).toMatchObject({ code, message: expect.stringMatching(message) });
});

it('a group takes ten members, and a bot is in ten groups', async () => {
  const { bot, bearer, call, emulator } = await guildPlatform([]);
  const { authorization } = await bearer(['identify', 'gdm.join']);
  const token = authorization.replace('Bearer ', '');
  const users = Array.from({ length: 8 }, (_, at) => `${7100 + at}`);
  await emulator.apply({
    users: users.map((id) => ({ id, username: `user${id}` })),
    private_channels: [
      { id: '6000', type: 'group', recipients: [APP, ...users], owner: APP },
      { id: '6001', type: 'group', recipients: [APP, 'otter', ...users], owner: APP },
    ],
  });
  const add = (group: string) =>
    call(`PUT /channels/${group}/recipients/${ids.river}`, { headers: bot(), json: { access_token: token } });
  expect((await add('6000')).status).toBe(204);
  expect((await add('6001')).body).toMatchObject({ code: 30004, message: expect.stringMatching(/\(10\)/) });

  const groups = Array.from({ length: 7 }, (_, at) => ({
    id: `${6100 + at}`,
    type: 'group',
    recipients: [APP],
    owner: APP,
  }));
  await emulator.apply({ private_channels: [...groups, { id: '6200', recipients: [APP, 'otter'] }] });
  const open = () =>
    call('POST /users/@me/channels', {
      headers: bot(),
      json: { access_tokens: [token], nicks: { [ids.river]: 'Captain', 7: 'x' } },
    });
  const opened = await open();
  expect(opened.body).toMatchObject({ type: 3, owner_id: APP, managed: true, application_id: APP });
  expect(emulator.tables.private_channels.get(opened.body.id)?.nicks).toEqual({ [ids.river]: 'Captain' });
  expect((await open()).body).toEqual({ message: 'Maximum number of group DMs reached (10)', code: 0 });
});

it('a thread says at most fifty of its members', async () => {
  const { bot, call, emulator, guild } = await guildPlatform(['ADMINISTRATOR']);
  const users = Array.from({ length: 51 }, (_, at) => `${7100 + at}`);
  await emulator.apply({ users: users.map((id) => ({ id, username: `user${id}` })) });
  await guild({ channels: [{ id: '88', name: 'talk', type: 'public_thread', parent: ids.general }] });
  const count = async () => (await call('GET /channels/88', { headers: bot() })).body.member_count;
  const join = (some: readonly string[]) =>
    emulator.apply({
      thread_members: some.map((user) => ({ thread: '88', user, joined_at: '2027-01-01T00:00:00Z' })),
    });
  await join(users.slice(0, 49));
  expect(await count()).toBe(49);
  await join(users.slice(49));
  expect(await count()).toBe(50);
});
