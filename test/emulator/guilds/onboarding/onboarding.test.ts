import { describe, expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { type GuildPlatform, guildPlatform, ROLES } from '../../../helpers/guild-platform.ts';

const MAY = ['MANAGE_GUILD', 'MANAGE_ROLES'] as const;
const CHANNELS = ['71', '72', '73', '74', '75', '76', '77'];

/** Seven channels; nobody but those with a role may write in the first `closed`. */
async function channels({ guild }: GuildPlatform, closed: number) {
  await guild({
    channels: CHANNELS.map((id, index) => ({
      id,
      name: `c${id}`,
      type: 'text',
      role_overwrites: index < closed ? [{ role: ids.riverBank, deny: ['SEND_MESSAGES'] }] : [],
    })),
  });
}

const prompt = (more: object = {}, option: object = {}) => ({
  id: '0',
  title: 'Which boat?',
  options: [{ title: 'Tug', role_ids: [ROLES.crew], channel_ids: [ids.general], ...option }],
  ...more,
});

describe('onboarding', () => {
  it('stores questions, answers and channels, audits them, and preserves the ids of existing ones', async () => {
    const { ask, emulator } = await guildPlatform(MAY);
    const actions = () =>
      [...emulator.tables.audit_log.by('guild', ids.riverBank)].map((one) => one.action_type);
    const json = { prompts: [prompt()], default_channel_ids: [ids.general, ids.lounge], mode: 1 };
    const { body } = await ask('PUT /onboarding', { json });
    expect(body).toMatchObject({
      guild_id: ids.riverBank,
      enabled: false,
      mode: 1,
      default_channel_ids: [ids.general, ids.lounge],
      prompts: [
        {
          title: 'Which boat?',
          single_select: false,
          type: 0,
          options: [
            {
              title: 'Tug',
              description: '',
              emoji: { id: null, name: null, animated: false },
              role_ids: [ROLES.crew],
              channel_ids: [ids.general],
            },
          ],
        },
      ],
    });
    expect(actions()).toEqual([163, 167]);
    const [{ id, options }] = body.prompts;
    const changed = await ask('PUT /onboarding', {
      json: { prompts: [prompt({ id, required: true }, { id: options[0].id }), prompt({ id: '1' })] },
    });
    expect(changed.body.prompts[0]).toMatchObject({ id, required: true, options: [{ id: options[0].id }] });
    expect(changed.body.prompts[1].id).not.toBe('1');
    expect(actions()).toEqual([163, 167, 164, 163]);
    expect((await ask('GET /onboarding')).body).toEqual(changed.body);
    expect((await ask('PUT /onboarding', { json: { prompts: [] } })).body.prompts).toEqual([]);
    expect(actions().slice(4)).toEqual([165, 165]);
  });

  it('is enabled only with seven channels open to everyone, five of them writable', async () => {
    const platform = await guildPlatform(MAY);
    const { ask, refused } = platform;
    await channels(platform, 3);
    const on = (more: object = {}) => ({ json: { enabled: true, default_channel_ids: CHANNELS, ...more } });
    expect((await refused('PUT /onboarding', on())).body.code).toBe(350_000);
    await channels(platform, 2);
    const fewer = on({ default_channel_ids: CHANNELS.slice(1) });
    expect((await refused('PUT /onboarding', fewer)).body.code).toBe(350_000);
    expect((await ask('PUT /onboarding', on())).body.enabled).toBe(true);
    expect((await refused('PUT /onboarding', fewer)).body.code).toBe(350_001);
    // Those of its questions count in the other mode.
    const advanced = { ...fewer.json, mode: 1, prompts: [prompt({}, { channel_ids: [CHANNELS[0]] })] };
    expect((await ask('PUT /onboarding', { json: advanced })).body.mode).toBe(1);
    expect((await ask('PUT /onboarding', { json: { enabled: false } })).body.enabled).toBe(false);
  });

  it('refuses a role that the editor may not assign, unless the onboarding has the role already', async () => {
    const { ask, refused, guild } = await guildPlatform(MAY);
    const captain = prompt({}, { role_ids: [ROLES.captain] });
    const { status, body } = await refused('PUT /onboarding', { json: { prompts: [captain] } });
    expect([status, body.code]).toEqual([403, 50013]);
    await ask('PUT /onboarding', { json: { prompts: [prompt()] } });
    // It has risen since.
    await guild({ roles: [{ id: ROLES.crew, position: 9 }] });
    expect((await ask('PUT /onboarding', { json: { prompts: [prompt(), prompt()] } })).status).toBe(200);
  });

  it('omits deleted roles and channels, and can still be changed', async () => {
    const { ask, guild } = await guildPlatform(MAY);
    await ask('PUT /onboarding', { json: { prompts: [prompt()] } });
    await guild({ roles: [{ id: ROLES.crew, remove: true }] });
    const option = { role_ids: [], channel_ids: [ids.general] };
    expect((await ask('GET /onboarding')).body.prompts[0].options).toMatchObject([option]);
    expect((await ask('PUT /onboarding', { json: { mode: 1 } })).body.prompts[0].options).toMatchObject([
      option,
    ]);
  });

  it.each<[string, object, string[]]>([
    ['a title too long', { prompts: [prompt({ title: 'x'.repeat(101) })] }, ['prompts', '0', 'title']],
    ['no answers', { prompts: [prompt({ options: [] })] }, ['prompts', '0', 'options']],
    ['no id', { prompts: [prompt({ id: undefined })] }, ['prompts', '0', 'id']],
    ['too many questions', { prompts: Array(16).fill(prompt()) }, ['prompts']],
    [
      'a role of another guild',
      { prompts: [prompt({}, { role_ids: [ids.harbour] })] },
      ['prompts', '0', 'options', '0', 'role_ids', '0'],
    ],
    [
      "a bot's own role",
      { prompts: [prompt({}, { role_ids: [ROLES.own] })] },
      ['prompts', '0', 'options', '0', 'role_ids', '0'],
    ],
    ['a channel of another guild', { default_channel_ids: [ids.arrivals] }, ['default_channel_ids', '0']],
    ['no such mode', { mode: 2 }, ['mode']],
  ])('with %s is refused at the faulty field', async (_, json, path) => {
    const { refused } = await guildPlatform(MAY);
    const { status, body } = await refused('PUT /onboarding', { json });
    expect([status, body.code]).toEqual([400, 50035]);
    expect(path.reduce((at, key) => at?.[key], body.errors)?._errors).toHaveLength(1);
  });

  it.each([[['MANAGE_GUILD'] as const], [['MANAGE_ROLES'] as const]])(
    'cannot be changed with %s alone',
    async (permissions) => {
      const { refused } = await guildPlatform(permissions);
      expect((await refused('PUT /onboarding', { json: {} })).body.code).toBe(50013);
    },
  );
});

describe('a member who answers the onboarding', () => {
  const ASKS = {
    onboarding_prompts: [
      {
        id: '61',
        title: 'Which boat?',
        required: true,
        single_select: true,
        options: [
          { id: '62', title: 'Tug', description: '', roles: [ROLES.crew] },
          { id: '63', title: 'Raft', description: '', roles: [ROLES.captain, '7'] },
        ],
      },
    ],
  };

  it('has the roles of the new answers, and no longer those of the earlier answers', async () => {
    const { guild, emulator, ask } = await guildPlatform([]);
    await guild({
      ...ASKS,
      roles: [{ id: '804', name: 'old' }],
      members: [{ user: 'otter', roles: ['804'] }],
    });
    expect(emulator.onboard(ids.riverBank, ids.otter, ['Tug'])).toMatchObject({ options: ['62'] });
    const member = async () => (await ask(`GET /members/${ids.otter}`)).body;
    expect(await member()).toMatchObject({ roles: ['804', ROLES.crew], flags: (1 << 1) | (1 << 3) });
    emulator.onboard(ids.riverBank, ids.otter, ['63']);
    expect((await member()).roles).toEqual(['804', ROLES.captain]);
  });

  it.each<[string, string, string, readonly string[]]>([
    ['needs an answer', ids.riverBank, ids.otter, []],
    ['takes one answer', ids.riverBank, ids.otter, ['62', '63']],
    ['no answer "Oar"', ids.riverBank, ids.otter, ['Oar']],
    ['no such guild', '9', ids.otter, ['Tug']],
    ['no member', ids.riverBank, '71', ['Tug']],
  ])('is refused with the message: %s', async (words, guildId, user, options) => {
    const { guild, emulator } = await guildPlatform([]);
    await guild(ASKS);
    const before = emulator.exportState();
    expect(() => emulator.onboard(guildId, user, options)).toThrow(words);
    expect(emulator.exportState()).toBe(before);
  });
});
