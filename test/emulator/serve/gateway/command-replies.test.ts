import { describe, expect, it } from 'vitest';
import { INTENTS } from '../../../../src/emulator/api/dispatch.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayClient, tokenOf } from '../../../helpers/gateway-client.ts';
import type { GatewayPayload } from '../../../helpers/gateway-connection.ts';
import { told } from '../../../helpers/gateway-told.ts';
import { APP } from '../../../helpers/platform.ts';

const [QUIET, STAGE, SECRET, FULL] = ['880', '881', '882', '883'];
const joined_at = '2026-01-01T00:00:00Z';
const ALL = INTENTS.GUILDS | INTENTS.GUILD_MEMBERS | INTENTS.GUILD_PRESENCES | INTENTS.GUILD_VOICE_STATES;

/** A bot at the gateway, in a guild with rooms to speak in; river and heron are in one of them. */
async function listening(intents = ALL, change: object = {}) {
  const platform = await botPlatform(
    {
      guilds: [
        {
          id: ids.riverBank,
          members: [{ user: 'otter', nick: 'Lontra', joined_at }],
          channels: [
            { id: QUIET, name: 'quiet', type: 'voice' },
            { id: STAGE, name: 'stage', type: 'stage' },
            { id: SECRET, name: 'secret', type: 'voice', deny: [APP] },
            { id: FULL, name: 'full', type: 'voice', user_limit: 1 },
          ],
        },
      ],
      ...change,
    },
    ['guild_members', 'guild_presences'],
  );
  const client = new GatewayClient(platform.url);
  await client.identify(tokenOf(platform), { intents });
  await told(client);
  /** The events that a payload leads to, and what the log has of it. */
  const send = async (
    payload: unknown,
  ): Promise<readonly [events: readonly GatewayPayload[], lines: readonly string[]]> => {
    const before = platform.lines.length;
    client.send(payload as object);
    return [await told(client), platform.lines.slice(before)];
  };
  const unanswered = (op: number, why: string) =>
    `the gateway left opcode ${op} of application ${APP} unanswered: ${why}`;
  return { ...platform, client, send, unanswered };
}

describe('a command that is not permitted', () => {
  it('is left unanswered, and the log has the reason', async () => {
    const { send, unanswered, emulator, only, client } = await listening(INTENTS.GUILDS);
    await emulator.apply({ users: [{ id: '41', username: 'newt' }] });
    emulator.calls.join(ids.heron, FULL);
    const voice = (guild_id: string, channel_id: string | null) => ({
      op: 4,
      d: { guild_id, channel_id, self_mute: false, self_deaf: false },
    });
    const noGuild = (id: string) => `guild ${id} is not a guild of the bot on this shard`;
    await only('VIEW_CHANNEL', 'CONNECT');
    await told(client);
    for (const [payload, why] of [
      [{ op: 8, d: { guild_id: ids.harbour, query: '' } }, noGuild(ids.harbour)],
      [{ op: 8, d: { guild_id: '1', query: 'x' } }, noGuild('1')],
      [
        { op: 8, d: { guild_id: ids.riverBank, query: '' } },
        'the whole list is for sessions with the intent GUILD_MEMBERS',
      ],
      [
        { op: 8, d: { guild_id: ids.riverBank, query: 'x', presences: true } },
        'presences are for sessions with the intent GUILD_PRESENCES',
      ],
      [{ op: 31, d: { guild_ids: [ids.harbour] } }, noGuild(ids.harbour)],
      [{ op: 43, d: { guild_id: ids.harbour, fields: ['status'] } }, noGuild(ids.harbour)],
      [voice(ids.harbour, QUIET), noGuild(ids.harbour)],
      [voice(ids.riverBank, '1'), '1 is no voice channel of the guild'],
      [voice(ids.riverBank, ids.general), `${ids.general} is no voice channel of the guild`],
      [voice(ids.riverBank, ids.quay), `${ids.quay} is no voice channel of the guild`],
      [voice(ids.riverBank, SECRET), `the bot may not connect to channel ${SECRET}`],
      [voice(ids.riverBank, FULL), `channel ${FULL} is full`],
    ] as const) {
      const [events, lines] = await send(payload);
      expect([events, lines], why).toEqual([[], [unanswered(payload.op, why)]]);
    }
    expect(emulator.tables.voice_states.has(APP)).toBe(false);
    await only('VIEW_CHANNEL');
    const [, lines] = await send(voice(ids.riverBank, QUIET));
    expect(lines).toEqual([unanswered(4, `the bot may not connect to channel ${QUIET}`)]);
  });

  it('is one of another shard', async () => {
    const { url, bot, lines } = await listening();
    const shard = Number((BigInt(ids.riverBank) >> 22n) % 2n);
    const replies = async (id: number) => {
      const client = new GatewayClient(url);
      await client.identify(bot().authorization.slice(4), { intents: ALL, shard: [id, 2] });
      await told(client);
      client.send({ op: 43, d: { guild_id: ids.riverBank, fields: ['status'] } });
      return (await told(client)).map(({ t }) => t);
    };
    expect(await replies(shard)).toEqual(['CHANNEL_INFO']);
    expect(await replies(1 - shard)).toEqual([]);
    expect(lines.at(-1)).toContain(`guild ${ids.riverBank} is not a guild of the bot on this shard`);
  });
});

describe('the voice state of a bot', () => {
  it('is changed, moved and ended by its command', async () => {
    const { send, emulator, client } = await listening();
    const change = async (channel_id: string | null, more: object = {}, guild_id: string = ids.riverBank) => {
      const [events, lines] = await send({ op: 4, d: { guild_id, channel_id, ...more } });
      expect(lines).toEqual([]);
      const states = events.filter(({ t }) => t === 'VOICE_STATE_UPDATE').map(({ d }) => d);
      return states.map(({ channel_id: at, self_mute, self_deaf, suppress }) => [
        at,
        self_mute,
        self_deaf,
        suppress,
      ]);
    };
    expect(await change(null)).toEqual([]);
    expect(await change(QUIET)).toEqual([[QUIET, false, false, false]]);
    expect(await change(QUIET, { self_mute: true })).toEqual([[QUIET, true, false, false]]);
    expect(await change(STAGE, { self_deaf: true })).toEqual([[STAGE, false, true, true]]);
    expect(await change(QUIET, { self_mute: null })).toEqual([[QUIET, false, false, false]]);
    // Where it is, it stays without a permission to join.
    await emulator.apply({
      guilds: [
        { id: ids.riverBank, channels: [{ id: QUIET, user_overwrites: [{ user: APP, deny: ['CONNECT'] }] }] },
      ],
    });
    await told(client);
    expect(await change(QUIET, { self_mute: true })).toEqual([[QUIET, true, false, false]]);
    expect(await change(null)).toEqual([[null, true, false, false]]);
    expect(emulator.tables.voice_states.has(APP)).toBe(false);
  });

  it('is not ended by leaving a call of another guild', async () => {
    const { send, emulator } = await listening(ALL, {
      guilds: [
        { id: ids.harbour, membership: 'everybody', members: [{ user: APP, joined_at }] },
        { id: ids.riverBank, channels: [{ id: QUIET, name: 'quiet', type: 'voice' }] },
      ],
    });
    await send({ op: 4, d: { guild_id: ids.riverBank, channel_id: QUIET } });
    expect(emulator.tables.voice_states.get(APP)?.channel).toBe(QUIET);
    await send({ op: 4, d: { guild_id: ids.harbour, channel_id: null } });
    expect(emulator.tables.voice_states.get(APP)?.channel).toBe(QUIET);
    await send({ op: 4, d: { guild_id: ids.riverBank, channel_id: null } });
    expect(emulator.tables.voice_states.has(APP)).toBe(false);
  });

  it('ends with the last session of the bot', async () => {
    const { send, client, emulator, url, bot } = await listening();
    const other = new GatewayClient(url);
    await other.identify(bot().authorization.slice(4), { intents: 0 });
    await send({ op: 4, d: { guild_id: ids.riverBank, channel_id: QUIET } });
    const presences = () => [...emulator.tables.session_presences].filter(({ user }) => user === APP).length;
    expect(presences()).toBe(2);
    client.socket.close(1000);
    await client.closed;
    await expect.poll(presences).toBe(1);
    expect(emulator.tables.voice_states.has(APP)).toBe(true);
    other.socket.close(1000);
    await other.closed;
    await expect.poll(presences).toBe(0);
    expect(emulator.tables.voice_states.has(APP)).toBe(false);
  });
});

describe('a request', () => {
  it('for members is answered with whom it asks for, and with their presences', async () => {
    const { send, emulator, client } = await listening();
    await emulator.apply({ user_presences: [{ user: 'heron', status: 'idle' }] });
    await told(client);
    const chunk = async (d: object) => {
      const [events, lines] = await send({ op: 8, d: { guild_id: ids.riverBank, ...d } });
      expect(lines).toEqual([]);
      const { members, presences, ...rest } = events.find(({ t }) => t === 'GUILD_MEMBERS_CHUNK')?.d ?? {};
      return {
        ...rest,
        members: members.map(({ user }: { user: { id: string } }) => user.id),
        ...(presences === undefined
          ? {}
          : {
              presences: presences.map((one: { user: { id: string }; status: string }) => [
                one.user.id,
                one.status,
              ]),
            }),
      };
    };
    const one = { guild_id: ids.riverBank, chunk_index: 0, chunk_count: 1 };
    expect(await chunk({ query: 'LONT', limit: 1 })).toEqual({ ...one, members: [ids.otter] });
    expect(await chunk({ user_ids: [ids.heron, '1', ids.otter, 'x'], presences: true, nonce: 'n' })).toEqual({
      ...one,
      members: [ids.heron, ids.otter],
      not_found: ['1', 'x'],
      presences: [[ids.heron, 'idle']],
      nonce: 'n',
    });
    expect(await chunk({ user_ids: ids.otter, presences: true })).toEqual({
      ...one,
      members: [ids.otter],
      presences: [],
    });
    expect(await chunk({ user_ids: [] })).toEqual({ ...one, members: [] });
    expect((await chunk({ query: '', limit: 0 })).members).toEqual(
      expect.arrayContaining([ids.river, ids.heron, ids.otter, APP]),
    );
  });

  it('for sounds is answered for each guild of the bot once', async () => {
    const { send, emulator, client } = await listening();
    const sound = (id: string, guild: string) => ({ id, name: `bell ${id}`, guild, emoji_name: '🔔' });
    await emulator.apply({
      soundboard_sounds: [sound('76', ids.harbour), sound('77', ids.riverBank), sound('78', ids.riverBank)],
    });
    await told(client);
    const [events, lines] = await send({ op: 31, d: { guild_ids: ['1', ids.riverBank, ids.riverBank] } });
    expect(lines).toHaveLength(1);
    expect(events).toMatchObject([
      {
        t: 'SOUNDBOARD_SOUNDS',
        d: { guild_id: ids.riverBank, soundboard_sounds: [{ sound_id: '77' }, { sound_id: '78' }] },
      },
    ]);
    for (const one of events[0]?.d.soundboard_sounds ?? []) expect(one).not.toHaveProperty('user');
  });

  it('for information of channels is answered with the fields that it names', async () => {
    const { send, emulator, client } = await listening();
    await emulator.apply({
      guilds: [
        {
          id: ids.riverBank,
          channels: [
            { id: QUIET, status: 'Nets' },
            { id: SECRET, status: 'Hidden' },
            { id: ids.lounge, status: 'Tea' },
          ],
        },
      ],
    });
    emulator.clock.freeze();
    emulator.clock.set(Date.parse('2026-03-01T00:00:00.900Z'));
    emulator.calls.join(ids.heron, STAGE);
    await told(client);
    const info = async (fields: readonly string[], more: object = {}) => {
      const [events] = await send({ op: 43, d: { guild_id: ids.riverBank, fields, ...more } });
      const { channels, ...rest } = events.find(({ t }) => t === 'CHANNEL_INFO')?.d ?? {};
      const ours = channels.filter(({ id }: { id: string }) => [QUIET, STAGE, SECRET, FULL].includes(id));
      return { ...rest, channels: ours };
    };
    const began = Date.parse('2026-03-01T00:00:00Z') / 1000;
    const guild_id = ids.riverBank;
    expect(await info(['status'])).toEqual({
      guild_id,
      channels: [
        { id: QUIET, status: 'Nets' },
        { id: FULL, status: null },
      ],
    });
    expect(await info(['voice_start_time', 'other'], { nonce: 7 })).toEqual({
      guild_id,
      nonce: '7',
      channels: [
        { id: QUIET, voice_start_time: null },
        { id: STAGE, voice_start_time: began },
        { id: FULL, voice_start_time: null },
      ],
    });
    expect((await info(['status', 'voice_start_time'], { nonce: null })).channels).toEqual([
      { id: QUIET, status: 'Nets', voice_start_time: null },
      { id: STAGE, voice_start_time: began },
      { id: FULL, status: null, voice_start_time: null },
    ]);
    expect(await info([])).toEqual({ guild_id, channels: [] });
  });
});

describe('what a client sends', () => {
  it('closes the connection with the path of what is wrong', async () => {
    const { url, bot } = await listening();
    for (const [payload, reason] of [
      [{ op: 8, d: { guild_id: ids.riverBank } }, 'd.query or d.user_ids is needed'],
      [{ op: 8, d: { guild_id: 'x', query: '' } }, 'd.guild_id: '],
      [{ op: 8, d: { guild_id: ids.riverBank, query: 'x', limit: 0.5 } }, 'd.limit: '],
      [{ op: 4, d: { guild_id: ids.riverBank } }, 'd.channel_id: '],
      [{ op: 4, d: { channel_id: null } }, 'd.guild_id: '],
      [{ op: 31, d: { guild_ids: ids.riverBank } }, 'd.guild_ids: '],
      [{ op: 31, d: { guild_ids: ['x'] } }, 'd.guild_ids.0: '],
      [{ op: 43, d: { guild_id: ids.riverBank } }, 'd.fields: '],
      [{ op: 3, d: { status: 'asleep', activities: [] } }, 'd.status: '],
      [{ op: 3, d: { status: 'idle', activities: [{ type: 0 }] } }, 'd.activities.0.name: '],
      [{ op: 3, d: 5 }, 'd: '],
    ] as const) {
      const client = new GatewayClient(url);
      await client.identify(bot().authorization.slice(4), { intents: 0 });
      client.send(payload);
      const closed = await client.closed;
      expect(closed.code, JSON.stringify(payload)).toBe(4002);
      expect(closed.reason, JSON.stringify(payload)).toContain(`Error while decoding payload: ${reason}`);
    }
  });
});
