import { describe, expect, it } from 'vitest';
import { INTENTS } from '../../../../src/emulator/api/dispatch.ts';
import type { Permission } from '../../../../src/emulator/kernel/permission-bits.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { ALL_INTENTS, type Heard, listen, listeningBot } from '../../../helpers/gateway-listener.ts';
import { APP } from '../../../helpers/platform.ts';

const GUILD = `/guilds/${ids.riverBank}`;
const HARBOUR = { guilds: [{ id: ids.harbour, members: [{ user: APP }] }] };
const gone = (user: string) => ({ members: [{ user, remove: true }] });

const names = (heard: readonly Heard[]) => heard.map(({ event }) => event);
const of = (heard: readonly Heard[], event: string) =>
  heard.filter((one) => one.event === event).map(({ data }) => data);

describe('a bot that joins and leaves a guild', () => {
  it.each([
    ['is taken out', ({ apply }: Bot) => apply({ guilds: [{ id: ids.harbour, ...gone(APP) }] })],
    ['leaves', ({ ask }: Bot) => ask(`DELETE /users/@me/guilds/${ids.harbour}`)],
    [
      'is banned',
      ({ apply }: Bot) =>
        apply({ guilds: [{ id: ids.harbour, ...gone(APP), bans: [{ user: APP, reason: null }] }] }),
    ],
    ['loses the guild', ({ apply }: Bot) => apply({ guilds: [{ id: ids.harbour, remove: true }] })],
  ])('receives GUILD_CREATE with the whole guild, and GUILD_DELETE when it %s', async (_, go) => {
    const bot = await listeningBot();
    await bot.apply(HARBOUR);
    const [created, ...others] = bot.heard();
    expect(created).toMatchObject({ event: 'GUILD_CREATE', data: { id: ids.harbour, unavailable: false } });
    expect(created?.data.channels).toHaveLength(3);
    expect(created?.data.soundboard_sounds).toMatchObject([{ name: 'foghorn' }]);
    // The integration is one of the guild.
    expect(names(others)).toEqual(['GUILD_INTEGRATIONS_UPDATE', 'INTEGRATION_CREATE']);
    await go(bot);
    expect(bot.heard()).toEqual([{ event: 'GUILD_DELETE', data: { id: ids.harbour } }]);
  });

  it('is sent to others as an added and a removed member', async () => {
    const bot = await listeningBot();
    await bot.apply({ users: [{ id: '44', username: 'helper', bot: true }] });
    expect(bot.heard()).toEqual([]);
    await bot.guild({ members: [{ user: '44' }] });
    await bot.guild(gone('44'));
    const heard = bot.heard();
    expect(names(heard)).toEqual(['GUILD_MEMBER_ADD', 'GUILD_MEMBER_REMOVE']);
    for (const { data } of heard) expect(data).toMatchObject({ guild_id: ids.riverBank, user: { id: '44' } });
  });
});

type Bot = Awaited<ReturnType<typeof listeningBot>>;

describe('GUILD_CREATE', () => {
  const wide = { guilds: [{ id: ids.riverBank, ...gone(APP) }] };
  /** The members that a session with these intents is told with the guild. */
  async function members(bot: Bot, intents: number, largeThreshold = 50): Promise<string[]> {
    await bot.apply(wide);
    const heard = await listen(bot.emulator, { intents, largeThreshold });
    await bot.guild({ members: [{ user: APP }] });
    const [data] = of(heard(), 'GUILD_CREATE');
    return data.members.map(({ user }: { user: { username: string } }) => user.username).sort();
  }

  it('has all members for sessions with presences, and those of a large guild that are not offline', async () => {
    const bot = await listeningBot();
    expect(await members(bot, ALL_INTENTS)).toEqual(['harbour', 'heron', 'otter', 'river']);
    expect(await members(bot, ALL_INTENTS, 3)).toEqual(['harbour', 'heron', 'river']);
    expect(await members(bot, INTENTS.GUILDS)).toEqual(['harbour']);
    await bot.apply({ voice_states: [{ user: 'otter', channel: ids.lounge }] });
    expect(await members(bot, INTENTS.GUILDS)).toEqual(['harbour', 'otter']);
  });

  it('has the voice states of the guild, without the guild id', async () => {
    const bot = await listeningBot();
    await bot.apply({ ...wide, voice_states: [{ user: 'otter', channel: ids.lounge }] });
    bot.heard();
    await bot.guild({ members: [{ user: APP }] });
    const [data] = of(bot.heard(), 'GUILD_CREATE');
    expect(data).toMatchObject({ member_count: 4, large: false });
    expect(data.voice_states).toEqual([
      expect.objectContaining({ user_id: ids.otter, channel_id: ids.lounge }),
    ]);
    expect(data.voice_states[0]).not.toHaveProperty('guild_id');
  });
});

describe('the members of a guild', () => {
  it('include a new user when everyone is a member, until the user is removed [V-7]', async () => {
    const bot = await listeningBot();
    await bot.apply({ users: [{ id: '41', username: 'vole' }] });
    await bot.apply({ users: [{ id: '41', global_name: 'Vole' }] });
    await bot.apply({ users: [{ id: '41', remove: true }] });
    const heard = bot.heard();
    expect(names(heard)).toEqual(['GUILD_MEMBER_ADD', 'GUILD_MEMBER_UPDATE', 'GUILD_MEMBER_REMOVE']);
    expect(heard[1]?.data.user.global_name).toBe('Vole');
  });

  it('are sent without the intent only when they are the bot itself [V-7]', async () => {
    const bot = await listeningBot();
    const heard = await listen(bot.emulator, { intents: INTENTS.GUILDS });
    await bot.guild({ members: [{ user: APP, nick: 'Tug' }] });
    await bot.guild({ members: [{ user: 'otter', nick: 'Ot' }] });
    expect(of(heard(), 'GUILD_MEMBER_UPDATE')).toMatchObject([{ nick: 'Tug', user: { id: APP } }]);
    expect(of(bot.heard(), 'GUILD_MEMBER_UPDATE')).toHaveLength(2);
  });

  it('exclude a provisional account, and are sent when the membership mode changes [V-7]', async () => {
    const bot = await listeningBot();
    const key = { application: APP, provider: 'STEAM', external_user_id: 'guest' };
    await bot.apply({
      users: [{ id: '42', username: 'guest' }],
      external_identities: [{ ...key, user: '42', status: 'provisional' }],
    });
    await bot.apply({
      users: [{ id: '42', remove: true }],
      external_identities: [{ ...key, user: 'otter', status: 'linked' }],
    });
    expect(bot.heard()).toEqual([]);
    await bot.guild({ membership: 'listed' });
    await bot.guild({ membership: 'everybody' });
    expect(names(bot.heard())).toEqual(['GUILD_MEMBER_REMOVE', 'GUILD_MEMBER_ADD']);
  });

  it('are not sent when one of their roles is deleted [V-7]', async () => {
    const bot = await listeningBot();
    await bot.guild({ roles: [{ id: '47', name: 'crew' }], members: [{ user: 'otter', roles: ['47'] }] });
    bot.heard();
    await bot.guild({ roles: [{ id: '47', remove: true }] });
    expect(names(bot.heard())).toEqual(['GUILD_ROLE_DELETE']);
  });
});

describe('an event is restricted', () => {
  it.each<[Permission, readonly string[], (bot: Bot) => unknown]>([
    ['BAN_MEMBERS', ['GUILD_BAN_ADD'], ({ guild }) => guild({ bans: [{ user: 'otter', reason: null }] })],
    [
      'VIEW_AUDIT_LOG',
      ['GUILD_AUDIT_LOG_ENTRY_CREATE'],
      ({ guild }) => guild({ audit_log: [{ id: '48', action_type: 1, user: 'river', target: null }] }),
    ],
    [
      'MANAGE_CHANNELS',
      ['INVITE_CREATE'],
      ({ apply }) =>
        apply({
          channel_invites: [{ code: 'cove', channel: ids.general, created_at: '2030-01-01T00:00:00Z' }],
        }),
    ],
    [
      'MANAGE_GUILD',
      ['AUTO_MODERATION_RULE_CREATE'],
      ({ guild }) =>
        guild({ automod_rules: [{ id: '49', name: 'x', trigger_type: 'spam', actions: [{ type: 1 }] }] }),
    ],
  ])('by %s [V-11]', async (permission, expected, cause) => {
    const bot = await listeningBot();
    await bot.may('VIEW_CHANNEL');
    bot.heard();
    await cause(bot);
    expect(names(bot.heard())).toEqual([]);
    const other = await listeningBot();
    await other.may('VIEW_CHANNEL', permission);
    other.heard();
    await cause(other);
    expect(names(other.heard())).toEqual(expected);
  });

  it('to MESSAGE_CONTENT for the text that AutoMod matched', async () => {
    const bot = await listeningBot();
    const blind = await listen(bot.emulator, { intents: ALL_INTENTS & ~INTENTS.MESSAGE_CONTENT });
    await bot.guild({
      automod_rules: [
        {
          id: '49',
          name: 'No cats',
          trigger_type: 'keyword',
          keyword_filter: ['cat'],
          actions: [{ type: 1 }, { type: 2, channel: ids.general }],
        },
      ],
    });
    expect(() => bot.emulator.messages.send(ids.general, 'a cat', ids.otter)).toThrow(/moderation/);
    const told = of(bot.heard(), 'AUTO_MODERATION_ACTION_EXECUTION');
    const common = { rule_id: '49', user_id: ids.otter, channel_id: ids.general, matched_keyword: 'cat' };
    expect(told).toMatchObject([
      { ...common, action: { type: 1 }, content: 'a cat', matched_content: 'cat' },
      { ...common, action: { type: 2 }, alert_system_message_id: expect.stringMatching(/^\d+$/) },
    ]);
    expect(told[0]).not.toHaveProperty('message_id');
    expect(of(blind(), 'AUTO_MODERATION_ACTION_EXECUTION')[0]).toMatchObject({
      ...common,
      content: '',
      matched_content: '',
    });
  });

  it('to the members of a private thread, with their own membership', async () => {
    const bot = await listeningBot();
    await bot.may('VIEW_CHANNEL', 'SEND_MESSAGES_IN_THREADS');
    bot.heard();
    const thread = { id: '61', name: 'plans', type: 'private_thread', parent: ids.general, owner: 'river' };
    await bot.guild({ channels: [thread] });
    expect(bot.heard()).toEqual([]);
    const join = { thread: '61', user: APP, joined_at: '2030-01-01T00:00:00Z' };
    await bot.apply({ thread_members: [join] });
    const heard = bot.heard();
    expect(names(heard)).toEqual(['THREAD_CREATE', 'THREAD_MEMBER_UPDATE', 'THREAD_MEMBERS_UPDATE']);
    expect(heard[0]?.data).toMatchObject({ id: '61', member: { user_id: APP } });
    expect(heard[0]?.data).not.toHaveProperty('newly_created');
    await bot.apply({ thread_members: [{ thread: '61', user: APP, remove: true }] });
    expect(bot.heard()).toMatchObject([
      { event: 'THREAD_MEMBERS_UPDATE', data: { removed_member_ids: [APP], member_count: 0 } },
    ]);
  });

  it('to the bot itself for thread members without GUILD_MEMBERS', async () => {
    const bot = await listeningBot();
    const heard = await listen(bot.emulator, { intents: INTENTS.GUILDS });
    const thread = { id: '61', name: 'late', type: 'public_thread', parent: ids.general };
    await bot.guild({ channels: [thread] });
    await bot.apply({ thread_members: [{ thread: '61', user: 'otter', joined_at: '2030-01-01T00:00:00Z' }] });
    expect(names(heard())).toEqual(['THREAD_CREATE']);
    expect(names(bot.heard())).toEqual(['THREAD_CREATE', 'THREAD_MEMBERS_UPDATE']);
  });

  it('to viewers of the channel for scheduled events and open stages', async () => {
    const bot = await listeningBot();
    await bot.may('VIEW_CHANNEL');
    bot.heard();
    const channel = { id: '62', name: 'stage', type: 'stage', deny: [APP] };
    await bot.guild({ channels: [channel] });
    await bot.guild({
      scheduled_events: [
        {
          id: '63',
          name: 'Choir',
          type: 'stage',
          channel: '62',
          start: '2090-01-01T00:00:00Z',
          users: [{ user: 'otter' }],
        },
      ],
    });
    await bot.apply({ stage_instances: [{ channel: '62', id: '64', topic: 'Songs' }] });
    expect(names(bot.heard())).toEqual(['CHANNEL_CREATE']);
    await bot.guild({ channels: [{ id: '62', deny: [] }], scheduled_events: [{ id: '63', name: 'Choirs' }] });
    expect(names(bot.heard())).toContain('GUILD_SCHEDULED_EVENT_UPDATE');
    await bot.guild({ channels: [{ id: '62', remove: true }] });
    expect(names(bot.heard()).sort()).toEqual([
      'CHANNEL_DELETE',
      'GUILD_SCHEDULED_EVENT_DELETE',
      'STAGE_INSTANCE_DELETE',
    ]);
  });
});

describe('an event is sent', () => {
  it('for a change by the desktop, by the clock and by an import', async () => {
    const bot = await listeningBot();
    bot.emulator.setGuild(ids.riverBank, 'name', 'Left Bank');
    expect(of(bot.heard(), 'GUILD_UPDATE')).toMatchObject([{ name: 'Left Bank' }]);
    bot.emulator.clock.freeze();
    const thread = { id: '61', name: 'late', type: 'public_thread', parent: ids.general };
    await bot.guild({ channels: [thread] });
    bot.heard();
    bot.emulator.clock.advance(1441 * 60_000);
    expect(of(bot.heard(), 'THREAD_UPDATE')).toMatchObject([
      { id: '61', thread_metadata: { archived: true } },
    ]);
    const state = bot.emulator.exportState();
    await bot.done(`POST ${GUILD}/roles`, { name: 'crew' });
    bot.heard();
    bot.emulator.importState(state, 'state');
    expect(names(bot.heard())).toContain('GUILD_ROLE_DELETE');
  });

  it('not for a transaction that is rolled back or changes nothing', async () => {
    const bot = await listeningBot();
    await bot.ask(`POST ${GUILD}/channels`, { name: '' });
    await bot.guild({ name: bot.emulator.tables.guilds.get(ids.riverBank)?.name });
    expect(bot.heard()).toEqual([]);
  });

  it('for an invite, with its roles and its inviter [P-1]', async () => {
    const bot = await listeningBot();
    await bot.guild({ roles: [{ id: '47', name: 'crew', position: 1 }] });
    bot.heard();
    const { code } = await bot.done(`POST /channels/${ids.general}/invites`, {
      role_ids: ['47'],
      max_uses: 2,
    });
    expect(of(bot.heard(), 'INVITE_CREATE')).toMatchObject([
      {
        code,
        channel_id: ids.general,
        guild_id: ids.riverBank,
        max_uses: 2,
        uses: 0,
        role_ids: ['47'],
        inviter: { id: APP },
      },
    ]);
    await bot.done(`DELETE /invites/${code}`);
    expect(of(bot.heard(), 'INVITE_DELETE')).toEqual([
      { code, channel_id: ids.general, guild_id: ids.riverBank },
    ]);
  });
});

it('a new member is sent with a presence, and a boost with an update of the guild [V-7, V-3]', async () => {
  const { guild, apply: patch, heard } = await listeningBot();
  const vole = '41';
  await patch({ users: [{ id: vole, username: 'vole' }], user_presences: [{ user: vole, status: 'dnd' }] });
  await guild({ membership: 'listed' });
  heard();
  const told = async (member: object) => {
    await guild({ members: [{ user: vole, ...member }] });
    return heard().map(({ event, data }) => [event, data.status ?? data.premium_subscription_count]);
  };
  expect(await told({})).toEqual([
    ['GUILD_MEMBER_ADD', undefined],
    ['PRESENCE_UPDATE', 'dnd'],
  ]);
  expect(await told({ premium_since: '2024-01-01T00:00:00Z' })).toEqual([
    ['GUILD_UPDATE', 1],
    ['GUILD_MEMBER_UPDATE', undefined],
  ]);
  expect(await told({ remove: true })).toEqual([
    ['GUILD_UPDATE', 0],
    ['GUILD_MEMBER_REMOVE', undefined],
  ]);
});

it('a login of another user sends the friends whose presence only the relationship list has [V-3]', async () => {
  const { apply: patch, heard } = await listeningBot();
  heard();
  await patch({ me: ids.otter });
  const told = heard().filter(
    ({ event, data }) => event === 'PRESENCE_UPDATE' && data.guild_id === ids.riverBank,
  );
  expect(told.map(({ data }) => data.user.id)).toContain(ids.heron);
});

it('the member count stays correct when a departed user is added again [V-7]', async () => {
  const { guild, done, call, bot } = await listeningBot();
  const count = async () => {
    const { body } = await call(`GET /guilds/${ids.riverBank}?with_counts=true`, { headers: bot() });
    return body.approximate_member_count;
  };
  const all = await count();
  await done(`DELETE /guilds/${ids.riverBank}/members/${ids.otter}`);
  expect(await count()).toBe(all - 1);
  await guild({ members: [{ user: ids.otter }] });
  expect(await count()).toBe(all);
  await guild({ owner: ids.otter });
  expect(await count()).toBe(all);
});

it('a user who is removed while a guild changes to listed members leaves the guild [V-7]', async () => {
  const { emulator, guild, apply: patch, heard } = await listeningBot();
  await guild({ membership: 'listed' });
  const listed = emulator.exportState();
  await guild({ membership: 'everybody' });
  await patch({ users: [{ id: '41', username: 'vole' }] });
  heard();
  emulator.importState(listed, 'state');
  expect(heard().map(({ event, data }) => [event, data.user?.id])).toContainEqual([
    'GUILD_MEMBER_REMOVE',
    '41',
  ]);
});
