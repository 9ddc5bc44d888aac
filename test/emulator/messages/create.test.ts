import { describe, expect, it } from 'vitest';
import { botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { APP } from '../../helpers/platform.ts';
import { rpcFeed } from '../../helpers/rpc-feed.ts';

const MESSAGES = `/channels/${ids.general}/messages`;
const HIGH = '600000000000000001';

/** What one field of a refused body is said to be. */
function faultAt(body: unknown, ...path: string[]): unknown {
  const at = path.reduce(
    (value, key) => (value as Record<string, unknown>)?.[key],
    (body as { errors: unknown }).errors,
  );
  return (at as { _errors: [{ code: string }] })?._errors[0].code;
}

it('a created message is returned, and sent to the logged-in user', async () => {
  const { ask, emulator } = await botPlatform();
  const told = rpcFeed(emulator).types;
  const { status, body } = await ask(`POST ${MESSAGES}`, { content: `Hello <@${ids.river}>`, nonce: 7 });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    content: `Hello <@${ids.river}>`,
    channel_id: ids.general,
    author: { id: APP, bot: true },
    application_id: APP,
    mentions: [{ id: ids.river }],
    mention_everyone: false,
    nonce: 7,
    type: 0,
    pinned: false,
  });
  expect(told()).toEqual(['MESSAGE_CREATE', 'NOTIFICATION_CREATE']);
  const { nonce: _, ...kept } = body;
  expect((await ask(`GET ${MESSAGES}/${body.id}`)).body).toEqual(kept);
  expect((await ask(`GET ${MESSAGES}?limit=1`)).body).toEqual([kept]);
});

describe('a refused message leaves the state unchanged:', () => {
  it.each([
    ['nothing', {}, 400, 50006],
    ['an empty text', { content: '' }, 400, 50006],
    ['a text of 2,001 characters', { content: 'x'.repeat(2001) }, 400, 50035],
    ['a text that is a list', { content: ['x'] }, 400, 50035],
    ['eleven embeds', { embeds: Array.from({ length: 11 }, () => ({ title: 'x' })) }, 400, 50035],
    ['a nonce of 26 characters', { content: 'x', nonce: 'x'.repeat(26) }, 400, 50035],
    ['a poll of nothing', { content: 'x', poll: {} }, 400, 50035],
    ['a reply to nothing', { content: 'x', message_reference: { message_id: '1' } }, 400, 50035],
    ['a forward of nothing', { message_reference: { type: 1, message_id: '1' } }, 400, 50035],
    [
      'a forward of what is elsewhere',
      { message_reference: { type: 1, message_id: '600000000000000004', channel_id: ids.arrivals } },
      403,
      160014,
    ],
    ['a forward with more', { content: 'x', message_reference: { type: 1, message_id: HIGH } }, 400, 160011],
    [
      'mentions that exclude each other',
      { content: 'x', allowed_mentions: { parse: ['users'], users: [ids.river] } },
      400,
      50035,
    ],
  ])('%s', async (_, json, status, code) => {
    const { refused } = await botPlatform();
    expect(await refused(`POST ${MESSAGES}`, json)).toMatchObject({ status, body: { code } });
  });

  it.each([
    ['a channel that is not there', '/channels/1/messages', 404, 10003],
    ['a channel of another guild', `/channels/${ids.arrivals}/messages`, 403, 50001],
    ['a channel for voice', `/channels/${ids.lounge}/messages`, 400, 50008],
    ['a channel that is no id', '/channels/x/messages', 400, 50035],
  ])('in %s', async (_, path, status, code) => {
    const { refused } = await botPlatform();
    expect(await refused(`POST ${path}`, { content: 'x' })).toMatchObject({ status, body: { code } });
  });

  it.each([
    ['SEND_MESSAGES', [], { content: 'x' }],
    ['SEND_TTS_MESSAGES', ['SEND_MESSAGES'], { content: 'x', tts: true }],
    ['EMBED_LINKS', ['SEND_MESSAGES'], { embeds: [{ title: 'x' }] }],
  ] as const)('without %s', async (_, permissions, json) => {
    const { refused, only } = await botPlatform();
    await only('VIEW_CHANNEL', ...permissions);
    expect(await refused(`POST ${MESSAGES}`, json)).toMatchObject({ status: 403, body: { code: 50013 } });
  });

  it('faults in several fields are each reported at their path', async () => {
    const { refused } = await botPlatform();
    const { body } = await refused(`POST ${MESSAGES}`, {
      content: 'x'.repeat(2001),
      embeds: [{ title: 'x' }, { fields: [{ name: 'x', value: 5 }], image: { url: 'javascript:x' } }],
    });
    expect(faultAt(body, 'content')).toBe('BASE_TYPE_MAX_LENGTH');
    expect(faultAt(body, 'embeds', '1', 'fields', '0', 'value')).toBe('STRING_TYPE_CONVERT');
    expect(faultAt(body, 'embeds', '1', 'image', 'url')).toBe('URL_TYPE_INVALID_URL');
  });
});

it('embeds and components are stored with the defaults of the platform', async () => {
  const { ask } = await botPlatform();
  const { body } = await ask(`POST ${MESSAGES}`, {
    embeds: [
      {
        title: 'Tide',
        color: 255,
        fields: [{ name: 'High', value: '12:00' }],
        timestamp: '2026-01-01T00:00:00Z',
      },
    ],
    components: [{ type: 1, components: [{ type: 2, style: 1, label: 'Go', custom_id: 'go' }] }],
  });
  expect(body.embeds).toEqual([
    {
      type: 'rich',
      title: 'Tide',
      color: 255,
      fields: [{ name: 'High', value: '12:00', inline: false }],
      timestamp: '2026-01-01T00:00:00.000000+00:00',
    },
  ]);
  expect(body.components).toEqual([
    { type: 1, id: 1, components: [{ type: 2, id: 2, style: 1, label: 'Go', custom_id: 'go' }] },
  ]);
});

it.each([
  ['a button at the top', [{ type: 2, style: 1, custom_id: 'x' }], 0],
  [
    'two with one name',
    [
      {
        type: 1,
        components: [
          { type: 2, style: 1, custom_id: 'x' },
          { type: 2, style: 1, custom_id: 'x' },
        ],
      },
    ],
    0,
  ],
  ['a text without the flag', [{ type: 10, content: 'x' }], 0],
  [
    'six buttons in a row',
    [
      {
        type: 1,
        components: Array.from({ length: 6 }, (_, i) => ({ type: 2, style: 1, custom_id: `${i}` })),
      },
    ],
    0,
  ],
  [
    'a label of 81 characters',
    [{ type: 1, components: [{ type: 2, style: 1, custom_id: 'x', label: 'x'.repeat(81) }] }],
    0,
  ],
])('a message refuses components: %s', async (_, components, flags) => {
  const { refused } = await botPlatform();
  expect(await refused(`POST ${MESSAGES}`, { content: 'x', components, flags })).toMatchObject({
    status: 400,
    body: { code: 50035 },
  });
});

const SELECT = { type: 3, custom_id: 's', options: [{ label: 'a', value: 'a' }] };
const GO = { type: 2, style: 1, label: 'Go', custom_id: 'go' };
const DEFAULTS = [{ id: ids.river, type: 'user' }];

it.each([
  ['1', 'COMPONENT_LAYOUT_WIDTH_EXCEEDED', [GO, SELECT]],
  ['1', 'COMPONENT_LAYOUT_WIDTH_EXCEEDED', [SELECT, { ...SELECT, custom_id: 't' }]],
  ['0 custom_id', 'BASE_TYPE_REQUIRED', [{ ...GO, custom_id: undefined }]],
  ['0 url', 'BUTTON_COMPONENT_INVALID_FIELD', [{ ...GO, url: 'https://example.test' }]],
  ['0 url', 'BASE_TYPE_REQUIRED', [{ type: 2, style: 5, label: 'x' }]],
  ['0 label', 'BASE_TYPE_REQUIRED', [{ type: 2, style: 2, custom_id: 'x' }]],
  ['0 label', 'BUTTON_COMPONENT_INVALID_FIELD', [{ type: 2, style: 6, sku_id: '1', label: 'x' }]],
  ['0 min_values', 'NUMBER_TYPE_MAX', [{ ...SELECT, min_values: 2 }]],
  [
    '0 options 1 value',
    'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
    [{ ...SELECT, options: [...SELECT.options, ...SELECT.options] }],
  ],
  [
    '0 default_values',
    'SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES',
    [{ type: 5, custom_id: 's', default_values: [...DEFAULTS, { ...DEFAULTS[0], id: ids.heron }] }],
  ],
  ['0 default_values 0 type', 'BASE_TYPE_CHOICES', [{ type: 6, custom_id: 's', default_values: DEFAULTS }]],
])('a component row reports a fault at %s: %s [M-5]', async (path, code, components) => {
  const { refused } = await botPlatform();
  const { body } = await refused(`POST ${MESSAGES}`, { content: 'x', components: [{ type: 1, components }] });
  expect(faultAt(body, 'components', '0', 'components', ...path.split(' '))).toBe(code);
});

it('a message accepts components of version 2, without text beside them', async () => {
  const { ask, refused } = await botPlatform();
  const components = [{ type: 17, components: [{ type: 10, content: 'x' }, { type: 14 }] }];
  const flags = 1 << 15;
  expect((await ask(`POST ${MESSAGES}`, { components, flags })).body).toMatchObject({
    flags,
    components: [
      {
        type: 17,
        id: 1,
        accent_color: null,
        spoiler: false,
        components: [
          { type: 10, id: 2 },
          { type: 14, id: 3, divider: true, spacing: 1 },
        ],
      },
    ],
  });
  expect(
    faultAt((await refused(`POST ${MESSAGES}`, { content: 'x', components, flags })).body, 'content'),
  ).toBe('MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2');
});

it('an enforced nonce returns the existing message for a while', async () => {
  const { ask, emulator } = await botPlatform();
  const said = { content: 'x', nonce: 'n', enforce_nonce: true };
  const first = await ask(`POST ${MESSAGES}`, said);
  expect((await ask(`POST ${MESSAGES}`, { ...said, content: 'y' })).body).toEqual(first.body);
  expect((await ask(`POST ${MESSAGES}`, { ...said, enforce_nonce: false })).body.id).not.toBe(first.body.id);
  emulator.clock.advance(6 * 60_000);
  expect((await ask(`POST ${MESSAGES}`, said)).body.id).not.toBe(first.body.id);
});

describe('a message with the enforced nonce of a message that was deleted', () => {
  const said = { content: 'x', nonce: 'n', enforce_nonce: true };

  it.each([
    ['by itself', (id: string) => [`DELETE ${MESSAGES}/${id}`, undefined] as const],
    [
      'with others',
      (id: string, other: string) => [`POST ${MESSAGES}/bulk-delete`, { messages: [id, other] }] as const,
    ],
  ])('%s is not sent while the nonce is remembered', async (_, deletion) => {
    const { ask, refused, emulator } = await botPlatform();
    const first = (await ask(`POST ${MESSAGES}`, said)).body.id;
    const other = (await ask(`POST ${MESSAGES}`, { content: 'y' })).body.id;
    const [what, json] = deletion(first, other);
    expect((await ask(what, json)).status).toBe(204);
    for (const _ of [1, 2]) {
      expect(await refused(`POST ${MESSAGES}`, said)).toMatchObject({ status: 404, body: { code: 10008 } });
    }
    expect((await ask(`POST ${MESSAGES}`, { ...said, nonce: 'other' })).status).toBe(200);
    emulator.clock.advance(5 * 60_000);
    expect((await ask(`POST ${MESSAGES}`, said)).status).toBe(200);
  });

  it('is sent when the nonce is not enforced, and found by the nonce afterwards', async () => {
    const { ask } = await botPlatform();
    await ask(`DELETE ${MESSAGES}/${(await ask(`POST ${MESSAGES}`, said)).body.id}`);
    const { id } = (await ask(`POST ${MESSAGES}`, { ...said, enforce_nonce: false })).body;
    expect((await ask(`POST ${MESSAGES}`, said)).body.id).toBe(id);
  });

  it('is sent after the state was imported', async () => {
    const { ask, emulator } = await botPlatform();
    const before = emulator.exportState();
    const { id } = (await ask(`POST ${MESSAGES}`, said)).body;
    await ask(`DELETE ${MESSAGES}/${id}`);
    emulator.importState(before, 'state.json');
    expect((await ask(`POST ${MESSAGES}`, said)).status).toBe(200);
    // A message that is not in the state that is put back was not deleted.
    emulator.importState(before, 'state.json');
    expect((await ask(`POST ${MESSAGES}`, said)).status).toBe(200);
  });
});

describe('the mentions of a message', () => {
  const said = `<@${ids.river}> <@${ids.otter}> @everyone`;

  it.each([
    ['as the text says', {}, [ids.river, ids.otter], true],
    ['nobody', { allowed_mentions: { parse: [] } }, [], false],
    ['one', { allowed_mentions: { users: [ids.otter] } }, [ids.otter], false],
    ['everybody and no more', { allowed_mentions: { parse: ['everyone'] } }, [], true],
  ])('are %s', async (_, more, users, everyone) => {
    const { ask } = await botPlatform();
    const { body } = await ask(`POST ${MESSAGES}`, { content: said, ...more });
    expect(body.mentions.map(({ id }: { id: string }) => id)).toEqual(users);
    expect(body.mention_everyone).toBe(everyone);
  });

  it('of everyone require the permission, and otherwise cause no notification', async () => {
    const { ask, only, emulator } = await botPlatform();
    const told = rpcFeed(emulator).types;
    await only('VIEW_CHANNEL', 'SEND_MESSAGES');
    expect((await ask(`POST ${MESSAGES}`, { content: '@everyone' })).body.mention_everyone).toBe(false);
    expect(told()).not.toContain('NOTIFICATION_CREATE');
  });

  it('include the author of the replied message, unless allowed_mentions excludes the author', async () => {
    const { ask } = await botPlatform();
    const message_reference = { message_id: HIGH };
    const reply = await ask(`POST ${MESSAGES}`, { content: 'x', message_reference });
    expect(reply.body).toMatchObject({
      type: 19,
      mentions: [{ id: ids.heron }],
      message_reference: { type: 0, message_id: HIGH, channel_id: ids.general, guild_id: ids.riverBank },
      referenced_message: { id: HIGH, content: 'The water is high today.' },
    });
    const silent = { content: 'x', message_reference, allowed_mentions: { parse: [] } };
    expect((await ask(`POST ${MESSAGES}`, silent)).body.mentions).toEqual([]);
    await ask(`DELETE ${MESSAGES}/${HIGH}`);
    expect((await ask(`GET ${MESSAGES}/${reply.body.id}`)).body.referenced_message).toBeNull();
    expect(
      (
        await ask(`POST ${MESSAGES}`, {
          content: 'x',
          message_reference: { message_id: HIGH, fail_if_not_exists: false },
        })
      ).body.type,
    ).toBe(0);
  });
});

describe('a forwarded message', () => {
  it('has a snapshot of the original, and retains it after the original is deleted [P-19]', async () => {
    const { ask } = await botPlatform();
    const { body } = await ask(`POST ${MESSAGES}`, { message_reference: { type: 1, message_id: HIGH } });
    expect(body).toMatchObject({
      type: 0,
      content: '',
      flags: 1 << 14,
      message_reference: { type: 1, message_id: HIGH, channel_id: ids.general },
      message_snapshots: [{ message: { content: 'The water is high today.', type: 0 } }],
    });
    expect(body.message_snapshots[0].message).not.toHaveProperty('author');
    await ask(`DELETE ${MESSAGES}/${HIGH}`);
    expect((await ask(`GET ${MESSAGES}/${body.id}`)).body.message_snapshots).toEqual(body.message_snapshots);
    const again = await ask(`POST ${MESSAGES}`, { message_reference: { type: 1, message_id: body.id } });
    expect(again.body.message_snapshots).toEqual(body.message_snapshots);
  });

  it('requires content that the application may read [R-3]', async () => {
    const { refused } = await botPlatform({}, []);
    expect(
      await refused(`POST ${MESSAGES}`, { message_reference: { type: 1, message_id: HIGH } }),
    ).toMatchObject({
      status: 403,
      body: { code: 160014, message: 'You cannot forward a message whose content you cannot read.' },
    });
  });
});

it('message content is hidden without the privileged intent, except in own and mentioning messages [U-10]', async () => {
  const { ask, emulator } = await botPlatform({}, []);
  const own = (await ask(`POST ${MESSAGES}`, { content: 'mine' })).body;
  emulator.messages.send(ids.general, `hey <@${APP}>`, ids.otter);
  const { body } = await ask(`GET ${MESSAGES}`);
  const said = body.map(({ content }: { content: string }) => content);
  expect(own.content).toBe('mine');
  expect(said).toEqual([`hey <@${APP}>`, 'mine', '', '', '']);
});
