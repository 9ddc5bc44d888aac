import { describe, expect, it } from 'vitest';
import { type EventName, events, findEvent } from '../../../src/protocol/registry.ts';
import type { AppPeer } from '../../helpers/app-peer.ts';
import { allScopes, type EmulatorBridge, emulatorBridge, eventsOf } from '../../helpers/emulator-bridge.ts';
import { ids } from '../../helpers/emulator-world.ts';

/** How a person or a test makes an event happen, and what is to come of it. */
interface Cause {
  /** Before anybody subscribes. */
  readonly before?: (bridge: EmulatorBridge, app: AppPeer) => Promise<unknown>;
  readonly cause: (bridge: EmulatorBridge) => Promise<unknown>;
  /** Arguments of SUBSCRIBE, and others that the event does not match. */
  readonly args?: object;
  readonly otherArgs?: object;
  /** The event is for apps that are not linked yet. */
  readonly unlinked?: true;
  /** The event concerns one application. */
  readonly ofApplication?: true;
  /** Parts of the data of each dispatch that must come, in order. */
  readonly expected: readonly unknown[];
}

const apply = (patch: object) => (bridge: EmulatorBridge) => bridge.run('emulator.apply', { patch });
const run =
  (operation: string, args: object = {}) =>
  (bridge: EmulatorBridge) =>
    bridge.run(operation, args);

const ofGuild = { args: { guild_id: ids.riverBank }, otherArgs: { guild_id: ids.harbour } };
const ofGeneral = { args: { channel_id: ids.general }, otherArgs: { channel_id: ids.arrivals } };
const ofQuay = { args: { channel_id: ids.quay }, otherArgs: { channel_id: ids.lounge } };
const otterJoinsQuay = run('voice.join', { user: 'otter', channel: 'Quay' });
const otter = { user: { username: 'otter' } };
const joinable = (_: EmulatorBridge, app: AppPeer) =>
  app.call('SET_ACTIVITY', {
    pid: 1,
    activity: { party: { id: 'the-party' }, secrets: { join: 'let-me-in', spectate: 'let-me-watch' } },
  });
const harbourExample = { app: 'Harbour Example' };

const causes: { readonly [E in EventName]?: Cause } = {
  ACTIVITY_INVITE: {
    ofApplication: true,
    cause: run('activity.invite', { user: 'otter', ...harbourExample }),
    expected: [{ type: 1, ...otter, activity: { application_id: ids.harbourExample } }],
  },
  ACTIVITY_JOIN: {
    ofApplication: true,
    before: joinable,
    cause: run('activity.join', harbourExample),
    expected: [{ secret: 'let-me-in', intent: 0, application_id: ids.harbourExample }],
  },
  ACTIVITY_JOIN_REQUEST: {
    ofApplication: true,
    before: joinable,
    cause: run('activity.request-join', { user: 'otter', ...harbourExample }),
    expected: [{ type: 5, ...otter, activity: { party: { id: 'the-party' } } }],
  },
  ACTIVITY_SPECTATE: {
    ofApplication: true,
    before: joinable,
    cause: run('activity.spectate', harbourExample),
    expected: [{ secret: 'let-me-watch' }],
  },
  ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE: {
    ofApplication: true,
    cause: apply({ participants: [{ application: ids.harbourExample, user: 'otter' }] }),
    expected: [{ participants: [{ username: 'river' }, { username: 'otter', nickname: 'Otter' }] }],
  },
  ACTIVITY_LAYOUT_MODE_UPDATE: {
    cause: apply({ client: { layout_mode: 2 } }),
    expected: [{ layout_mode: 2 }],
  },
  ACTIVITY_PIP_MODE_UPDATE: {
    cause: apply({ client: { pip_mode: true } }),
    expected: [{ is_pip_mode: true }],
  },
  AUTHORIZE_REQUEST: {
    ofApplication: true,
    unlinked: true,
    cause: run('link.ask', harbourExample),
    expected: [null],
  },
  CHANNEL_CREATE: {
    cause: apply({ guilds: [{ id: ids.harbour, channels: [{ id: '9', name: 'new', type: 'text' }] }] }),
    expected: [{ id: '9', name: 'new', type: 0 }],
  },
  CURRENT_GUILD_MEMBER_UPDATE: {
    ...ofGuild,
    cause: apply({ guilds: [{ id: ids.riverBank, members: [{ user: 'river', nick: 'Stream' }] }] }),
    expected: [{ user_id: ids.river, nick: 'Stream', guild_id: ids.riverBank }],
  },
  CURRENT_USER_UPDATE: {
    cause: apply({ users: [{ id: ids.river, global_name: 'Stream' }] }),
    expected: [{ id: ids.river, global_name: 'Stream', premium_type: 0 }],
  },
  ENTITLEMENT_CREATE: {
    ofApplication: true,
    cause: apply({
      entitlements: [{ id: '9', sku: '700000000000000002', application: ids.harbourExample }],
    }),
    expected: [{ entitlement: { id: '9', user_id: ids.river, deleted: false } }],
  },
  ENTITLEMENT_DELETE: {
    ofApplication: true,
    cause: apply({ entitlements: [{ id: '710000000000000001', deleted: true }] }),
    expected: [{ entitlement: { id: '710000000000000001', deleted: true } }],
  },
  GAME_JOIN: {
    ofApplication: true,
    cause: run('activity.join', { ...harbourExample, secret: 'given' }),
    expected: [{ secret: 'given' }],
  },
  GAME_SPECTATE: {
    ofApplication: true,
    cause: run('activity.spectate', { ...harbourExample, secret: 'given' }),
    expected: [{ secret: 'given' }],
  },
  GUILD_CREATE: {
    cause: apply({ guilds: [{ id: '9', name: 'New' }] }),
    expected: [{ id: '9', name: 'New' }],
  },
  GUILD_STATUS: {
    ...ofGuild,
    cause: run('guild.set', { id: ids.riverBank, field: 'name', value: 'Renamed' }),
    expected: [{ guild: { id: ids.riverBank, name: 'Renamed' }, online: 0 }],
  },
  MESSAGE_CREATE: {
    ...ofGeneral,
    cause: run('channel.say', { channel: 'general', text: 'hello', author: 'otter' }),
    expected: [{ channel_id: ids.general, message: { content: 'hello', author: { username: 'otter' } } }],
  },
  MESSAGE_UPDATE: {
    ...ofGeneral,
    cause: run('message.edit', { id: '600000000000000001', text: 'edited' }),
    expected: [{ message: { content: 'edited', edited_timestamp: expect.any(String) } }],
  },
  MESSAGE_DELETE: {
    ...ofGeneral,
    cause: run('message.delete', { id: '600000000000000001' }),
    expected: [{ channel_id: ids.general, message: { id: '600000000000000001' } }],
  },
  NOTIFICATION_CREATE: {
    cause: run('channel.say', { channel: 'general', text: `<@${ids.river}> hi`, author: 'otter' }),
    expected: [
      {
        channel_id: ids.general,
        title: 'Otter (#general)',
        message: { mentions: [{ username: 'river' }] },
      },
    ],
  },
  ORIENTATION_UPDATE: {
    cause: apply({ client: { screen_orientation: 2 } }),
    expected: [{ screen_orientation: 2 }],
  },
  OVERLAY_UPDATE: {
    args: { pid: 4242 },
    otherArgs: { pid: 4243 },
    cause: run('overlay.set', { pid: 4242, enabled: true }),
    expected: [{ enabled: true, locked: true }],
  },
  RELATIONSHIP_UPDATE: {
    cause: run('relationship.set', { user: 'otter', status: 'idle', type: 'friend' }),
    expected: [{ type: 1, ...otter, presence: { status: 'idle', activity: null } }],
  },
  SCREENSHARE_STATE_UPDATE: {
    cause: apply({ client: { screenshare: { active: true, pid: 4242, application: 'Game' } } }),
    expected: [{ active: true, pid: 4242, application: { name: 'Game' } }],
  },
  SPEAKING_START: {
    ...ofQuay,
    before: otterJoinsQuay,
    cause: run('voice.speak', { user: 'otter', on: true }),
    expected: [{ channel_id: ids.quay, user_id: ids.otter }],
  },
  SPEAKING_STOP: {
    ...ofQuay,
    before: async (bridge) => {
      await otterJoinsQuay(bridge);
      await bridge.run('voice.speak', { user: 'otter', on: true });
    },
    cause: run('voice.speak', { user: 'otter', on: false }),
    expected: [{ channel_id: ids.quay, user_id: ids.otter }],
  },
  THERMAL_STATE_UPDATE: {
    cause: apply({ client: { thermal_state: 3 } }),
    expected: [{ thermal_state: 3 }],
  },
  VIDEO_STATE_UPDATE: {
    cause: apply({ client: { video_active: true } }),
    expected: [{ active: true }],
  },
  VOICE_CHANNEL_SELECT: {
    cause: run('voice.join', { user: 'river', channel: 'Lounge' }),
    expected: [{ channel_id: ids.lounge, guild_id: ids.riverBank }],
  },
  VOICE_CONNECTION_STATUS: {
    before: run('voice.join', { user: 'river', channel: 'Lounge' }),
    cause: run('voice.network', { state: 'drop' }),
    expected: [
      { state: 'VOICE_CONNECTING', hostname: expect.any(String) },
      { state: 'AWAITING_ENDPOINT', hostname: null },
    ],
  },
  FRAME_LAYOUT_MODE_UPDATE: {
    cause: apply({ client: { layout_mode: 2 } }),
    expected: [{ layout_mode: 2 }],
  },
  VOICE_SESSION_PARTICIPANTS_UPDATE: {
    args: { session_id: ids.quay },
    before: run('voice.join', { user: 'river', channel: 'Quay' }),
    cause: otterJoinsQuay,
    expected: [
      {
        session_id: ids.quay,
        participants: [
          { username: 'heron' },
          { username: 'river' },
          { username: 'otter', nickname: 'Otter' },
        ],
      },
    ],
  },
  VOICE_SESSION_SPEAKING_START: {
    args: { session_id: ids.quay },
    before: async (bridge) => {
      await bridge.run('voice.join', { user: 'river', channel: 'Quay' });
      await otterJoinsQuay(bridge);
    },
    cause: run('voice.speak', { user: 'otter', on: true }),
    expected: [{ session_id: ids.quay, user_id: ids.otter }],
  },
  VOICE_SESSION_SPEAKING_STOP: {
    args: { session_id: ids.quay },
    before: async (bridge) => {
      await bridge.run('voice.join', { user: 'river', channel: 'Quay' });
      await otterJoinsQuay(bridge);
      await bridge.run('voice.speak', { user: 'otter', on: true });
    },
    cause: run('voice.speak', { user: 'otter', on: false }),
    expected: [{ session_id: ids.quay, user_id: ids.otter }],
  },
  VOICE_SETTINGS_UPDATE: {
    cause: run('voice.set', { key: 'input.volume', value: '55' }),
    expected: [{ input: { volume: 55 }, mute: false }],
  },
  VOICE_SETTINGS_UPDATE_2: {
    ofApplication: true,
    cause: apply({ application_voice: [{ application: ids.harbourExample, self_mute: true }] }),
    expected: [{ self_mute: true, input_mode: { type: 'VOICE_ACTIVITY' } }],
  },
  VOICE_STATE_CREATE: {
    ...ofQuay,
    cause: otterJoinsQuay,
    expected: [{ nick: 'Otter', ...otter, volume: 100, voice_state: { self_mute: false } }],
  },
  VOICE_STATE_UPDATE: {
    ...ofQuay,
    cause: apply({ voice_states: [{ user: 'heron', deaf: true }] }),
    expected: [{ user: { username: 'heron' }, voice_state: { deaf: true, self_mute: true } }],
  },
  VOICE_STATE_DELETE: {
    ...ofQuay,
    cause: run('voice.leave', { user: 'heron' }),
    expected: [{ user: { username: 'heron' } }],
  },
};

const served = (Object.keys(events) as EventName[]).filter((name) => {
  const event = findEvent(name);
  return event?.kind !== 'unsubscribable' && event?.refusal === undefined;
});

describe('every served event', () => {
  it.each(served)(
    '%s has a cause and reaches the sessions that it concerns [V-2, V-12, V-14, V-16, K-8, K-9]',
    async (name) => {
      const cause = causes[name];
      if (cause === undefined) throw new Error(`nothing in this test causes ${name}`);
      const { args = {}, otherArgs, ofApplication, unlinked, expected } = cause;
      const event = findEvent(name);
      const bridge = await emulatorBridge();
      const scopes = unlinked ? [] : allScopes;
      const first = await bridge.app({ scopes });
      const second = await bridge.app({ scopes });
      const other = await bridge.app({ clientId: ids.lighthouse, scopes });
      const unsubscribed = await bridge.app({ scopes });
      const elsewhere = await bridge.app({ scopes });
      const anonymous = await bridge.app({ via: 'web' });
      await cause.before?.(bridge, first);
      await first.rest();

      for (const peer of [first, second, other]) {
        expect(await peer.subscribe(name, args)).toMatchObject({ evt: null, data: { evt: name } });
        const replayed = await eventsOf(peer);
        expect(replayed.map(({ evt }) => evt)).toEqual(event?.kind === 'state' ? [name] : []);
      }
      if (otherArgs) await elsewhere.subscribe(name, otherArgs);
      await elsewhere.rest();
      if (event?.scope.kind !== 'open') {
        expect((await anonymous.subscribe(name, args)).data.code).toBe(4006);
      }

      await cause.cause(bridge);
      for (const peer of ofApplication ? [first, second] : [first, second, other]) {
        const got = await eventsOf(peer);
        expect(got.map(({ evt, nonce }) => [evt, nonce])).toEqual(expected.map(() => [name, null]));
        expect(got.map(({ data }) => data)).toEqual(expected.map(matching));
        for (const { data } of got) expect(event?.data().safeParse(data)).toMatchObject({ success: true });
      }
      for (const peer of [unsubscribed, elsewhere, anonymous, other]) expect(await peer.rest()).toEqual([]);
    },
  );
});

/** Compares the parts that are named, however deep. */
function matching(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(matching);
  if (typeof part !== 'object' || part === null || 'asymmetricMatch' in part) return part;
  const entries = Object.entries(part).map(([key, value]) => [key, matching(value)]);
  return expect.objectContaining(Object.fromEntries(entries));
}
