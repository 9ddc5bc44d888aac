import { describe, expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { dataUri, png } from '../../../helpers/media-bytes.ts';
import { APP } from '../../../helpers/platform.ts';
import { type UsedPlatform, usedPlatform } from '../../../helpers/used-application.ts';

// Requests as libraries of other languages write them: with every field of a struct, with null for an empty list, or with
// the bits of a permission as a number.

const GENERAL = `/channels/${ids.general}`;
const GUILD = `/guilds/${ids.riverBank}`;

/** A request as JSON, and the status of its answer where that is not 200. */
type Sent = [library: string, what: string, json: object, status?: number];

/** Fields of a message that discordgo sends empty. */
const GO_MESSAGE = { embeds: null, tts: false, components: null, sticker_ids: null };
/** Fields of an option of a command that discordgo sends empty. */
const GO_OPTION = { required: false, options: null, autocomplete: false, choices: null, channel_types: null };

const REQUESTS: readonly Sent[] = [
  ['discordgo', `POST ${GENERAL}/messages`, { ...GO_MESSAGE, content: 'ahoy' }],
  [
    'discordgo',
    `POST /applications/${APP}/commands`,
    {
      name: 'tide',
      description: 'The tide',
      options: [{ ...GO_OPTION, type: 3, name: 'place', description: 'Where' }],
    },
    201,
  ],
  ['discordgo', `PUT ${GUILD}/members/${ids.otter}/roles/801`, {}, 204],
  ['discordgo', `POST ${GUILD}/roles`, { name: 'crew', permissions: '8192', color: 0, hoist: false }],
  [
    'JDA',
    `POST ${GENERAL}/messages`,
    {
      content: 'ahoy',
      embeds: [],
      components: [],
      tts: false,
      flags: 0,
      allowed_mentions: { parse: ['users', 'roles', 'everyone'], replied_user: true },
    },
  ],
  [
    'JDA',
    `PUT /applications/${APP}/commands`,
    [
      {
        type: 1,
        name: 'tide',
        name_localizations: {},
        description: 'The tide',
        description_localizations: {},
        options: [],
        nsfw: false,
        default_member_permissions: null,
        contexts: [0, 1, 2],
        integration_types: [0],
      },
    ],
  ],
  ['JDA', `POST ${GUILD}/channels`, { type: 0, name: 'deck', position: 0, permission_overwrites: [] }, 201],
  [
    'pycord',
    `POST ${GENERAL}/messages`,
    {
      content: 'ahoy',
      tts: false,
      embeds: [{ type: 'rich', title: 'Tide', flags: 0, fields: [{ name: 'a', value: 'b', inline: true }] }],
      nonce: 1234567890,
      allowed_mentions: { parse: ['users'], replied_user: true },
      flags: 0,
    },
  ],
  [
    'pycord',
    `PUT /applications/${APP}/guilds/${ids.riverBank}/commands`,
    [
      {
        name: 'tide',
        description: 'The tide',
        options: [],
        default_member_permissions: null,
        dm_permission: null,
        nsfw: false,
      },
    ],
  ],
  [
    'disnake',
    `PATCH ${GUILD}/members/${ids.otter}`,
    { roles: [], nick: 'Lontra', communication_disabled_until: null },
  ],
  ['disnake', 'PATCH /users/@me', { username: 'harbour', avatar: dataUri(png()) }],
  [
    'nextcord',
    `POST ${GUILD}/scheduled-events`,
    {
      name: 'Regatta',
      entity_type: 3,
      privacy_level: 2,
      scheduled_start_time: '2040-01-01T12:00:00+00:00',
      scheduled_end_time: '2040-01-01T14:00:00+00:00',
      entity_metadata: { location: 'The pier' },
    },
  ],
  [
    'hikari',
    `POST ${GENERAL}/messages`,
    {
      content: 'ahoy',
      allowed_mentions: { parse: [] },
      message_reference: { message_id: '600000000000000001' },
    },
  ],
  ['hikari', `PUT ${GENERAL}/permissions/${ids.otter}`, { type: 1, allow: 1024, deny: 2048 }, 204],
];

async function platformWith(): Promise<UsedPlatform> {
  const platform = await usedPlatform();
  await platform.emulator.apply({
    guilds: [{ id: ids.riverBank, roles: [{ id: '801', name: 'crew', position: 1 }] }],
  });
  await platform.only();
  await platform.emulator.apply({
    guilds: [
      {
        id: ids.riverBank,
        roles: [{ id: '900', name: 'own', position: 5, permissions: ['ADMINISTRATOR'], bot: APP }],
        members: [{ user: APP, roles: ['900'] }],
      },
    ],
  });
  return platform;
}

describe('a request of a library', () => {
  it.each<Sent>(REQUESTS)('%s: %s', async (_, what, json, status = 200) => {
    const { ask } = await platformWith();
    const answer = await ask(what, json);
    expect([answer.status, answer.body?.errors]).toEqual([status, undefined]);
  });
});

describe('an answer of a library to an interaction', () => {
  const empty = { tts: false, content: '', components: null, embeds: null };
  const words = { type: 4, custom_id: 'words', label: 'Words', style: 1, required: true };

  it.each<[string, 2 | 4, object]>([
    ['discordgo: a message', 2, { type: 4, data: { ...empty, content: 'high' } }],
    ['discordgo: a deferred message without data', 2, { type: 5 }],
    [
      'discordgo: a modal',
      2,
      {
        type: 9,
        data: {
          ...empty,
          custom_id: 'log',
          title: 'The log',
          components: [{ type: 1, components: [words] }],
        },
      },
    ],
    ['discordgo: choices', 4, { type: 8, data: { ...empty, choices: [{ name: 'a', value: 'a' }] } }],
    ['JDA: a deferred message', 2, { type: 5, data: { flags: 0 } }],
    [
      'JDA: a message',
      2,
      { type: 4, data: { content: 'high', embeds: [], components: [], flags: 64, tts: false } },
    ],
    ['hikari: a deferred message', 2, { type: 5, data: { flags: 64 } }],
    [
      'disnake: choices',
      4,
      { type: 8, data: { choices: [{ name: 'a', value: 'a', name_localizations: null }] } },
    ],
  ])('%s', async (_, type, json) => {
    const { use, answer } = await usedPlatform();
    const data = type === 4 ? { options: [{ type: 3, name: 'place', value: 'h', focused: true }] } : {};
    const given = type === 2 ? {} : { type, data: { id: '920', name: 'tide', type: 1, ...data } };
    const { status, body } = await answer(use(given), json);
    expect([status, body?.errors]).toEqual([204, undefined]);
  });
});

describe('a voice message of a library', () => {
  it.each([
    ['pycord', 'application/octet-stream'],
    ['discordgo', 'audio/ogg'],
  ])('%s names its file with the type %s', async (_, type) => {
    const { call, bot } = await usedPlatform();
    const body = new FormData();
    const attachments = [{ id: 0, filename: 'voice-message.ogg', duration_secs: 1.5, waveform: 'AAAA' }];
    body.set('payload_json', JSON.stringify({ flags: 8192, attachments }));
    body.set('files[0]', new Blob(['sound'], { type }), 'voice-message.ogg');
    const answer = await call(`POST ${GENERAL}/messages`, { headers: bot(), body });
    expect([answer.status, answer.body.flags]).toEqual([200, 8192]);
  });
});
