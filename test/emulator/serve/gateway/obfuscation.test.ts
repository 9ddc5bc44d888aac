import { describe, expect, it } from 'vitest';
import type { Emulator } from '../../../../src/emulator/compose/emulator.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { type Heard, listen } from '../../../helpers/gateway-listener.ts';
import { APP } from '../../../helpers/platform.ts';

const GUILD = '50';
const VIEW = ['VIEW_CHANNEL'];
/** The day from which on channels out of view are hidden from every session. */
const DAY = Date.parse('2026-11-16');

/** A guild in which the bot sees nothing but the channel 58; 52 holds 53 and 54, and 56 nothing. */
const cove = {
  id: GUILD,
  name: 'Cove',
  owner: 'river',
  membership: 'listed',
  roles: [
    { id: GUILD, name: '@everyone', permissions: [] },
    { id: '51', name: 'mate', permissions: [] },
    { id: '57', name: 'pilot', permissions: VIEW },
  ],
  members: [{ user: 'river' }, { user: APP, roles: ['51'] }],
  channels: [
    { id: '52', name: 'deck', type: 'category' },
    { id: '53', name: 'log', type: 'text', topic: 'Secrets', parent: '52' },
    { id: '54', name: 'bridge', type: 'voice', parent: '52' },
    { id: '55', name: 'hold', type: 'text' },
    { id: '56', name: 'empty', type: 'category' },
    { id: '58', name: 'open', type: 'text', role_overwrites: [{ role: GUILD, allow: VIEW }] },
  ],
};

const ALL = ['52', '53', '54', '55', '56'];
const HOLD = ['55'];
const guild = (change: object) => ({ guilds: [{ id: GUILD, ...change }] });
const channel = (id: string, change: object) => guild({ channels: [{ id, ...change }] });
const role = (id: string, permissions: readonly string[]) => guild({ roles: [{ id, permissions }] });
const self = (change: object) => guild({ members: [{ user: APP, ...change }] });

/** What brings channels into view and out of it again, which those are, and which are told as changed in any case. */
const causes: Readonly<
  Record<string, { in: object; out: object; channels: readonly string[]; changed?: readonly string[] }>
> = {
  'the role of everybody': { in: role(GUILD, VIEW), out: role(GUILD, []), channels: ALL },
  'a role of the bot': { in: role('51', VIEW), out: role('51', []), channels: ALL },
  'a role that is given and taken': {
    in: self({ roles: ['51', '57'] }),
    out: self({ roles: ['51'] }),
    channels: ALL,
  },
  'a role that is gone': {
    in: guild({
      roles: [{ id: '59', name: 'gone', permissions: VIEW }],
      members: [{ user: APP, roles: ['51', '59'] }],
    }),
    out: guild({ roles: [{ id: '59', remove: true }] }),
    channels: ALL,
  },
  administration: { in: role('51', ['ADMINISTRATOR']), out: role('51', []), channels: ALL },
  'who owns the guild': { in: guild({ owner: APP }), out: guild({ owner: 'river' }), channels: ALL },
  'an overwrite for a role': {
    in: channel('55', { role_overwrites: [{ role: GUILD, allow: VIEW }] }),
    out: channel('55', { role_overwrites: [{ role: GUILD, remove: true }] }),
    channels: HOLD,
    changed: HOLD,
  },
  'an overwrite for the bot': {
    in: channel('55', { user_overwrites: [{ user: APP, allow: VIEW }] }),
    out: channel('55', { user_overwrites: [{ user: APP, remove: true }] }),
    channels: HOLD,
    changed: HOLD,
  },
  'a channel of a category that comes into view': {
    in: channel('53', { user_overwrites: [{ user: APP, allow: VIEW }] }),
    out: channel('53', { user_overwrites: [{ user: APP, remove: true }] }),
    channels: ['52', '53'],
    changed: ['53'],
  },
  'a channel that moves into a category': {
    in: channel('58', { parent: '56' }),
    out: channel('58', { parent: null }),
    channels: ['56'],
    changed: ['58'],
  },
  'a voice channel that is joined and left': {
    in: { voice_states: [{ user: APP, channel: '54' }] },
    out: { voice_states: [{ user: APP, remove: true }] },
    channels: ['52', '54'],
  },
  'a timeout': {
    in: self({ communication_disabled_until: '2090-01-01T00:00:00Z' }),
    out: self({ communication_disabled_until: null }),
    channels: [],
  },
};

/** When channels are hidden from a session, and when not. */
const switches = {
  'before the day': { now: DAY - 1, capabilities: 0, isSwitched: false, hides: false },
  'by the capability': { now: DAY - 1, capabilities: 1 << 15, isSwitched: false, hides: true },
  'by the switch of the application': { now: DAY - 1, capabilities: 0, isSwitched: true, hides: true },
  'from the day on': { now: DAY, capabilities: 0, isSwitched: false, hides: true },
};

type Switch = (typeof switches)[keyof typeof switches];

/** A world in which the bot listens. */
async function scene({ now, capabilities, isSwitched }: Switch) {
  const { emulator } = await botPlatform({
    applications: [{ id: APP, private_channel_obfuscation: isSwitched }],
  });
  await emulator.apply({ guilds: [cove] });
  emulator.clock.freeze();
  emulator.clock.set(now);
  return { emulator, heard: await listen(emulator, { capabilities }) };
}

/** The channels that were told as changed, and whether they were hidden. */
function updates(heard: readonly Heard[]): string[] {
  return heard
    .filter(({ event }) => event === 'CHANNEL_UPDATE')
    .map(({ data }) => `${data.id} ${data.name === '___hidden___' ? 'hidden' : 'whole'}`)
    .sort();
}

async function guildOf(emulator: Emulator, heard: () => Heard[]) {
  await emulator.apply(self({ remove: true }));
  heard();
  await emulator.apply(self({ roles: ['51'] }));
  return heard().find(({ event }) => event === 'GUILD_CREATE')?.data;
}

describe.each(Object.entries(switches))('hidden channels, %s', (_, given) => {
  it('change their visibility by each cause, and are updated for the session [V-4, O-9, N-3]', async () => {
    const { emulator, heard } = await scene(given);
    const told: Record<string, readonly string[][]> = {};
    const expected: Record<string, readonly string[][]> = {};
    for (const [name, cause] of Object.entries(causes)) {
      const { channels, changed = [] } = cause;
      const both = [cause.in, cause.out];
      told[name] = [];
      for (const change of both) {
        await emulator.apply(change);
        told[name] = [...(told[name] ?? []), updates(heard())];
      }
      const others = changed.filter((id) => !channels.includes(id)).map((id) => `${id} whole`);
      const as = (word: string) => [...channels.map((id) => `${id} ${word}`), ...others].sort();
      expected[name] = given.hides
        ? [as('whole'), as('hidden')]
        : [changed, changed].map((list) => list.map((id) => `${id} whole`));
    }
    expect(told).toEqual(expected);
  });

  it('are sent with their guild, whole or obfuscated [V-4, O-9, N-3]', async () => {
    const { emulator, heard } = await scene(given);
    const { channels } = await guildOf(emulator, heard);
    const names = channels.map(({ id, name }: { id: string; name: string }) => `${id} ${name}`);
    const hidden = ALL.map((id) => `${id} ___hidden___`);
    const whole = ['52 deck', '53 log', '54 bridge', '55 hold', '56 empty'];
    expect(names).toEqual([...(given.hides ? hidden : whole), '58 open']);
  });
});

describe('a hidden channel', () => {
  it('has its flag, type, position and parent, and no other content [O-8, O-9]', async () => {
    const { emulator, heard } = await scene(switches['from the day on']);
    const { channels } = await guildOf(emulator, heard);
    expect(channels[1]).toEqual({
      id: '53',
      guild_id: GUILD,
      type: 0,
      name: '___hidden___',
      topic: '___hidden___',
      position: 1,
      parent_id: '52',
      flags: 1 << 17,
      permission_overwrites: [{ id: GUILD, type: 0, allow: '0', deny: '1024' }],
    });
    expect(channels[0]).not.toHaveProperty('topic');
  });

  it('is sent when created and deleted, and when updated only for its visible fields [V-4]', async () => {
    const { emulator, heard } = await scene(switches['from the day on']);
    const told = () => heard().map(({ event, data }) => [event, data.name, data.position]);
    await emulator.apply(channel('60', { name: 'secret', type: 'text', position: 9 }));
    await emulator.apply(channel('60', { name: 'renamed', topic: 'Other secrets' }));
    await emulator.apply(channel('60', { position: 8 }));
    await emulator.apply(channel('60', { remove: true }));
    expect(told()).toEqual([
      ['CHANNEL_CREATE', '___hidden___', 9],
      ['CHANNEL_UPDATE', '___hidden___', 8],
      ['CHANNEL_DELETE', '___hidden___', 8],
    ]);
  });

  it('has no thread until it becomes visible, and then its active threads are sent [E-2, O-9]', async () => {
    const { emulator, heard } = await scene(switches['before the day']);
    await emulator.apply(channel('61', { name: 'late', type: 'public_thread', parent: '53' }));
    expect(heard()).toEqual([]);
    await emulator.apply(role(GUILD, VIEW));
    const [{ data } = { data: undefined }] = heard().filter(({ event }) => event === 'THREAD_LIST_SYNC');
    expect(data).toMatchObject({ guild_id: GUILD, channel_ids: ['53', '55'], threads: [{ id: '61' }] });
  });
});

it('no channel is sent when a change does not affect its visibility [V-4]', async () => {
  const { emulator } = await scene(switches['from the day on']);
  await emulator.apply(
    guild({
      channels: Array.from({ length: 400 }, (_, at) => ({ id: String(1000 + at), name: 'x', type: 'text' })),
    }),
  );
  const heard = await listen(emulator);
  // A name, a person's role and another guild change nothing about who views what.
  await emulator.apply(
    guild({ roles: [{ id: '57', name: 'Pilot' }], members: [{ user: ids.river, roles: ['57'] }] }),
  );
  expect(heard().map(({ event }) => event)).toEqual(['GUILD_ROLE_UPDATE', 'GUILD_MEMBER_UPDATE']);
});
