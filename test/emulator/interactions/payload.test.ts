import { describe, expect, it } from 'vitest';
import type { Beginning } from '../../../src/emulator/interactions/new-interaction.ts';
import { bitsOf } from '../../../src/emulator/kernel/permission-bits.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { listen } from '../../helpers/gateway-listener.ts';
import { APP } from '../../helpers/platform.ts';
import { usedPlatform } from '../../helpers/used-application.ts';

const OTHER = ids.lighthouse;
const [DIRECT, AMONG, GROUP] = ['890', '891', '892'];
const CREW = '801';
const OUTSIDE = bitsOf(
  'ATTACH_FILES',
  'EMBED_LINKS',
  'MENTION_EVERYONE',
  'USE_EXTERNAL_EMOJIS',
  'USE_EXTERNAL_STICKERS',
  'SEND_VOICE_MESSAGES',
  'SEND_POLLS',
);
const joined_at = '2026-01-01T00:00:00Z';

/** A platform whose application hears of its interactions; river is a plain member there. */
async function hearing(change: object = {}) {
  const platform = await usedPlatform({
    guilds: [
      {
        id: ids.riverBank,
        owner: 'heron',
        roles: [{ id: CREW, name: 'crew', position: 1 }],
        members: [{ user: 'river', joined_at }],
        departed: [{ user: 'otter' }],
      },
    ],
    private_channels: [
      { id: DIRECT, recipients: ['river', APP] },
      { id: AMONG, recipients: ['river', 'otter'] },
      { id: GROUP, type: 'group', recipients: ['river', 'otter', APP] },
    ],
    ...change,
  });
  const heard = await listen(platform.emulator);
  /** What the application hears of an action of river. */
  const told = (given: Partial<Beginning> = {}) => {
    heard();
    platform.use(given);
    const events = heard();
    expect(events.map(({ event }) => event)).toEqual(['INTERACTION_CREATE']);
    return events[0]?.data;
  };
  return { ...platform, told, heard };
}

describe('an interaction that the application hears of', () => {
  it('has its place, its user and what both may do, in a guild and in private', async () => {
    const { told, emulator, only } = await hearing();
    const may = ['VIEW_CHANNEL', 'SEND_MESSAGES', 'ATTACH_FILES', 'MENTION_EVERYONE'] as const;
    await only(...may);
    const context = (given: object) => {
      const {
        context: kind,
        guild_id,
        app_permissions,
        authorizing_integration_owners,
        ...rest
      } = told(given);
      return {
        kind,
        guild_id,
        app_permissions: BigInt(app_permissions),
        owners: authorizing_integration_owners,
        user: rest.user?.id,
        member: rest.member?.user.id,
        locale: rest.guild_locale,
        channel: [rest.channel.id, rest.channel.type, rest.channel_id],
      };
    };
    const inGuild = {
      kind: 0,
      guild_id: ids.riverBank,
      app_permissions: bitsOf(...may),
      owners: { 0: ids.riverBank },
      user: undefined,
      member: ids.river,
      locale: 'en-US',
      channel: [ids.general, 0, ids.general],
    };
    const inPrivate = (kind: number, id: string, type: number, owners: object) => ({
      kind,
      guild_id: undefined,
      app_permissions: OUTSIDE,
      owners,
      user: ids.river,
      member: undefined,
      locale: undefined,
      channel: [id, type, id],
    });
    const contexts = () =>
      [ids.general, DIRECT, AMONG, GROUP].map((channel) => context({ channel })) as readonly object[];
    expect(contexts()).toEqual([
      inGuild,
      inPrivate(1, DIRECT, 1, { 0: '0' }),
      inPrivate(2, AMONG, 1, {}),
      inPrivate(2, GROUP, 3, {}),
    ]);
    const own = { 1: ids.river };
    await emulator.apply({ command_installs: [{ application: APP, owner: ids.river }] });
    expect(contexts()).toEqual([
      { ...inGuild, owners: { 0: ids.riverBank, ...own } },
      inPrivate(1, DIRECT, 1, { 0: '0', ...own }),
      inPrivate(2, AMONG, 1, own),
      inPrivate(2, GROUP, 3, own),
    ]);
    // Where its bot is no member, it may of what the user may only what needs no bot.
    await emulator.apply({ guilds: [{ id: ids.riverBank, members: [{ user: APP, remove: true }] }] });
    const outside = { ...inGuild, app_permissions: bitsOf('ATTACH_FILES', 'MENTION_EVERYONE') };
    expect(context({})).toEqual({ ...outside, owners: own });
    await emulator.apply({ command_installs: [{ application: APP, owner: ids.riverBank }] });
    expect(context({})).toEqual({ ...outside, owners: { 0: ids.riverBank, ...own } });
    await emulator.apply({
      command_installs: [
        { application: APP, owner: ids.riverBank, remove: true },
        { application: APP, owner: ids.river, remove: true },
      ],
    });
    expect(context({})).toEqual({ ...outside, owners: { 0: ids.riverBank } });
  });

  it('has the language of the user, or that of the action, and permissions of the user as text', async () => {
    const { told, emulator, only } = await hearing({ users: [{ id: ids.river, locale: 'de' }] });
    await only('VIEW_CHANNEL', 'USE_APPLICATION_COMMANDS');
    const bits = String(bitsOf('VIEW_CHANNEL', 'USE_APPLICATION_COMMANDS'));
    const { locale, member, channel, version, type, token } = told();
    expect([locale, member.permissions, channel.permissions, version, type]).toEqual([
      'de',
      bits,
      bits,
      1,
      2,
    ]);
    expect(Buffer.from(token, 'base64url').toString()).toMatch(/^interaction:\d+:[\w-]{64}$/);
    expect(told({ locale: 'fr' }).locale).toBe('fr');
    await emulator.apply({
      guilds: [{ id: ids.riverBank, preferred_locale: 'da', features: ['COMMUNITY'] }],
    });
    expect(told()).toMatchObject({
      guild_locale: 'da',
      guild: { id: ids.riverBank, locale: 'da', features: ['COMMUNITY'] },
    });
  });

  it('has the entitlements of its user and its guild for the application, which are in force', async () => {
    const sku = (id: string, application: string) => ({ id, name: 'Pass', type: 5, application });
    const { told, emulator } = await hearing({
      skus: [sku('81', APP), sku('82', OTHER)],
      entitlements: [
        { id: '91', sku: '81', application: APP, user: 'otter' },
        { id: '92', sku: '82', application: OTHER, user: 'river' },
        { id: '93', sku: '81', application: APP, user: 'river', deleted: true },
        { id: '94', sku: '81', application: APP, user: 'river', ends_at: '2020-01-01T00:00:00Z' },
        { id: '95', sku: '81', application: APP, user: 'river' },
        { id: '96', sku: '81', application: APP, user: null, guild: ids.harbour },
        { id: '97', sku: '81', application: APP, user: null, guild: ids.riverBank },
      ],
    });
    const found = (channel: string) =>
      told({ channel })
        .entitlements.map(({ id }: { id: string }) => id)
        .filter((id: string) => id.length === 2);
    expect(found(ids.general)).toEqual(['95', '97']);
    expect(found(DIRECT)).toEqual(['95']);
    expect(emulator.tables.entitlements.size).toBeGreaterThan(6);
  });

  it('resolves what it refers to, each once, and nothing that is not there', async () => {
    const { told, emulator, ask, use, answer } = await hearing();
    const { body: said } = await ask(`POST /channels/${ids.general}/messages`, { content: 'first' });
    const command = use();
    const { body: hidden } = await answer(
      command,
      { type: 4, data: { content: 'psst', flags: 64 } },
      '?with_response=true',
    );
    const secret = hidden.resource.message.id;
    const file = await emulator.interactions.storeFile({
      name: 'map.png',
      type: 'image/png',
      bytes: Buffer.from('x'),
    });
    const plain = await emulator.interactions.storeFile({ name: 'notes', bytes: Buffer.from('abc') });
    const resolvedOf = (resolves: object, channel: string = ids.general) =>
      told({ resolves, channel }).data.resolved;
    const keys = (found: object | undefined) =>
      found &&
      Object.fromEntries(Object.entries(found).map(([list, one]) => [list, Object.keys(one as object)]));
    const resolves = {
      users: [ids.heron, ids.otter, '1', ids.heron],
      roles: ['1', CREW],
      channels: [ids.lounge, '1', ids.arrivals],
      messages: [secret, '1', said.id],
      attachments: ['1', plain.id, file.id],
    };
    const found = resolvedOf(resolves);
    expect(keys(found)).toEqual({
      users: [ids.heron, ids.otter],
      members: [ids.heron],
      roles: [CREW],
      channels: [ids.lounge, ids.arrivals],
      messages: [secret, said.id],
      attachments: [plain.id, file.id],
    });
    expect(found.users[ids.otter]).toMatchObject({ id: ids.otter, username: 'otter' });
    expect(found.members[ids.heron]).toMatchObject({
      nick: 'Heron on the Bank',
      permissions: expect.any(String),
    });
    for (const left of ['user', 'mute', 'deaf']) expect(found.members[ids.heron]).not.toHaveProperty(left);
    expect(found.channels[ids.lounge]).toMatchObject({
      name: 'Lounge',
      type: 2,
      app_permissions: expect.any(String),
    });
    // The bot is not in that guild.
    expect(found.channels[ids.arrivals]).not.toHaveProperty('app_permissions');
    expect(found.messages[secret].content).toBe('psst');
    expect(found.attachments).toMatchObject({
      [plain.id]: { filename: 'notes', size: 3, ephemeral: true },
      [file.id]: { filename: 'map.png', size: 1, content_type: 'image/png', ephemeral: true },
    });
    expect(found.attachments[plain.id]).not.toHaveProperty('content_type');
    expect(found.attachments[file.id].url).toMatch(/^http:\/\/127\.0\.0\.1:1\/.*map\.png/);

    expect(keys(resolvedOf({ users: [ids.heron] }, DIRECT))).toEqual({ users: [ids.heron] });
    expect(resolvedOf({ users: ['1'], roles: [] })).toBeUndefined();
    expect(resolvedOf({})).toBeUndefined();
  });

  it('has the message of its component, also an ephemeral one', async () => {
    const { use, answer, told } = await hearing();
    const BUTTON = [{ type: 1, components: [{ type: 2, style: 1, label: 'Go', custom_id: 'go' }] }];
    for (const flags of [0, 64]) {
      const data = { content: `flags ${flags}`, components: BUTTON, flags };
      const { body } = await answer(use(), { type: 4, data }, '?with_response=true');
      const { id } = body.resource.message;
      const { message } = told({ type: 3, message: id, data: { custom_id: 'go', component_type: 2, id: 2 } });
      expect(message).toMatchObject({ id, content: `flags ${flags}`, flags });
    }
  });
});

describe('an action that the client does not offer', () => {
  it('is refused with its reason', async () => {
    const { use, answer, ask, heard } = await hearing();
    const BUTTON = [{ type: 1, components: [{ type: 2, style: 1, label: 'Go', custom_id: 'go' }] }];
    const written = async (flags: number) => {
      const json = { type: 4, data: { content: 'x', components: BUTTON, flags } };
      return (await answer(use(), json, '?with_response=true')).body.resource.message.id as string;
    };
    const [open, secret] = [await written(0), await written(64)];
    const { body: plain } = await ask(`POST /channels/${ids.general}/messages`, { content: 'x' });
    const opening = use();
    await answer(opening, {
      type: 9,
      data: {
        custom_id: 'form',
        title: 'Form',
        components: [{ type: 18, label: 'Name', component: { type: 4, custom_id: 'name', style: 1 } }],
      },
    });
    const other = use();
    heard();
    const MESSAGE = 'message: there is no such message in this channel';
    const MODAL = 'interaction: no modal was opened by this interaction';
    const CHANNEL = 'channel: there is no such channel, or the user does not see it';
    for (const [given, reason] of [
      [{ application: '77' }, 'application: is not written down; add it to the fixture, or by a patch'],
      [{ user: '1' }, 'user: there is no such user'],
      [{ user: APP }, 'user: is a bot; only human users use applications'],
      [{ channel: '1' }, CHANNEL],
      [{ channel: ids.hidden }, CHANNEL],
      [{ channel: AMONG, user: ids.heron }, CHANNEL],
      [{ type: 3 }, MESSAGE],
      [{ type: 3, message: '1' }, MESSAGE],
      [{ type: 3, message: open, channel: DIRECT }, MESSAGE],
      [{ type: 3, message: open, application: OTHER }, 'message: was not written by this application'],
      [{ type: 3, message: secret, user: ids.heron }, 'message: is ephemeral for another user'],
      [{ type: 5 }, MODAL],
      [{ type: 5, from: '1' }, MODAL],
      [{ type: 5, from: other.id }, MODAL],
      [{ type: 5, from: opening.id, user: ids.heron }, 'interaction: is of another user or application'],
      [{ type: 5, from: opening.id, application: OTHER }, 'interaction: is of another user or application'],
    ] as const) {
      expect(() => use(given), JSON.stringify(given)).toThrow(expect.objectContaining({ message: reason }));
    }
    expect(heard()).toEqual([]);
    expect(use({ type: 3, message: secret }).message).toBe(secret);
    expect(use({ type: 3, message: plain.id }).message).toBe(plain.id);
    // What is no component has no message.
    expect(use({ message: open })).not.toHaveProperty('message');
  });

  it('is told in the metadata of its answer, with what it came from', async () => {
    const { use, answer } = await hearing();
    const metadata = async (used: ReturnType<typeof use>) => {
      const { body } = await answer(used, { type: 4, data: { content: 'x' } }, '?with_response=true');
      const { user, target_user, ...rest } = body.resource.message.interaction_metadata;
      return {
        ...rest,
        user: user.id,
        ...(target_user === undefined ? {} : { target_user: target_user.id }),
      };
    };
    const owners = { 0: ids.riverBank };
    const base = { user: ids.river, authorizing_integration_owners: owners };
    const greet = use({ data: { id: '1', name: 'Greet', type: 2, target_id: ids.heron } });
    expect(await metadata(greet)).toEqual({
      ...base,
      id: greet.id,
      type: 2,
      name: 'Greet',
      target_user: ids.heron,
    });
    const { body } = await answer(use(), { type: 4, data: { content: 'x' } }, '?with_response=true');
    const target = body.resource.message.id;
    const log = use({ data: { id: '1', name: 'Log', type: 3, target_id: target } });
    expect(await metadata(log)).toMatchObject({ ...base, id: log.id, type: 2, target_message_id: target });
    const click = use({ type: 3, message: target, data: { custom_id: 'go', component_type: 2, id: 2 } });
    expect(await metadata(click)).toEqual({ ...base, id: click.id, type: 3, interacted_message_id: target });
  });
});
