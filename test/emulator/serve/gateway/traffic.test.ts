import { describe, expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayClient } from '../../../helpers/gateway-client.ts';
import type { GatewayPayload } from '../../../helpers/gateway-connection.ts';
import { names, told } from '../../../helpers/gateway-told.ts';
import { APP } from '../../../helpers/platform.ts';

const GENERAL = `/channels/${ids.general}`;
const BITS = {
  guilds: 1,
  voice: 1 << 7,
  presences: 1 << 8,
  messages: 1 << 9,
  reactions: 1 << 10,
  typing: 1 << 11,
  direct: 1 << 12,
  directReactions: 1 << 13,
  directTyping: 1 << 14,
  content: 1 << 15,
  polls: 1 << 24,
  directPolls: 1 << 25,
} as const;
const ALL = Object.values(BITS).reduce((bits, bit) => bits | bit, 0);

/** A platform with a bot that listens, and may listen once more with other intents. */
async function listening(change: object = {}, intents: number = ALL) {
  const platform = await botPlatform(change, ['message_content', 'guild_presences']);
  const { authorization } = platform.bot();
  const open = async (bits: number): Promise<GatewayClient> => {
    const client = new GatewayClient(platform.url);
    await client.identify(authorization.slice('Bot '.length), { intents: bits });
    await told(client);
    return client;
  };
  const done = async (what: string, json?: unknown) => {
    const { status, body } = await platform.ask(what, json);
    if (status >= 400) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  return { ...platform, open, done, client: await open(intents) };
}

const last = (events: readonly GatewayPayload[], name: string) => events.findLast(({ t }) => t === name)?.d;

it('messages are sent when they are written, changed, pinned and deleted [W-2]', async () => {
  const { client, done, emulator } = await listening();
  const written = await done(`POST ${GENERAL}/messages`, { content: `for <@${ids.otter}>`, nonce: '7' });
  const [create] = await told(client);
  expect(create).toMatchObject({ t: 'MESSAGE_CREATE' });
  // The same as the answer, with what only the gateway tells.
  const { mentions, ...answer } = written;
  expect(create?.d).toMatchObject({ ...answer, guild_id: ids.riverBank, channel_type: 0, nonce: '7' });
  expect(create?.d.member).toMatchObject({ roles: [], nick: null });
  expect(create?.d.member).not.toHaveProperty('user');
  expect(create?.d.mentions).toMatchObject([{ ...mentions[0], member: { nick: null } }]);

  await done(`PATCH ${GENERAL}/messages/${written.id}`, { content: 'changed' });
  expect(await told(client)).toMatchObject([
    { t: 'MESSAGE_UPDATE', d: { id: written.id, content: 'changed' } },
  ]);
  await done(`PUT ${GENERAL}/messages/pins/${written.id}`);
  const pinned = await told(client);
  expect(pinned.map(({ t }) => t)).toEqual(['MESSAGE_CREATE', 'MESSAGE_UPDATE', 'CHANNEL_PINS_UPDATE']);
  expect(last(pinned, 'CHANNEL_PINS_UPDATE')).toEqual({
    channel_id: ids.general,
    guild_id: ids.riverBank,
    last_pin_timestamp: expect.any(String),
  });
  await done(`POST ${GENERAL}/messages/${written.id}/threads`, { name: 'on that' });
  expect(last(await told(client), 'MESSAGE_UPDATE')).toMatchObject({
    id: written.id,
    flags: 1 << 5,
    thread: { id: written.id, name: 'on that' },
  });
  await done(`DELETE ${GENERAL}/messages/${written.id}`);
  expect(last(await told(client), 'MESSAGE_DELETE')).toEqual({
    id: written.id,
    channel_id: ids.general,
    guild_id: ids.riverBank,
  });
  const two = [
    emulator.messages.send(ids.general, 'one', ids.otter),
    emulator.messages.send(ids.general, 'two', ids.heron),
  ];
  expect(await names(client)).toEqual(['MESSAGE_CREATE', 'MESSAGE_CREATE']);
  await done(`POST ${GENERAL}/messages/bulk-delete`, { messages: two.map(({ id }) => id) });
  expect(await told(client)).toMatchObject([
    { t: 'MESSAGE_DELETE_BULK', d: { ids: two.map(({ id }) => id), channel_id: ids.general } },
  ]);
  // With its channel it goes without a word of its own.
  await emulator.apply({ guilds: [{ id: ids.riverBank, channels: [{ id: ids.general, remove: true }] }] });
  expect(await names(client)).not.toContain('MESSAGE_DELETE_BULK');
});

describe('the content of a message', () => {
  const without = ALL & ~BITS.content;

  it('is empty without MESSAGE_CONTENT, except in own, private and mentioning messages [W-2, U-10]', async () => {
    const { open, done, emulator, client } = await listening();
    const blind = await open(without);
    const poll = { question: { text: 'When?' }, answers: [{ poll_media: { text: 'now' } }] };
    const own = await done(`POST ${GENERAL}/messages`, { content: 'mine', poll });
    expect((await told(blind)).map(({ d }) => [d.content, d.poll === undefined])).toEqual([['mine', false]]);
    const embeds = [{ type: 'rich', title: 'seen' }];
    await emulator.apply({
      messages: [
        { id: '91', channel: ids.general, author: 'otter', content: 'all of it', embeds },
        { id: '92', channel: ids.general, author: 'otter', content: `to <@${APP}>`, embeds },
      ],
    });
    expect((await told(blind)).map(({ d }) => [d.content, d.embeds.length, d.components])).toEqual([
      ['', 0, []],
      [`to <@${APP}>`, 1, []],
    ]);
    expect((await told(client)).map(({ d }) => d.content)).toEqual(['mine', 'all of it', `to <@${APP}>`]);
    emulator.messages.sendTo(APP, 'between us', ids.otter);
    const [direct] = await told(blind);
    expect(direct?.d).toMatchObject({ content: 'between us', channel_type: 1 });
    expect(direct?.d).not.toHaveProperty('guild_id');
    await done(`DELETE ${GENERAL}/messages/${own.id}`);
    expect(await names(blind)).toEqual(['MESSAGE_DELETE']);
  });

  it('is sent by the intents of its kind of channel, and only for visible channels [W-2]', async () => {
    const { open, emulator } = await listening();
    const [guild, direct] = [await open(BITS.messages), await open(BITS.direct)];
    emulator.messages.send(ids.general, 'here', ids.otter);
    emulator.messages.sendTo(APP, 'there', ids.otter);
    expect((await told(guild)).map(({ d }) => d.channel_type)).toEqual([0]);
    expect((await told(direct)).map(({ d }) => d.channel_type)).toEqual([1]);
    await emulator.apply({ guilds: [{ id: ids.riverBank, channels: [{ id: ids.general, deny: [APP] }] }] });
    emulator.messages.send(ids.general, 'unseen', ids.otter);
    expect(await names(guild)).toEqual([]);
  });
});

it('reactions that are added, removed and cleared are sent, each in its own event [W-2]', async () => {
  const { client, done, emulator } = await listening();
  const { id } = emulator.messages.send(ids.general, 'look', ids.otter);
  await told(client);
  const react = (user: string, emoji: string, more: object = {}) =>
    emulator.apply({ reactions: [{ message: id, emoji, user, ...more }] });
  await react('heron', '🛶');
  const [add] = await told(client);
  expect(add).toMatchObject({
    t: 'MESSAGE_REACTION_ADD',
    d: {
      user_id: ids.heron,
      channel_id: ids.general,
      message_id: id,
      guild_id: ids.riverBank,
      emoji: { id: null, name: '🛶' },
      message_author_id: ids.otter,
      member: { user: { id: ids.heron } },
      burst: false,
      type: 0,
    },
  });
  await react('heron', '🛶', { remove: true });
  expect(await names(client)).toEqual(['MESSAGE_REACTION_REMOVE']);
  const place = `${GENERAL}/messages/${id}/reactions`;
  await react('heron', '🛶');
  await done(`DELETE ${place}/${encodeURIComponent('🛶')}`);
  await react('heron', '🛶');
  await done(`DELETE ${place}`);
  const events = await told(client);
  expect(events.map(({ t }) => t)).toEqual([
    'MESSAGE_REACTION_ADD',
    'MESSAGE_REACTION_REMOVE_EMOJI',
    'MESSAGE_REACTION_ADD',
    'MESSAGE_REACTION_REMOVE_ALL',
  ]);
  expect(last(events, 'MESSAGE_REACTION_REMOVE_ALL')).toEqual({
    channel_id: ids.general,
    guild_id: ids.riverBank,
    message_id: id,
  });
  await react('otter', '🛶');
  await told(client);
  await done(`DELETE ${GENERAL}/messages/${id}`);
  expect(await names(client)).toEqual(['MESSAGE_DELETE']);
});

it('votes and typing are sent by the intents of guilds and of private channels [W-2]', async () => {
  const { client, open, done, emulator } = await listening();
  const direct = await open(BITS.directTyping | BITS.directPolls);
  const poll = { question: { text: 'When?' }, answers: [{ poll_media: { text: 'now' } }] };
  const { id } = await done(`POST ${GENERAL}/messages`, { poll });
  await told(client);
  emulator.polls.vote(id, ids.otter, ['1']);
  emulator.polls.vote(id, ids.otter, []);
  const vote = {
    user_id: ids.otter,
    channel_id: ids.general,
    message_id: id,
    guild_id: ids.riverBank,
    answer_id: 1,
  };
  expect((await told(client)).map(({ t, d }) => [t, d])).toEqual([
    ['MESSAGE_POLL_VOTE_ADD', vote],
    ['MESSAGE_POLL_VOTE_REMOVE', vote],
  ]);
  await done(`POST ${GENERAL}/typing`);
  expect(await told(client)).toMatchObject([
    { t: 'TYPING_START', d: { user_id: APP, channel_id: ids.general, member: { user: { id: APP } } } },
  ]);
  const dm = await done('POST /users/@me/channels', { recipient_id: ids.otter });
  await done(`POST /channels/${dm.id}/typing`);
  const [typing, ...more] = await told(direct);
  expect(more).toEqual([]);
  expect(typing?.d).toEqual({ channel_id: dm.id, user_id: APP, timestamp: expect.any(Number) });
});

it('calls are sent with their state, status and start time [V-9, V-10]', async () => {
  const { client, done, emulator } = await listening();
  emulator.calls.join(ids.otter, ids.lounge);
  const came = await told(client);
  expect(last(came, 'VOICE_STATE_UPDATE')).toMatchObject({
    channel_id: ids.lounge,
    guild_id: ids.riverBank,
    user_id: ids.otter,
    member: { user: { id: ids.otter } },
    self_mute: false,
  });
  const since = last(came, 'VOICE_CHANNEL_START_TIME_UPDATE');
  expect(since).toEqual({ id: ids.lounge, guild_id: ids.riverBank, voice_start_time: expect.any(Number) });
  expect(Math.abs(since.voice_start_time - emulator.clock.now() / 1000)).toBeLessThan(60);
  expect(came.map(({ t }) => t)).not.toContain('VOICE_SERVER_UPDATE');
  // Speaking is for voice servers to tell.
  emulator.calls.speak(ids.otter, true);
  expect(await names(client)).toEqual([]);
  await done(`PUT /channels/${ids.lounge}/voice-status`, { status: 'Nets' });
  expect(last(await told(client), 'VOICE_CHANNEL_STATUS_UPDATE')).toEqual({
    id: ids.lounge,
    guild_id: ids.riverBank,
    status: 'Nets',
  });
  await done(`PUT /channels/${ids.lounge}/voice-status`, { status: null });
  expect(last(await told(client), 'VOICE_CHANNEL_STATUS_UPDATE').status).toBeNull();
  emulator.calls.leave(ids.otter);
  const left = await told(client);
  expect(last(left, 'VOICE_STATE_UPDATE')).toMatchObject({ channel_id: null, user_id: ids.otter });
  expect(last(left, 'VOICE_CHANNEL_START_TIME_UPDATE').voice_start_time).toBeNull();
  // A bot that comes is told where it would be heard: nowhere.
  emulator.calls.join(APP, ids.lounge);
  expect(last(await told(client), 'VOICE_SERVER_UPDATE')).toEqual({
    token: expect.any(String),
    guild_id: ids.riverBank,
    endpoint: null,
  });
  await emulator.apply({
    soundboard_sounds: [{ id: '77', name: 'bell', guild: ids.riverBank, emoji_name: '🔔' }],
  });
  await told(client);
  await done(`POST /channels/${ids.lounge}/send-soundboard-sound`, { sound_id: '77' });
  expect(await told(client)).toMatchObject([
    { t: 'VOICE_CHANNEL_EFFECT_SEND', d: { sound_id: '77', user_id: APP, emoji: { id: null, name: '🔔' } } },
  ]);
});

it('purchases of an application and changes of its account are sent to its bot', async () => {
  const { client, done, emulator } = await listening({
    skus: [
      { id: '81', name: 'Pass', type: 5, application: APP },
      { id: '82', name: 'Other', application: ids.lighthouse },
    ],
  });
  const started = emulator.store.subscriptions.start(ids.otter, '81', null);
  const events = await told(client);
  expect(events.map(({ t }) => t)).toEqual(['ENTITLEMENT_CREATE', 'SUBSCRIPTION_CREATE']);
  expect(last(events, 'SUBSCRIPTION_CREATE')).toMatchObject({
    id: started.id,
    user_id: ids.otter,
    status: 0,
  });
  emulator.store.subscriptions.set(started.id, 'inactive');
  expect(await names(client)).toEqual(['ENTITLEMENT_UPDATE', 'SUBSCRIPTION_UPDATE']);
  await emulator.apply({ entitlements: [{ id: '83', sku: '82', application: ids.lighthouse }] });
  expect(await names(client)).toEqual([]);
  await emulator.apply({ entitlements: [{ id: started.entitlements[0], remove: true }] });
  expect(await names(client)).toContain('ENTITLEMENT_DELETE');
  await done('PATCH /users/@me', { username: 'tender' });
  expect(last(await told(client), 'USER_UPDATE')).toMatchObject({ id: APP, username: 'tender' });
});
