import { afterEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { commitEvents, signalEvents } from '../../../src/core/emulator/events.ts';
import type { Committed } from '../../../src/emulator/api/world.ts';
import { type EventName, events, findEvent } from '../../../src/protocol/registry.ts';
import { allScopes, emulatorBridge } from '../../helpers/emulator-bridge.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { rpcFeed, rpcWorld } from '../../helpers/rpc-feed.ts';

/** Events that operations send themselves: they follow from no commit and no signal. */
const DIRECT: readonly EventName[] = [
  'ACTIVITY_JOIN',
  'ACTIVITY_SPECTATE',
  'AUTHORIZE_REQUEST',
  'GAME_JOIN',
  'GAME_SPECTATE',
];

const served = (Object.keys(events) as EventName[]).filter((name) => {
  const event = findEvent(name);
  return event?.kind !== 'unsubscribable' && event?.refusal === undefined;
});

afterEach(() => void vi.restoreAllMocks());

/** Which derivations have run since the last call, by their first event, with the commits that they were given. */
function watchDerivations() {
  const spies: [EventName, readonly string[], MockInstance][] = [...commitEvents].map((declared) => [
    declared.events[0] as EventName,
    declared.tables,
    vi.spyOn(declared, 'derive'),
  ]);
  return {
    ran: () => {
      const names = spies.flatMap(([name, , spy]) => spy.mock.calls.map(() => name));
      for (const [, , spy] of spies) spy.mockClear();
      return names;
    },
    /** Those that were given a commit that touches none of their tables. */
    vain: () =>
      spies.flatMap(([name, tables, spy]) =>
        spy.mock.calls
          .filter(([commit]) => !(commit as Committed).touches(...(tables as ['users'])))
          .map(() => name),
      ),
  };
}

describe('the declared events', () => {
  it('are all served events that no operation sends itself', () => {
    const declared = [...commitEvents, ...signalEvents].flatMap((one) => one.events);
    expect([...new Set(declared)].sort()).toEqual(served.filter((name) => !DIRECT.includes(name)).sort());
  });
  it('follow from one or more tables each', () => {
    for (const { tables } of commitEvents) expect(tables.length).toBeGreaterThan(0);
  });
});

describe('a derivation', () => {
  it('does not run for a commit that touches none of its tables', async () => {
    const { emulator } = await rpcWorld();
    const derivations = watchDerivations();
    emulator.setVoice('mute', 'on');
    expect(derivations.ran()).toEqual(['VOICE_SETTINGS_UPDATE']);
    emulator.client.setOverlay({ pid: 4242, enabled: true, locked: true });
    expect(derivations.ran()).toEqual(['OVERLAY_UPDATE']);
    emulator.store.buy('7', '8');
    expect(derivations.ran()).toEqual(['ENTITLEMENT_CREATE']);
    await emulator.apply({ soundboard_sounds: [{ id: '1', name: 'plop' }] });
    expect(derivations.ran()).toEqual([]);
    emulator.calls.join(ids.otter, ids.quay);
    await emulator.apply({ users: [{ id: ids.otter, global_name: 'x' }], me: 'otter' });
    emulator.reset();
    expect(derivations.vain()).toEqual([]);
    expect(derivations.ran()).toContain('CURRENT_USER_UPDATE');
  });

  it('runs only while an app is subscribed to one of its events', async () => {
    const bridge = await emulatorBridge();
    const derivations = watchDerivations();
    const set = (value: boolean) => bridge.run('voice.set', { key: 'mute', value });
    await set(true);
    const app = await bridge.app({ scopes: allScopes });
    await set(false);
    expect(derivations.ran()).toEqual([]);
    await app.subscribe('MESSAGE_CREATE', { channel_id: ids.general });
    await set(true);
    expect(derivations.ran()).toEqual([]);
    await app.subscribe('VOICE_SETTINGS_UPDATE');
    await app.rest();
    await set(false);
    expect(derivations.ran()).toEqual(['VOICE_SETTINGS_UPDATE']);
    await app.rest();
    await app.call('UNSUBSCRIBE', {}, { evt: 'VOICE_SETTINGS_UPDATE' });
    await set(true);
    expect(derivations.ran()).toEqual([]);
    await bridge.run('channel.say', { channel: 'general', text: 'hello', author: 'otter' });
    expect(derivations.ran()).toEqual(['MESSAGE_DELETE']);
  });

  it('does not run after the subscribed apps have disconnected', async () => {
    const bridge = await emulatorBridge();
    const [first, second] = [
      await bridge.app({ scopes: ['rpc.voice.read'] }),
      await bridge.app({ scopes: ['rpc.voice.read'] }),
    ];
    for (const app of [first, second]) await app.subscribe('VOICE_SETTINGS_UPDATE');
    first.end();
    await second.rest();
    const derivations = watchDerivations();
    await bridge.run('voice.set', { key: 'mute', value: true });
    expect(derivations.ran()).toEqual(['VOICE_SETTINGS_UPDATE']);
    second.end();
    await vi.waitFor(() => expect(bridge.server.sessions()).toHaveLength(0));
    await bridge.run('voice.set', { key: 'mute', value: false });
    expect(derivations.ran()).toEqual([]);
  });

  it('computes data only for events with a subscriber', async () => {
    const { emulator } = await rpcWorld();
    const fragments = vi.spyOn(emulator.messages, 'fragments');
    const all = rpcFeed(emulator, (event) => event === 'MESSAGE_DELETE');
    fragments.mockClear();
    const { id } = emulator.messages.send(ids.general, `<@${ids.river}>`, ids.otter);
    // Twice by the app that is subscribed to everything: the message, and its notification.
    expect(fragments).toHaveBeenCalledTimes(2);
    emulator.messages.remove(id);
    expect(all.types()).toEqual(['MESSAGE_DELETE']);
  });
});

describe('the events of one commit', () => {
  it('are ordered: users, guilds, channels, voice, members, messages, relationships, client', async () => {
    const { emulator, types } = await rpcWorld({ voice_states: [{ user: 'otter', channel: ids.quay }] });
    await emulator.apply({
      client: { pip_mode: true, video_active: true },
      overlays: [{ pid: 4242, enabled: true }],
      relationships: [{ user: 'otter', type: 'friend' }],
      messages: [
        { id: '600000000000000001', content: 'x' },
        { id: '9', channel: ids.general, author: 'otter', content: `<@${ids.river}>` },
      ],
      voice: { qos: true },
      users: [
        { id: ids.heron, global_name: 'x' },
        { id: ids.river, global_name: 'x' },
      ],
      guilds: [
        { id: ids.riverBank, name: 'x', members: [{ user: 'river', nick: 'x' }] },
        { id: ids.harbour, channels: [{ id: '92', name: 'd', type: 'text' }] },
      ],
      entitlements: [{ id: '9', sku: '700000000000000002', application: ids.harbourExample }],
      participants: [{ application: ids.harbourExample, user: 'otter' }],
    });
    expect(types()).toEqual([
      'CURRENT_USER_UPDATE',
      'RELATIONSHIP_UPDATE',
      'VOICE_STATE_UPDATE',
      'GUILD_STATUS',
      'CHANNEL_CREATE',
      'VOICE_SETTINGS_UPDATE',
      'CURRENT_GUILD_MEMBER_UPDATE',
      'MESSAGE_UPDATE',
      'MESSAGE_CREATE',
      'NOTIFICATION_CREATE',
      'RELATIONSHIP_UPDATE',
      'ENTITLEMENT_CREATE',
      'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE',
      'OVERLAY_UPDATE',
      'VIDEO_STATE_UPDATE',
      'ACTIVITY_PIP_MODE_UPDATE',
    ]);
  });

  it('of a call are ordered: leaving, the own channel, joining, speaking', async () => {
    const { emulator, sent } = await rpcWorld({
      voice_states: [
        { user: 'otter', channel: ids.quay, speaking: true },
        { user: 'river', channel: ids.quay },
      ],
    });
    await emulator.apply({
      voice_states: [
        { user: 'otter', channel: ids.lounge, speaking: true },
        { user: 'river', channel: ids.lounge },
        { user: 'heron', deaf: true },
      ],
    });
    expect(sent().map(({ event }) => event)).toEqual([
      'SPEAKING_STOP',
      'VOICE_STATE_DELETE',
      'VOICE_STATE_DELETE',
      'VOICE_CHANNEL_SELECT',
      'VOICE_STATE_CREATE',
      'VOICE_SESSION_PARTICIPANTS_UPDATE',
      'VOICE_STATE_CREATE',
      'VOICE_SESSION_PARTICIPANTS_UPDATE',
      'VOICE_STATE_UPDATE',
      'SPEAKING_START',
      'VOICE_SESSION_SPEAKING_START',
      ...Array(5).fill('VOICE_CONNECTION_STATUS'),
    ]);
  });

  it('contain the state after the commit, despite changes that a listener makes because of it', async () => {
    const { emulator, sent } = await rpcWorld();
    emulator.subscribe(
      { tables: ['voice'], derive: (commit) => commit.of('voice').updated },
      ({ after }) => void (after.deaf || emulator.setVoiceSettings({ deaf: true })),
      { name: 'a test', recover: () => {} },
    );
    emulator.setVoice('mute', 'on');
    expect(sent().map(({ data }) => data)).toMatchObject([
      { mute: true, deaf: false },
      { mute: true, deaf: true },
    ]);
  });
});
