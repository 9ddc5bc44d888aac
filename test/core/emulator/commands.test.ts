import { describe, expect, it } from 'vitest';
import { type CommandName, commands, findCommand } from '../../../src/protocol/registry.ts';
import type { AppPeer } from '../../helpers/app-peer.ts';
import { allScopes, type EmulatorBridge, emulatorBridge } from '../../helpers/emulator-bridge.ts';
import { ids } from '../../helpers/emulator-world.ts';

/** One request, and what is to come of it. */
interface Case {
  readonly args?: object;
  /** Arguments that are known only then. */
  readonly argsFrom?: (app: AppPeer, bridge: EmulatorBridge) => Promise<object>;
  /** Changes the built-in fixture. */
  readonly patch?: object;
  readonly before?: (app: AppPeer, bridge: EmulatorBridge) => Promise<unknown>;
}

interface Good extends Case {
  /** Parts of the answer. */
  readonly data: unknown;
}

/** A served command: what it answers, and how each error of its own comes about. */
interface Served {
  readonly good: readonly Good[];
  readonly errors?: { readonly [code: number]: readonly Case[] };
}

const user = (username: string) => ({ username, premium_type: 0, avatar_decoration_data: null });
const join = (channel: string) => (app: AppPeer) => app.call('SELECT_VOICE_CHANNEL', { channel_id: channel });
const activity = { pid: 1, activity: { party: { id: 'the-party' }, secrets: { join: 'let-me-in' } } };
const play = (app: AppPeer) => app.call('SET_ACTIVITY', activity);
const asked = (_: AppPeer, bridge: EmulatorBridge) =>
  bridge.run('activity.request-join', { user: 'otter', app: ids.harbourExample });
const both =
  (...steps: readonly NonNullable<Case['before']>[]) =>
  async (app: AppPeer, bridge: EmulatorBridge) => {
    for (const step of steps) await step(app, bridge);
  };
const unknownChannels = [{ args: { channel_id: '1' } }, { args: { channel_id: ids.hidden } }];
const soundPlayer = { before: join(ids.lounge) };
const noRequest: Served['errors'] = { 4012: [{ args: { user_id: ids.otter } }] };
const invite = { user_id: ids.otter, session_id: 's', channel_id: '1', message_id: '1', type: 1 };
const heard = { user_id: ids.otter, volume: 50 };
const unheard = [{ args: { ...heard, user_id: '1' } }, { args: { ...heard, user_id: ids.river } }];
const picture = { type: 'user', format: 'webp', size: 64 };

/** AUTHORIZE, AUTHENTICATE, SUBSCRIBE and UNSUBSCRIBE have tests of their own. */
const ELSEWHERE = ['AUTHORIZE', 'AUTHENTICATE', 'SUBSCRIBE', 'UNSUBSCRIBE'];

const table: { readonly [C in CommandName]?: Served } = {
  ACCEPT_ACTIVITY_INVITE: {
    good: [
      {
        async argsFrom(app, bridge) {
          await app.subscribe('ACTIVITY_INVITE');
          await bridge.run('activity.invite', { user: 'otter', app: ids.harbourExample });
          const { data } = await app.answer();
          const { channel_id, message_id } = data;
          return { ...invite, session_id: data.activity.session_id, channel_id, message_id };
        },
        data: null,
      },
    ],
    errors: { 4011: [{ args: invite }] },
  },
  ACTIVITY_INVITE_USER: {
    good: [{ before: play, args: { user_id: ids.otter, type: 1, pid: 1 }, data: null }],
    errors: {
      4010: [{ before: play, args: { user_id: '1', type: 1, pid: 1 } }],
      5006: [{ args: { user_id: ids.otter, type: 1, pid: 1 } }],
    },
  },
  CAPTURE_LOG: { good: [{ args: { level: 'warn', message: 'x' }, data: null }] },
  CLOSE_ACTIVITY_JOIN_REQUEST: {
    good: [{ before: asked, args: { user_id: ids.otter }, data: null }],
    errors: noRequest,
  },
  CLOSE_ACTIVITY_REQUEST: {
    good: [{ before: asked, args: { user_id: ids.otter }, data: null }],
    errors: noRequest,
  },
  CREATE_CHANNEL_INVITE: {
    good: [
      {
        args: { channel_id: ids.lounge },
        data: { code: expect.stringMatching(/^\w{8}$/), guild_id: ids.riverBank, uses: 0 },
      },
    ],
    errors: { 4005: unknownChannels, 4006: [{ args: { channel_id: ids.category } }] },
  },
  GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS: {
    good: [{ data: { participants: [{ username: 'river', nickname: 'River' }] } }],
  },
  GET_CHANNEL: {
    good: [
      {
        args: { channel_id: ids.general },
        data: {
          name: 'general',
          topic: 'Whatever floats by',
          messages: [
            { nick: 'Heron on the Bank' },
            { author: user('river') },
            {
              content_parsed: [
                { type: 'text', content: 'Ask ' },
                { type: 'mention', userId: ids.otter, guildId: ids.riverBank },
                { type: 'text' },
              ],
              mentions: [user('otter')],
            },
          ],
          voice_states: [],
        },
      },
      {
        args: { channel_id: ids.quay },
        data: {
          messages: [],
          voice_states: [
            {
              nick: 'Heron',
              mute: false,
              volume: 100,
              pan: { left: 1, right: 1 },
              voice_state: { self_mute: true, suppress: false },
              user: user('heron'),
            },
          ],
        },
      },
      {
        patch: { guilds: [{ id: ids.riverBank, channels: [{ id: ids.general, nsfw: true }] }] },
        args: { channel_id: ids.general },
        data: { messages: [] },
      },
    ],
    errors: { 4005: unknownChannels },
  },
  GET_CHANNELS: {
    good: [
      {
        args: { guild_id: ids.harbour },
        data: {
          channels: [
            { name: 'arrivals', type: 0 },
            { name: 'Quay', type: 2 },
          ],
        },
      },
      { args: { guild_id: null }, data: { channels: { length: 8 } } },
    ],
    errors: { 4003: [{ args: { guild_id: '1' } }] },
  },
  GET_CHANNEL_PERMISSIONS: {
    good: [{ before: join(ids.lounge), data: { permissions: '8866461766385663' } }],
    errors: { 4005: [{}] },
  },
  GET_ENTITLEMENTS: { good: [{ data: [{ sku_id: '700000000000000001', type: 1, deleted: false }] }] },
  GET_ENTITLEMENTS_EMBEDDED: { good: [{ data: { entitlements: [{ user_id: ids.river }] } }] },
  GET_GUILD: {
    good: [
      { args: { guild_id: ids.harbour }, data: { name: 'Harbour', members: [], vanity_url_code: 'harbour' } },
    ],
    errors: {
      4003: [{ args: { guild_id: '1' } }],
      5002: [{ patch: { client: { guild_delay_ms: 1 } }, args: { guild_id: ids.harbour, timeout: 0 } }],
    },
  },
  GET_GUILDS: { good: [{ data: { guilds: [{ name: 'River Bank', icon_url: null }, { name: 'Harbour' }] } }] },
  GET_IMAGE: {
    good: [
      {
        args: { ...picture, id: ids.otter },
        data: { data_url: expect.stringMatching(/^data:image\/png;base64,/) },
      },
    ],
    errors: { 4010: [{ args: { ...picture, id: '1' } }] },
  },
  GET_PLATFORM_BEHAVIORS: { good: [{ data: {} }] },
  GET_RELATIONSHIPS: {
    good: [
      {
        data: {
          relationships: [
            {
              type: 1,
              user: user('heron'),
              presence: {
                status: 'online',
                activity: { name: 'Harbour Example', details: 'Feeding the fish' },
              },
            },
            { type: 3, presence: { status: 'offline', activity: null } },
          ],
        },
      },
    ],
  },
  GET_SELECTED_VOICE_CHANNEL: {
    good: [
      { data: null },
      { before: join(ids.lounge), data: { id: ids.lounge, voice_states: [{ user: user('river') }] } },
    ],
  },
  GET_SKUS: { good: [{ data: [{ name: 'Tide Pass' }, { name: 'Bag of Pebbles', type: 3 }] }] },
  GET_SKUS_EMBEDDED: { good: [{ data: { skus: { length: 2 } } }] },
  GET_SOUNDBOARD_SOUNDS: {
    good: [
      {
        data: [
          { sound_id: '1', guild_id: '0' },
          { name: 'foghorn', guild_id: ids.harbour, volume: 0.5 },
        ],
      },
    ],
  },
  GET_USER: {
    good: [
      { args: { id: ids.otter }, data: user('otter') },
      { args: { id: '1' }, data: null },
    ],
  },
  GET_VOICE_SETTINGS: { good: [{ data: { mute: false, input: { device_id: 'default' } } }] },
  PLAY_SOUNDBOARD_SOUND: {
    good: [
      { ...soundPlayer, args: { sound_id: '1' }, data: null },
      { ...soundPlayer, args: { sound_id: '1', guild_id: '0' }, data: null },
      { ...soundPlayer, args: { sound_id: '800000000000000001', guild_id: ids.harbour }, data: null },
    ],
    errors: {
      4005: [{ args: { sound_id: '1' } }],
      4018: [
        { ...soundPlayer, args: {} },
        { ...soundPlayer, args: { sound_id: '2' } },
        { ...soundPlayer, args: { sound_id: '1', guild_id: ids.harbour } },
        {
          ...soundPlayer,
          args: { sound_id: '1' },
          patch: { soundboard_sounds: [{ id: '1', available: false }] },
        },
      ],
    },
  },
  PUSH_TO_TALK: { good: [{ args: { active: true }, data: null }] },
  SELECT_TEXT_CHANNEL: {
    good: [
      { args: { channel_id: ids.general }, data: { name: 'general' } },
      { args: { channel_id: null }, data: null },
    ],
    errors: {
      4005: [
        ...unknownChannels,
        { args: { channel_id: ids.lounge } },
        {
          patch: { guilds: [{ id: ids.riverBank, channels: [{ id: ids.general, nsfw: true }] }] },
          args: { channel_id: ids.general },
        },
      ],
      5001: [{ patch: { client: { select_delay_ms: 1 } }, args: { channel_id: ids.general, timeout: 0 } }],
    },
  },
  TOGGLE_VOICE_CHANNEL_CHAT: {
    good: [
      { before: join(ids.lounge), data: { channel_id: ids.lounge, chat_open: true } },
      { before: join(ids.lounge), args: { open: false }, data: { channel_id: ids.lounge, chat_open: false } },
    ],
    errors: { 4005: [{}] },
  },
  SELECT_VOICE_CHANNEL: {
    good: [
      { args: { channel_id: ids.lounge }, data: { id: ids.lounge, voice_states: [{ nick: 'River' }] } },
      { before: join(ids.lounge), args: { channel_id: ids.lounge }, data: { id: ids.lounge } },
      { before: join(ids.lounge), args: { channel_id: ids.boat, force: true }, data: { id: ids.boat } },
      { before: join(ids.lounge), args: { channel_id: null }, data: null },
    ],
    errors: {
      4005: [
        ...unknownChannels,
        { args: { channel_id: ids.general } },
        {
          patch: { guilds: [{ id: ids.harbour, channels: [{ id: ids.quay, user_limit: 1 }] }] },
          args: { channel_id: ids.quay },
        },
      ],
      5001: [{ patch: { client: { select_delay_ms: 1 } }, args: { channel_id: ids.lounge, timeout: 0 } }],
      5003: [{ before: join(ids.lounge), args: { channel_id: ids.boat } }],
    },
  },
  SEND_ACTIVITY_JOIN_INVITE: {
    good: [{ before: both(play, asked), args: { user_id: ids.otter }, data: null }],
    errors: {
      4012: [{ before: play, args: { user_id: ids.otter } }],
      5006: [{ before: asked, args: { user_id: ids.otter } }],
    },
  },
  SEND_ANALYTICS_EVENT: { good: [{ args: { event_name: 'x', event_properties: {} }, data: null }] },
  SET_ACTIVITY: {
    good: [
      {
        args: { pid: 1, activity: { state: 'rowing', instance: true } },
        data: {
          application_id: ids.harbourExample,
          name: 'Harbour Example',
          type: 0,
          flags: 1,
          metadata: {},
        },
      },
      { args: { pid: 1 }, data: null },
    ],
    errors: {
      4002: [{ args: { activity: null } }],
      5005: [{ args: { pid: 1, activity: { party: { id: 'pp' }, secrets: { join: 'pp' } } } }],
    },
  },
  SET_CERTIFIED_DEVICES: { good: [{ args: { devices: [] }, data: null }] },
  SET_CONFIG: { good: [{ args: { use_interactive_pip: true }, data: { use_interactive_pip: false } }] },
  SET_USER_VOICE_SETTINGS: {
    good: [{ args: { ...heard, mute: true }, data: { ...heard, mute: true, pan: { left: 1, right: 1 } } }],
    errors: { 4010: unheard },
  },
  SET_USER_VOICE_SETTINGS_2: { good: [{ args: heard, data: null }], errors: { 4010: unheard } },
  SET_VOICE_SETTINGS: { good: [{ args: { deaf: true }, data: { deaf: true, mute: false } }] },
  SET_VOICE_SETTINGS_2: { good: [{ args: { self_mute: true }, data: null }] },
  USER_SETTINGS_GET_LOCALE: { good: [{ data: { locale: 'en-US' } }] },
  VALIDATE_APPLICATION: {
    good: [{ data: null }],
    errors: { 4015: [{ patch: { entitlements: [{ id: '710000000000000001', user: 'otter' }] } }] },
  },
};

const served = (Object.keys(commands) as CommandName[]).filter(
  (name) => findCommand(name)?.class === 'served' && !ELSEWHERE.includes(name),
);

/** Asks once, in a world of its own. */
async function ask(cmd: CommandName, { args, argsFrom, patch, before }: Case) {
  const bridge = await emulatorBridge(patch);
  const app = await bridge.app({ scopes: allScopes });
  await before?.(app, bridge);
  const asked = (await argsFrom?.(app, bridge)) ?? args;
  await app.rest();
  return app.call(cmd, asked);
}

describe.each(served)('%s', (cmd) => {
  const row = table[cmd];
  it('is in the table of this test with every error of its own', () => {
    expect(row?.good.length).toBeGreaterThan(0);
    const documented = findCommand(cmd)?.errors ?? [];
    expect(Object.keys(row?.errors ?? {}).map(Number)).toEqual([...documented].sort((a, b) => a - b));
  });
  it.each(row?.good ?? [])('answers %j', async (good) => {
    const answer = await ask(cmd, good);
    expect(answer).toMatchObject({ evt: null, data: good.data });
    expect(findCommand(cmd)?.result().safeParse(answer.data)).toMatchObject({ success: true });
  });
  const wrong = Object.entries(row?.errors ?? {}).flatMap(([code, cases]) =>
    cases.map((one) => ({ code: Number(code), ...one })),
  );
  it.each(wrong)('refuses %j', async ({ code, ...one }) => {
    const answer = await ask(cmd, one);
    expect(answer).toMatchObject({ evt: 'ERROR', data: { code, message: expect.stringMatching(/\w/) } });
  });
});

describe('every command of the registry', () => {
  const guarded = (Object.keys(commands) as CommandName[]).filter(
    (name) => findCommand(name)?.scope.kind !== 'open',
  );
  it('is refused to a session that lacks its scope', async () => {
    const { app } = await emulatorBridge();
    const anonymous = await app({ via: 'web' });
    for (const name of guarded) {
      expect([name, (await anonymous.call(name, {})).data.code]).toEqual([name, 4006]);
    }
  });
  it('names a missing argument', async () => {
    const { app } = await emulatorBridge();
    const peer = await app({ scopes: allScopes });
    const demanding = served.filter((name) => !findCommand(name)?.args().safeParse({}).success);
    expect(demanding.length).toBeGreaterThan(15);
    for (const name of demanding) {
      const { data } = await peer.call(name, {});
      expect([name, data.code]).toEqual([name, 4000]);
      expect(data.message).toMatch(/^args\.\w+: /);
    }
  });
});
