import { describe, expect, it } from 'vitest';
import { playedPlatform } from '../../../helpers/answering.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP } from '../../../helpers/platform.ts';

const [PIER, SIDE, NIGHT, DIRECT, AMONG] = ['880', '881', '882', '890', '891'];
const option = (type: string, name: string, more: object = {}) => ({ type, name, description: 'x', ...more });
const command = (id: string, name: string, more: object = {}) => ({
  id,
  application: APP,
  name,
  description: 'x',
  ...more,
});
const menu = (id: string, name: string, type: string, more: object = {}) => ({
  ...command(id, name, more),
  type,
  description: '',
});
const COMMANDS = [
  command('901', 'tide'),
  command('902', 'tide', { guild: ids.riverBank }),
  command('903', 'berth', {
    options: [
      option('sub_command_group', 'role', {
        options: [
          option('sub_command', 'add', {
            options: [
              option('mentionable', 'whom'),
              option('mentionable', 'who'),
              option('attachment', 'file'),
            ],
          }),
        ],
      }),
    ],
  }),
  command('904', 'deep', { contexts: ['bot_dm'] }),
  command('905', 'night', { nsfw: true }),
  menu('906', 'Greet', 'user'),
  menu('907', 'Greet', 'message'),
  menu('908', 'sail', 'primary_entry_point'),
  menu('909', 'Wave', 'user', { guild: ids.riverBank }),
];

async function used(change: object = {}) {
  const platform = await playedPlatform({
    users: [{ id: '41', username: 'newt' }],
    guilds: [
      {
        id: ids.riverBank,
        departed: [{ user: 'newt' }],
        channels: [
          { id: PIER, name: 'pier', type: 'text' },
          { id: SIDE, name: 'side', type: 'public_thread', parent: ids.general, owner: 'river' },
          { id: NIGHT, name: 'night', type: 'text', nsfw: true },
        ],
      },
      { id: ids.harbour, departed: [{ user: 'newt' }] },
    ],
    private_channels: [
      { id: DIRECT, recipients: ['river', APP] },
      { id: AMONG, recipients: ['river', 'otter'] },
    ],
    commands: COMMANDS,
    ...change,
  });
  const app = 'Harbour Example';
  /** What the application was told of a use that it does not answer, or why there was none. */
  const use = async (args: object) => {
    const before = platform.last()?.id;
    const refusal = await platform
      .play('interaction.use', { app, ...args }, () => ({ type: 10 }))
      .then(
        () => undefined,
        (error: Error) => error.message,
      );
    if (refusal !== undefined) return refusal;
    const told = platform.last();
    expect(told?.id).not.toBe(before);
    return told;
  };
  return { ...platform, use };
}

describe('the use of a command', () => {
  it('is of the command of the guild before the global one, at the place that is named', async () => {
    const { use, emulator, ask } = await used();
    const where = async (args: object) => {
      const told = await use(args);
      return typeof told === 'string' ? told : [told?.channel, told?.data['id'], told?.data['guild_id']];
    };
    expect(await where({ command: '/tide' })).toEqual([ids.general, '902', ids.riverBank]);
    expect(await where({ command: '/tide', channel: DIRECT })).toEqual([DIRECT, '901', undefined]);
    expect(await where({ command: '/tide', channel: '@harbour' })).toEqual([DIRECT, '901', undefined]);
    expect(await where({ command: '  /tide  ', channel: '#pier' })).toEqual([PIER, '902', ids.riverBank]);
    expect(await where({ command: '/tide', channel: 'side' })).toEqual([SIDE, '902', ids.riverBank]);
    expect(await where({ command: '/tide', channel: 'Lounge' })).toEqual([ids.lounge, '902', ids.riverBank]);
    // The first place where the command is.
    expect(await where({ command: '/deep' })).toEqual([DIRECT, '904', undefined]);
    expect(await where({ command: '/night' })).toEqual([NIGHT, '905', undefined]);
    expect(await where({ command: '/night', channel: 'general' })).toBe(
      '"/night" cannot be used here: it is age-restricted, and the channel is not',
    );
    expect(await where({ command: '/night', channel: DIRECT })).toEqual([DIRECT, '905', undefined]);
    expect(await where({ command: '/deep', channel: 'general' })).toBe(
      '"/deep" cannot be used here: it is not for channels of guilds',
    );
    expect(await where({ command: '/tide', channel: AMONG })).toBe(
      `"/tide" cannot be used here: application ${APP} has not been added to the user`,
    );
    await emulator.apply({
      command_installs: [{ application: APP, owner: ids.river }],
      commands: [
        { id: '901', integration_types: ['user'] },
        { id: '905', integration_types: ['user'] },
      ],
    });
    expect(await where({ command: '/tide', channel: AMONG })).toEqual([AMONG, '901', undefined]);
    expect(await where({ command: '/night', channel: AMONG })).toBe(
      '"/night" cannot be used here: it is age-restricted',
    );
    expect(await where({ command: '/deep', channel: AMONG })).toBe(
      '"/deep" cannot be used here: it is not for direct messages and groups of people',
    );
    await emulator.apply({ commands: [{ id: '904', contexts: ['guild'] }] });
    expect(await where({ command: '/deep', channel: DIRECT })).toBe(
      '"/deep" cannot be used here: it is not for direct messages with its bot',
    );
    expect(await where({ command: '/tide', user: 'newt' })).toBe(
      'channel: newt sees no channel to use it in; add them to a guild that has one',
    );
    expect((await ask(`PATCH /channels/${SIDE}`, { archived: true })).status).toBe(200);
    expect(await where({ command: '/tide', channel: 'side' })).toBe(
      '"/tide" cannot be used here: the thread is archived',
    );
  });

  it('has a target, a user or a message, by the kind of the command', async () => {
    const { use, emulator } = await used();
    const { id: said } = emulator.messages.send(PIER, 'hello', ids.heron);
    const { id: among } = emulator.messages.send(AMONG, 'psst', ids.otter);
    const told = async (args: object) => {
      const found = await use({ command: 'Greet', ...args });
      return typeof found === 'string'
        ? found
        : { channel: found?.channel, data: found?.data, ...found?.resolves };
    };
    const greet = (id: string, type: number, target_id: string) => ({ id, name: 'Greet', type, target_id });
    expect(await told({ target: 'otter' })).toEqual({
      channel: ids.general,
      data: greet('906', 2, ids.otter),
      users: [ids.otter],
    });
    expect(await told({ target: said })).toEqual({
      channel: PIER,
      data: greet('907', 3, said),
      messages: [said],
    });
    expect(await told({ target: said, channel: 'pier' })).toMatchObject({ channel: PIER });
    expect(await told({ target: said, channel: 'general' })).toBe(
      `target: message ${said} is in another channel`,
    );
    expect(await told({ target: among })).toBe(
      `"Greet" cannot be used here: application ${APP} has not been added to the user`,
    );
    expect(await told({ target: 'newt' })).toBe('target: newt is not in the guild');
    expect(await told({ target: 'heron', channel: DIRECT })).toBe(
      'target: heron is not in private with harbour',
    );
    expect(await told({ target: '@harbour', channel: DIRECT })).toMatchObject({ users: [APP] });
    expect(await told({ command: 'Wave', target: 'otter' })).toMatchObject({
      data: { id: '909', name: 'Wave', type: 2, guild_id: ids.riverBank, target_id: ids.otter },
    });
    for (const [kind, args] of [
      ['command for users', { target: 'otter' }],
      ['command for messages', { target: said }],
    ] as const) {
      expect(await told({ command: 'Wve', ...args })).toContain(
        `application ${APP} has registered no ${kind} "Wve" for this channel: it has `,
      );
    }
    expect(await told({ command: 'sail', target: 'otter' })).toContain('no command for users "sail"');
    expect(await told({ command: 'Greet' })).toBe(
      'there is no entry point "Greet"; a command is written "/Greet", and one for users or messages needs a target',
    );
    expect(await told({ command: 'sail' })).toEqual({
      channel: ids.general,
      data: { id: '908', name: 'sail', type: 4 },
    });
    expect(await told({ command: '/tide', target: 'otter' })).toBe(
      'target: "/tide" is typed; only commands for users and messages have a target',
    );
  });

  it('resolves who is mentioned as a user or a role, at any depth, each once', async () => {
    const { use } = await used();
    const file = { filename: 'a.txt', data: 'YWI=' };
    const base = { command: '/berth role add' };
    const told = async (options: object, files: object = {}) => {
      const found = await use({ ...base, options, files });
      if (typeof found === 'string' || found === undefined) return found;
      return found.resolves;
    };
    expect(await told({ whom: 'otter', who: '@everyone' })).toEqual({
      users: [ids.otter],
      roles: [ids.riverBank],
    });
    expect(await told({ whom: 'otter', who: 'otter' })).toEqual({ users: [ids.otter] });
    expect(await told({})).toEqual({});
    expect(await told({}, { file })).toEqual({ attachments: [expect.stringMatching(/^\d+$/)] });
    expect(await told({ file: 'b.txt' }, { file: [file] })).toEqual({ attachments: [expect.any(String)] });
    expect(await told({ file: 'b.txt' })).toBe('file: takes a file: file=@PATH');
    expect(await told({}, { file: [] })).toBe('file: takes one file, but got none');
  });
});

describe('the view of an interaction', () => {
  it('names what was used, and has its state', async () => {
    const { emulator, play } = await used();
    const begin = (given: object) =>
      emulator.interactions.begin({
        application: APP,
        user: ids.river,
        channel: ids.general,
        type: 2,
        data: { id: '901', name: 'tide', type: 1 },
        ...given,
      });
    emulator.clock.freeze();
    const view = (id: string) => play('interaction.show', { id });
    const sub = (name: string, type: number, ...options: object[]) => ({ name, type, options });
    const data = { id: '903', name: 'berth', type: 1 };
    for (const [given, usedAs] of [
      [{}, '/tide'],
      [{ data: { ...data, options: [{ name: 'level', type: 3, value: 'x' }] } }, '/berth'],
      [{ data: { ...data, options: [sub('book', 1)] } }, '/berth book'],
      [
        { data: { ...data, options: [sub('role', 2, sub('add', 1, { name: 'who', type: 6, value: '1' }))] } },
        '/berth role add',
      ],
      [{ data: { id: '906', name: 'Greet', type: 2, target_id: ids.otter } }, 'Greet'],
      [{ data: { id: '908', name: 'sail', type: 4 } }, 'sail'],
      [{ type: 4 }, '/tide'],
    ] as const) {
      expect((await view(begin(given).id)).used, JSON.stringify(given)).toBe(usedAs);
    }
    const direct = begin({ channel: DIRECT });
    expect(await view(direct.id)).toEqual({
      id: direct.id,
      type: 'command',
      application: { id: APP, name: 'Harbour Example' },
      user: { id: ids.river, username: 'river' },
      channel: { id: DIRECT, name: null },
      used: '/tide',
      state: 'waiting',
      follow_ups: [],
    });
    emulator.interactions.fail(direct.id, 'gone');
    expect(await view(direct.id)).toMatchObject({ state: 'failed', reason: 'gone' });
    await emulator.interactions.settled(direct.id);
    // It failed once.
    emulator.interactions.fail(direct.id, 'again');
    expect(await view(direct.id)).toMatchObject({ reason: 'gone' });
  });

  it('is of the newest 50 in a list, oldest first', async () => {
    const { emulator, play } = await used();
    emulator.clock.freeze();
    const all = Array.from({ length: 51 }, () =>
      emulator.interactions.begin({
        application: APP,
        user: ids.river,
        channel: ids.general,
        type: 2,
        data: { id: '901', name: 'tide', type: 1 },
      }),
    );
    const listed = (await play('interaction.list', {})) as unknown as readonly { id: string }[];
    expect(listed.map(({ id }) => id)).toEqual(all.slice(1).map(({ id }) => id));
  });
});
