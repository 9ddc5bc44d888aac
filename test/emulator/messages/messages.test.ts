import { expect, it } from 'vitest';
import { fragments, mentionsEveryone } from '../../../src/emulator/messages/mentions.ts';
import { emulatorWorld, ids } from '../../helpers/emulator-world.ts';
import { worldOf } from '../../helpers/patched.ts';
import { rpcWorld } from '../../helpers/rpc-feed.ts';

it('messages are written, edited and deleted, each with an event', async () => {
  const { emulator, clock, types } = await rpcWorld();
  const message = emulator.messages.send(ids.general, 'hello', ids.otter);
  expect(message).toMatchObject({
    channel: ids.general,
    author: ids.otter,
    timestamp: new Date(clock.now()).toISOString(),
    edited_timestamp: null,
  });
  expect(emulator.messages.of(ids.general).at(-1)).toEqual(message);
  clock.advance(1000);
  expect(emulator.messages.edit(message.id, 'bye')).toMatchObject({
    content: 'bye',
    edited_timestamp: new Date(clock.now()).toISOString(),
  });
  emulator.messages.remove(message.id);
  expect(types()).toEqual(['MESSAGE_CREATE', 'MESSAGE_UPDATE', 'MESSAGE_DELETE']);
  expect(() => emulator.messages.remove(message.id)).toThrow(/no message/);
});

it('messages are listed up to the last 50 of their channel', async () => {
  const { emulator } = await emulatorWorld();
  for (let i = 0; i < 60; i++) emulator.messages.send(ids.arrivals, `m${i}`, ids.otter);
  const at = emulator.messages.of(ids.arrivals).map(({ content }) => content);
  expect(at).toHaveLength(50);
  expect(at[0]).toBe('m10');
  expect(at.at(-1)).toBe('m59');
  expect(new Set(emulator.toFixture().messages.map(({ id }) => id)).size).toBe(64);
});

it.each([
  [ids.lounge, 'x', ids.otter, /takes no messages/],
  ['1', 'x', ids.otter, /no such channel/],
  [ids.general, 'x', '1', /no such user/],
  [ids.general, '', ids.otter, /1 to 4000/],
  [ids.general, 'x'.repeat(4001), ids.otter, /1 to 4000/],
])('messages are refused in %s: %j', async (channel, content, author, reason) => {
  const { emulator, types } = await rpcWorld();
  expect(() => emulator.messages.send(channel, content, author)).toThrow(reason);
  expect(types()).toEqual([]);
});

it.each([
  ['a mention', `hey <@${ids.river}>!`, true],
  ['an old mention', `<@!${ids.river}>`, true],
  ['everyone', 'now @everyone', true],
  ['here', '@here', true],
  ['an address', 'mail me@here.test', false],
  ['another user', `<@${ids.heron}>`, false],
  ['nobody', 'hello', false],
])('messages notify of %s: %j %s', async (_, content, expected) => {
  const { emulator, types } = await rpcWorld();
  emulator.messages.send(ids.general, content, ids.otter);
  expect(types().includes('NOTIFICATION_CREATE')).toBe(expected);
});

it('messages of the user, of a blocked user and in a hidden channel do not notify', async () => {
  const { emulator, types } = await rpcWorld({
    relationships: [{ user: 'otter', type: 'blocked' }],
    guilds: [{ id: ids.harbour, channels: [{ id: ids.arrivals, nsfw: true }] }],
  });
  emulator.messages.send(ids.general, '@everyone', ids.river);
  emulator.messages.send(ids.general, '@everyone', ids.otter);
  emulator.messages.send(ids.hidden, '@everyone', ids.heron);
  emulator.messages.send(ids.arrivals, '@everyone', ids.heron);
  expect(types()).toEqual(['MESSAGE_CREATE', 'MESSAGE_CREATE']);
});

it('messages are split at the users that they mention', () => {
  const { tables } = worldOf();
  expect(fragments(tables, `a <@${ids.otter}><@1> b`)).toMatchObject([
    { kind: 'text', text: 'a ' },
    { kind: 'mention', user: { username: 'otter' } },
    { kind: 'text', text: '<@1> b' },
  ]);
  expect(fragments(tables, '')).toEqual([]);
  expect(mentionsEveryone('x@everyone')).toBe(false);
});
