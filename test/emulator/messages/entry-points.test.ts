import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/emulator/messages/records.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { APP } from '../../helpers/platform.ts';
import { type UsedPlatform, usedPlatform } from '../../helpers/used-application.ts';

const LOBBY = '700000000000000001';
const THREAD = '9';

/** Writes a text somewhere; resolves to why it was refused, undefined where it was not. */
type Writes = (platform: UsedPlatform, channel: string, content: string) => Promise<string | undefined>;

const refusalOf = ({ status, body }: { status: number; body: { message?: string } }): string | undefined =>
  status < 300 ? undefined : `${status} ${body.message}`;

const caught = async (act: () => unknown): Promise<string | undefined> => {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

const ENTRY_POINTS: Readonly<Record<string, Writes>> = {
  'a bot over HTTP': async ({ ask }, channel, content) =>
    refusalOf(await ask(`POST /channels/${channel}/messages`, { content })),
  'a webhook': async ({ ask, call }, channel, content) => {
    const { body } = await ask(`POST /channels/${ids.general}/webhooks`, { name: 'Gull' });
    const thread = channel === ids.general ? '' : `&thread_id=${channel}`;
    return refusalOf(
      await call(`POST /webhooks/${body.id}/${body.token}?wait=true${thread}`, { json: { content } }),
    );
  },
  'the operation that has a person write': ({ emulator }, channel, content) =>
    caught(() => emulator.messages.send(channel, content, ids.river)),
  'the answer to an interaction': async ({ use, answer }, channel, content) =>
    refusalOf(await answer(use({ channel }), { type: 4, data: { content } }, '?with_response=true')),
  'a follow-up to an interaction': async ({ use, answer, hook }, channel, content) => {
    const used = use({ channel });
    await answer(used, { type: 4, data: { content: 'first', flags: 64 } });
    return refusalOf(await hook(used, 'POST', '', { content }));
  },
};

const IN_LOBBY: Readonly<Record<string, Writes>> = {
  'a game over HTTP': async ({ call, bearer }, _channel, content) =>
    refusalOf(
      await call(`POST /lobbies/${LOBBY}/messages`, {
        headers: await bearer(['lobbies.write']),
        json: { content },
      }),
    ),
  'the operation that has a member of a lobby write': ({ emulator }, _channel, content) =>
    caught(() => emulator.lobbies.send(LOBBY, ids.river, content)),
};

async function platformWith(thread: object = {}): Promise<UsedPlatform> {
  const platform = await usedPlatform();
  await platform.emulator.apply({
    guilds: [
      {
        id: ids.riverBank,
        channels: [{ id: THREAD, name: 'tide', type: 'public_thread', parent: ids.general, thread }],
      },
    ],
    lobbies: [{ id: LOBBY, application: APP, linked_channel: ids.general, members: [{ user: 'river' }] }],
  });
  return platform;
}

function lastIn({ emulator }: UsedPlatform, channel: string): Message {
  return emulator.tables.messages.by('channel', channel).last(1)[0] as Message;
}

/** What differs on purpose: who wrote, and by what. */
const OWN: Readonly<Record<string, object>> = {
  'a bot over HTTP': { author: APP, application: APP },
  'a webhook': { author: null, application: APP, webhook: { name: 'Gull' } },
  'the operation that has a person write': { author: ids.river },
  'the answer to an interaction': {
    author: APP,
    application: APP,
    type: 20,
    interaction: { user: ids.river },
  },
  'a follow-up to an interaction': { author: APP, application: APP, interaction: { user: ids.river } },
  'a game over HTTP': { author: ids.river, application: APP, flags: 65_536 },
  'the operation that has a member of a lobby write': {
    author: ids.river,
    application: APP,
    flags: 65_536,
  },
};

const EVERY = { ...ENTRY_POINTS, ...IN_LOBBY };

describe('a message in a channel', () => {
  it.each(Object.entries(EVERY))('differs only in its author when written by %s', async (name, write) => {
    const platform = await platformWith();
    const { emulator } = platform;
    expect(await write(platform, ids.general, '@heron :shell: high water')).toBeUndefined();
    const { id, timestamp, ...rest } = lastIn(platform, ids.general);
    expect(rest).toMatchObject(OWN[name] ?? {});
    const own = ['author', 'application', 'webhook', 'type', 'flags', 'interaction'];
    const same = Object.fromEntries(Object.entries(rest).filter(([key]) => !own.includes(key)));
    expect(same).toEqual({
      channel: ids.general,
      content: '@heron :shell: high water',
      edited_timestamp: null,
      tts: false,
      pinned: false,
    });
    expect(Date.parse(timestamp)).toBe(emulator.clock.now());
    // The lobby that the channel is linked to says it as well, once.
    expect(emulator.tables.lobby_messages.get(id)).toMatchObject({
      lobby: LOBBY,
      channel: ids.general,
      content: rest.content,
    });
  });

  it.each(Object.entries(EVERY))('that is empty is refused when written by %s', async (name, write) => {
    const platform = await platformWith();
    const before = [...platform.emulator.tables.messages].length;
    expect(await write(platform, ids.general, ' \n ')).toMatch(/empty|is empty/);
    expect([...platform.emulator.tables.messages].length, name).toBe(before);
    expect(platform.emulator.tables.lobby_messages.size).toBe(0);
  });

  it.each(Object.entries(EVERY))(
    'has the plain name of an emoji that its author may not use, when written by %s',
    async (name, write) => {
      const platform = await platformWith();
      expect(await write(platform, ids.general, 'a <:gone:77> gull')).toBeUndefined();
      expect(lastIn(platform, ids.general).content, name).toBe('a :gone: gull');
    },
  );

  it.each(Object.entries(ENTRY_POINTS))('unarchives a thread when written by %s', async (_name, write) => {
    const platform = await platformWith({ archived: true });
    expect(await write(platform, THREAD, 'awake')).toBeUndefined();
    const { tables } = platform.emulator;
    expect(tables.channels.get(THREAD)?.thread?.archived).toBe(false);
    expect(lastIn(platform, THREAD).content).toBe('awake');
  });

  it.each(Object.entries(ENTRY_POINTS).filter(([name]) => name !== 'a webhook'))(
    'is refused in a locked thread without MANAGE_THREADS when written by %s',
    async (_name, write) => {
      const platform = await platformWith({ locked: true });
      await platform.only(
        'VIEW_CHANNEL',
        'SEND_MESSAGES',
        'SEND_MESSAGES_IN_THREADS',
        'READ_MESSAGE_HISTORY',
      );
      await platform.emulator.apply({ guilds: [{ id: ids.riverBank, owner: 'heron' }] });
      expect(await write(platform, THREAD, 'x')).toMatch(/is locked/);
      expect(platform.emulator.tables.messages.by('channel', THREAD).size).toBe(0);
    },
  );
});

describe('the author of a message in a thread', () => {
  it.each([
    ['a bot over HTTP', APP, true],
    ['the operation that has a person write', ids.river, true],
    // Their messages come by a token, as those of webhooks do.
    ['the answer to an interaction', APP, false],
    ['a webhook', APP, false],
  ])('joins the thread unless the message comes by a token: %s', async (name, user, isIn) => {
    const platform = await platformWith();
    await ENTRY_POINTS[name]?.(platform, THREAD, 'x');
    expect(platform.emulator.tables.thread_members.has(THREAD, user)).toBe(isIn);
  });
});

describe('an ephemeral message', () => {
  it('is not checked by AutoMod, neither at creation nor at an edit', async () => {
    const platform = await platformWith();
    const { use, answer, hook, emulator } = platform;
    await platform.only('VIEW_CHANNEL', 'SEND_MESSAGES');
    await emulator.apply({
      guilds: [
        {
          id: ids.riverBank,
          automod_rules: [
            {
              id: '81',
              name: 'No storms',
              trigger_type: 1,
              keyword_filter: ['storm'],
              actions: [{ type: 1 }],
            },
          ],
        },
      ],
    });
    const used = use();
    const json = { type: 4, data: { content: 'a storm', flags: 64 } };
    expect((await answer(used, json)).status).toBe(204);
    expect((await hook(used, 'PATCH', '/messages/@original', { content: 'the storm' })).status).toBe(200);
    expect((await answer(use(), { type: 4, data: { content: 'a storm' } })).body.code).toBe(200_000);
  });
});

describe('a text that a user edits', () => {
  it('follows the rules of a text that a bot edits', async () => {
    const platform = await platformWith();
    const { emulator, ask } = platform;
    const { id } = emulator.messages.send(ids.general, 'one', ids.river);
    emulator.messages.edit(id, 'a <:gone:77> gull');
    expect(emulator.tables.messages.get(id)).toMatchObject({ content: 'a :gone: gull' });
    expect(() => emulator.messages.edit(id, '  ')).toThrow('text: is empty');
    const poll = { question: { text: 'When?' }, answers: [{ poll_media: { text: 'Now' } }], duration: 1 };
    const asked = await ask(`POST /channels/${ids.general}/messages`, { poll });
    expect(() => emulator.messages.edit(asked.body.id, 'x')).toThrow(/poll/);
  });

  it('loses the moderation metadata of the earlier text', async () => {
    const platform = await platformWith();
    const { emulator } = platform;
    const { id } = emulator.messages.send(ids.general, 'one', ids.river);
    await emulator.apply({ messages: [{ id, moderation_metadata: { rating: 'fine' } }] });
    emulator.messages.edit(id, 'two');
    expect(emulator.tables.messages.get(id)).not.toHaveProperty('moderation_metadata');
  });
});

describe('a private message between two users', () => {
  it('is refused by the operation when either user blocks the other, as over HTTP', async () => {
    const { emulator } = await platformWith();
    for (const [of, user] of [
      ['river', 'otter'],
      ['otter', 'river'],
    ]) {
      await emulator.apply({ relationships: [{ of, user, type: 'blocked' }] });
      const before = emulator.exportState();
      expect(() => emulator.messages.sendTo(ids.otter, 'hello', ids.river)).toThrow(/cannot write/);
      expect(emulator.exportState()).toBe(before);
      await emulator.apply({ relationships: [{ of, user, type: 'friend' }] });
    }
  });
});

it('a message has no empty nonce, so that its state can be imported again', async () => {
  const platform = await platformWith();
  await platform.ask(`POST /channels/${ids.general}/messages`, { content: 'x', nonce: '' });
  expect(lastIn(platform, ids.general)).not.toHaveProperty('nonce');
  platform.emulator.importState(platform.emulator.exportState(), 'state.json');
});
