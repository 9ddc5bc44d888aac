import { describe, expect, it } from 'vitest';
import { EmulatorClock } from '../../../../src/emulator/kernel/clock.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { type GuildPlatform, guildPlatform, ROLES } from '../../../helpers/guild-platform.ts';
import { APP } from '../../../helpers/platform.ts';

const RULE = { id: '97', name: 'No cats', trigger_type: 'keyword', keyword_filter: ['*cat*'] };
const BLOCK = { type: 'block_message', custom_message: 'Not here.' };
const ALERT = { type: 'send_alert', channel: ids.general };
const TIMEOUT = { type: 'timeout', duration_seconds: 60 };

/** What the bot writes in `general`, and what the platform answers. */
const write =
  ({ call, bot }: GuildPlatform, channel: string = ids.general) =>
  (content: string) =>
    call(`POST /channels/${channel}/messages`, { headers: bot(), json: { content } });

async function ruled(rule: object, permissions: Parameters<typeof guildPlatform>[0] = []) {
  const platform = await guildPlatform(permissions);
  await platform.guild({ automod_rules: [{ ...RULE, ...rule }] });
  const { emulator } = platform;
  const audited = () => [...emulator.tables.audit_log.by('guild', ids.riverBank)];
  const last = () => emulator.tables.messages.by('channel', ids.general).last(1)[0];
  return {
    ...platform,
    write: write(platform),
    actions: () => audited().map((one) => one.action_type),
    last,
  };
}

describe('a message that matches an AutoMod rule', () => {
  it('is blocked with 200000, reported to a channel and logged, and its author is timed out', async () => {
    const { write, emulator, actions, last } = await ruled({ actions: [BLOCK, ALERT, TIMEOUT] });
    const { status, body } = await write('my location');
    expect([status, body]).toEqual([
      400,
      { message: 'Message was blocked by automatic moderation', code: 200_000 },
    ]);
    expect(last()).toMatchObject({ type: 24, author: APP, content: '' });
    expect(last()?.embeds?.[0]).toMatchObject({
      type: 'auto_moderation_message',
      description: 'my location',
      fields: expect.arrayContaining([
        { name: 'rule_name', value: 'No cats', inline: false },
        { name: 'keyword', value: '*cat*', inline: false },
        { name: 'keyword_matched_content', value: 'cat', inline: false },
        { name: 'channel_id', value: ids.general, inline: false },
      ]),
    });
    expect(actions()).toEqual([143, 144, 145]);
    const until = emulator.tables.members.get(ids.riverBank, APP)?.communication_disabled_until;
    expect(Date.parse(until ?? '') - emulator.clock.now()).toBeGreaterThan(50_000);
    expect((await write('harmless')).body.code).toBe(50013);
  });

  it('is stored where the rule only sends an alert, and the alert names the message', async () => {
    const { write, last, emulator } = await ruled({ actions: [ALERT] });
    const { status, body } = await write('cat');
    expect(status).toBe(200);
    expect(last()?.embeds?.[0]?.['fields']).toContainEqual({
      name: 'flagged_message_id',
      value: body.id,
      inline: false,
    });
    expect(emulator.tables.messages.get(body.id)?.content).toBe('cat');
  });

  it('is refused as an edit', async () => {
    const { write, call, bot, emulator } = await ruled({ actions: [BLOCK] });
    const { body } = await write('fine');
    const path = `PATCH /channels/${ids.general}/messages/${body.id}`;
    const answer = await call(path, { headers: bot(), json: { content: 'location' } });
    expect([answer.status, answer.body.code]).toEqual([400, 200_000]);
    expect(emulator.tables.messages.get(body.id)?.content).toBe('fine');
    expect((await call(path, { headers: bot(), json: { content: 'finer' } })).status).toBe(200);
  });

  it('creates no post in a forum, and the other actions of the rule remain', async () => {
    const { guild, call, bot, actions, emulator } = await ruled({ actions: [BLOCK, ALERT] });
    await guild({ channels: [{ id: '88', name: 'talk', type: 'forum' }] });
    const json = { name: 'hello', message: { content: 'cat' } };
    const answer = await call('POST /channels/88/threads', { headers: bot(), json });
    expect([answer.status, answer.body.code]).toEqual([400, 200_000]);
    expect([...emulator.tables.channels.by('parent', '88')]).toEqual([]);
    expect(actions()).toEqual([143, 144]);
  });

  it('is refused to a user at the command line as well, with the message of the rule', async () => {
    const { emulator, actions } = await ruled({ actions: [BLOCK] });
    expect(() => emulator.messages.send(ids.general, 'a cat', ids.otter)).toThrow(/moderation: Not here\./);
    expect(actions()).toEqual([143]);
    expect(emulator.messages.send(ids.general, 'a dog', ids.otter).content).toBe('a dog');
    // River owns the guild.
    expect(emulator.messages.send(ids.general, 'a cat', ids.river).content).toBe('a cat');
  });

  it('prevents its timed-out author from sending at the command line as well', async () => {
    const { emulator, guild } = await ruled({ actions: [BLOCK, { type: 'timeout', duration_seconds: 60 }] });
    const say = (author: string) => emulator.messages.send(ids.general, 'a dog', author).content;
    expect(() => emulator.messages.send(ids.general, 'a cat', ids.otter)).toThrow(/moderation/);
    expect(() => say(ids.otter)).toThrow(/is timed out until 20/);
    emulator.clock.advance(60_000);
    expect(say(ids.otter)).toBe('a dog');
    // No timeout binds the owner.
    await guild({ members: [{ user: ids.river, communication_disabled_until: '2080-01-01T00:00:00Z' }] });
    expect(say(ids.river)).toBe('a dog');
  });

  it('at the command line is refused from a user who is not in the guild', async () => {
    const { emulator, guild } = await ruled({ actions: [BLOCK] });
    await guild({ departed: [{ user: ids.otter }] });
    const before = emulator.exportState();
    expect(() => emulator.messages.send(ids.general, 'a dog', ids.otter)).toThrow(
      /is not a member of the guild/,
    );
    expect(emulator.exportState()).toBe(before);
  });

  it.each<[string, object]>([
    ['off', { enabled: false }],
    ['of a spared role', { exempt_roles: [ROLES.own] }],
    ['of a spared channel', { exempt_channels: [ids.general] }],
    ['of a spared category', { exempt_channels: [ids.category] }],
    ['of an allowed word', { allow_list: ['location'] }],
  ])('is accepted with a rule that is %s', async (_, more) => {
    const { write, guild } = await ruled({ actions: [BLOCK], ...more });
    await guild({ channels: [{ id: ids.general, parent: ids.category }] });
    expect((await write('location')).status).toBe(200);
  });

  it('is accepted from a member who can manage the guild', async () => {
    const { write, may } = await ruled({ actions: [BLOCK] }, ['MANAGE_GUILD']);
    expect((await write('cat')).status).toBe(200);
    await may();
    expect((await write('cat')).status).toBe(400);
  });

  it.each<[string, object, string, string]>([
    [
      'patterns, whatever the case',
      { keyword_filter: [], regex_patterns: ['^b[aeiou]t'] },
      'BUTter',
      'a bat',
    ],
    [
      'lists of the platform',
      { trigger_type: 'keyword_preset', presets: ['profanity', 'slurs'] },
      'an emu-slur here',
      'emu-sexual-content',
    ],
    ['spam', { trigger_type: 'spam' }, 'emu-spam', 'spam'],
    [
      'mentions',
      { trigger_type: 'mention_spam', mention_total_limit: 1 },
      `<@${ids.otter}> <@${ids.heron}>`,
      `<@${ids.otter}> <@${ids.otter}>`,
    ],
  ])('is found by %s', async (_, rule, bad, good) => {
    const { write } = await ruled({ actions: [BLOCK], ...rule });
    expect((await write(good)).status).toBe(200);
    expect((await write(bad)).body.code).toBe(200_000);
  });

  it('is found in time by a pattern that would never finish with backtracking', async () => {
    const { write } = await ruled({
      actions: [BLOCK],
      keyword_filter: [],
      regex_patterns: ['^(a+)+$', '(a|aa)+$', '(.*a){25}'],
    });
    // With backtracking this is 2 to the power of 1999 steps.
    expect((await write(`${'a'.repeat(1999)}b`)).body.code).toBe(200_000);
    expect((await write(`${'b'.repeat(1999)}`)).status).toBe(200);
  });

  it('times out its author until the clock reaches the end of the timeout', async () => {
    const { write, emulator } = await ruled({ actions: [BLOCK, TIMEOUT] });
    expect(emulator.clock).toBeInstanceOf(EmulatorClock);
    await write('cat');
    expect((await write('dog')).status).toBe(403);
    emulator.clock.advance(61_000);
    expect((await write('dog')).status).toBe(200);
  });
});

describe('a member whose name matches an AutoMod rule', () => {
  const NAMES = {
    trigger_type: 'member_profile',
    event_type: 'member_update',
    keyword_filter: ['admin*'],
    actions: [{ type: 'block_member_interaction' }, ALERT],
  };

  it('can only view channels until the name changes', async () => {
    const { ask, write, actions, last, guild } = await ruled(NAMES, ['CHANGE_NICKNAME']);
    await ask('PATCH /members/@me', { json: { nick: 'Administrator' } });
    expect((await ask(`GET /members/${APP}`)).body.flags).toBe(1 << 7);
    expect(actions()).toEqual([24, 146, 144]);
    expect(last()).toMatchObject({ type: 24, author: APP });
    expect((await write('hello')).body.code).toBe(50013);
    // Who may only look cannot call themselves otherwise: somebody else does.
    await guild({ members: [{ user: APP, nick: null }] });
    expect((await write('hello')).status).toBe(200);
  });

  it('is checked when others change the nickname, and when the display name changes', async () => {
    const { guild, emulator } = await ruled(NAMES);
    const flags = () => emulator.tables.members.get(ids.riverBank, ids.otter)?.flags;
    await guild({ members: [{ user: 'otter', nick: 'admin' }] });
    expect(flags()).toBe(1 << 7);
    await guild({ members: [{ user: 'otter', nick: 'Lontra' }] });
    expect(flags()).toBe(0);
    await emulator.apply({ users: [{ id: ids.otter, global_name: 'admins' }] });
    expect(flags()).toBe(1 << 7);
  });
});
