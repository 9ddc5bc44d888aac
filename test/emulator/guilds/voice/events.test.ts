import { describe, expect, it } from 'vitest';
import { declaredOperation } from '../../../helpers/declared-result.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { listeningBot } from '../../../helpers/gateway-listener.ts';
import { APP } from '../../../helpers/platform.ts';

const DECK = '91';

/** A guild with two voice channels and nobody in them, of which the bot hears. */
async function quiet() {
  const bot = await listeningBot();
  const { emulator, guild, heard } = bot;
  await bot.only('VIEW_CHANNEL', 'CONNECT', 'SPEAK');
  await guild({ channels: [{ id: DECK, name: 'deck', type: 'voice' }] });
  for (const user of [ids.river, ids.heron, ids.otter]) emulator.calls.leave(user);
  heard();
  /** Events of calls since the last time. */
  const told = () =>
    heard()
      .filter(({ event }) => event.startsWith('VOICE_'))
      .map(({ event, data }) => [event.slice(6), data] as const);
  const names = () => told().map(([name]) => name);
  const start = (channel: string) => emulator.tables.channels.get(channel)?.voice_start_time;
  return { ...bot, told, names, start };
}

describe('the gateway events of calls', () => {
  it('follow a user who joins, changes and leaves, and not who speaks', async () => {
    const { emulator, told, apply } = await quiet();
    emulator.calls.join(ids.otter, DECK);
    expect(told()).toMatchObject([
      ['STATE_UPDATE', { user_id: ids.otter, channel_id: DECK, guild_id: ids.riverBank, mute: false }],
      ['CHANNEL_START_TIME_UPDATE', { id: DECK, voice_start_time: expect.any(Number) }],
    ]);
    emulator.calls.speak(ids.otter, true);
    expect(told()).toEqual([]);
    for (const change of [
      { mute: true },
      { deaf: true },
      { self_mute: true },
      { self_deaf: true },
      { suppress: true },
    ]) {
      await apply({ voice_states: [{ user: 'otter', ...change }] });
      expect(told()).toMatchObject([['STATE_UPDATE', { user_id: ids.otter, ...change }]]);
    }
    await apply({ voice_states: [{ user: 'otter', request_to_speak: '2026-01-01T00:00:00Z' }] });
    expect(told()).toMatchObject([
      ['STATE_UPDATE', { request_to_speak_timestamp: '2026-01-01T00:00:00.000000+00:00' }],
    ]);
    await apply({ voice_states: [{ user: 'otter', nick: 'Lontra' }] });
    expect(told()).toEqual([]);
    emulator.calls.leave(ids.otter);
    expect(told()).toMatchObject([
      [
        'STATE_UPDATE',
        { user_id: ids.otter, channel_id: null, suppress: false, request_to_speak_timestamp: null },
      ],
      ['CHANNEL_START_TIME_UPDATE', { id: DECK, voice_start_time: null }],
    ]);
  });

  it('tell both guilds of a user who moves between them', async () => {
    const { emulator, told, apply } = await quiet();
    await apply({ guilds: [{ id: ids.harbour, members: [{ user: APP }] }] });
    emulator.calls.join(ids.river, DECK);
    told();
    emulator.calls.join(ids.river, ids.quay);
    expect(told().filter(([name]) => name === 'STATE_UPDATE')).toMatchObject([
      ['STATE_UPDATE', { guild_id: ids.riverBank, channel_id: null }],
      ['STATE_UPDATE', { guild_id: ids.harbour, channel_id: ids.quay }],
    ]);
  });

  it('name no server to anybody but a bot that joins', async () => {
    const { emulator, told, names } = await quiet();
    emulator.calls.join(APP, DECK);
    expect(told()).toContainEqual([
      'SERVER_UPDATE',
      { token: `emulator.voice.${APP}`, guild_id: ids.riverBank, endpoint: null },
    ]);
    emulator.calls.join(APP, ids.lounge);
    expect(names()).not.toContain('SERVER_UPDATE');
    emulator.calls.join(ids.heron, ids.lounge);
    expect(names()).not.toContain('SERVER_UPDATE');
  });

  it('tell of the video and the stream of the logged-in user, and of nothing else of the client', async () => {
    const { emulator, told, names, apply } = await quiet();
    await apply({ client: { video_active: true } });
    expect(names()).toEqual([]);
    emulator.calls.join(ids.river, DECK);
    told();
    await apply({ client: { video_active: false } });
    expect(told()).toMatchObject([['STATE_UPDATE', { user_id: ids.river, self_video: false }]]);
    await apply({ client: { screenshare: { active: true } } });
    expect(told()).toMatchObject([['STATE_UPDATE', { user_id: ids.river, self_stream: true }]]);
    emulator.client.set({ network: 'down' });
    expect(names()).toEqual([]);
  });

  it('tell nothing of a user or a guild that is removed', async () => {
    const { emulator, names, apply } = await quiet();
    emulator.calls.join(ids.otter, DECK);
    names();
    await apply({ users: [{ id: ids.otter, remove: true }] });
    expect(names()).not.toContain('STATE_UPDATE');
    emulator.calls.join(ids.heron, DECK);
    names();
    await apply({ guilds: [{ id: ids.riverBank, remove: true }] });
    expect(names()).toEqual([]);
  });

  it('state since when a channel is used, whoever comes and goes meanwhile', async () => {
    const { emulator, start } = await quiet();
    emulator.clock.freeze();
    emulator.calls.join(ids.otter, DECK);
    const first = start(DECK);
    expect(first).toBe(new Date(emulator.clock.now()).toISOString());
    emulator.clock.advance(5000);
    emulator.calls.join(ids.heron, DECK);
    emulator.calls.leave(ids.otter);
    expect(start(DECK)).toBe(first);
    emulator.calls.join(ids.heron, ids.lounge);
    expect([start(DECK), start(ids.lounge)]).toEqual([
      undefined,
      new Date(emulator.clock.now()).toISOString(),
    ]);
    emulator.calls.leave(ids.heron);
    expect(start(ids.lounge)).toBeUndefined();
  });
});

it('the logged-in user leaves the call when the client logs out, and nobody else does', async () => {
  const { emulator, apply } = await quiet();
  emulator.calls.join(ids.river, DECK);
  emulator.calls.join(ids.otter, DECK);
  await apply({ client: { logged_in: false } });
  expect([...emulator.tables.voice_states.by('channel', DECK)].map(({ user }) => user)).toEqual([ids.otter]);
});

it('operations on calls say what they did', () => {
  const text = (name: string, result: object) =>
    declaredOperation(name).command?.resultText(result as never, {} as never);
  expect(
    text('voice.get', {
      mute: true,
      mode: { type: 'VOICE_ACTIVITY', shortcut: [{ code: 1 }] },
      input: { volume: 55 },
    }),
  ).toEqual([
    ['KEY', 'VALUE'],
    ['mute', 'true'],
    ['mode.type', 'VOICE_ACTIVITY'],
    ['mode.shortcut', '[{"code":1}]'],
    ['input.volume', '55'],
  ]);
  expect(text('voice.set', {})).toBe('Done.');
  expect(text('voice.join', { user: 'otter', channel: 'deck' })).toBe('otter is in deck.');
  expect(text('voice.leave', { user: 'otter', left: true })).toBe('otter has left.');
  expect(text('voice.leave', { user: 'otter', left: false })).toBe('otter was in no voice channel.');
  expect(text('voice.speak', { user: 'otter', speaking: true })).toBe('otter speaks.');
  expect(text('voice.speak', { user: 'otter', speaking: false })).toBe('otter is silent.');
  expect(text('voice.network', { network: 'up', connection: 'connected' })).toBe(
    'The network is up; the voice connection is connected.',
  );
});
