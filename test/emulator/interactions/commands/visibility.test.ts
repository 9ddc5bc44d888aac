import { describe, expect, it, onTestFinished } from 'vitest';
import { composePlatform } from '../../../../src/emulator/compose/compose-platform.ts';
import { defaultFixture } from '../../../../src/emulator/compose/fixture/default.ts';
import { applyPatch } from '../../../../src/emulator/compose/fixture/patch.ts';
import type { Platform } from '../../../../src/emulator/compose/platform.ts';
import { takesFile } from '../../../../src/emulator/interactions/commands/file-types.ts';
import { readOptions, type Typed } from '../../../../src/emulator/interactions/commands/read-options.ts';
import { findCommand } from '../../../../src/emulator/interactions/commands/visibility.ts';
import { SettingError } from '../../../../src/emulator/kernel/errors.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP } from '../../../helpers/platform.ts';

const CREW = '801';
const DIRECT = '890';
const AMONG = '891';

const command = (id: string, name: string, more: object = {}) => ({
  id,
  application: APP,
  name,
  description: 'x',
  ...more,
});

/** A guild with the bot in it, of which the otter is a member with a role, and channels between people. */
async function using(...patches: readonly object[]) {
  const { platform, world } = await composePlatform({ fixture: defaultFixture() });
  onTestFinished(() => platform.webhooks.close());
  const apply = (change: object): void => {
    world.changes((tables) => applyPatch(tables, change));
  };
  apply({
    users: [{ id: APP, username: 'tug', bot: true, discriminator: '0000' }],
    guilds: [
      {
        id: ids.riverBank,
        owner: 'heron',
        roles: [{ id: CREW, name: 'crew', position: 1 }],
        members: [
          { user: APP, joined_at: '2026-01-01T00:00:00Z' },
          { user: 'otter', roles: [CREW], joined_at: '2026-01-01T00:00:00Z' },
        ],
        channels: [{ id: '880', name: 'deep', type: 'text', nsfw: true }],
      },
    ],
    private_channels: [
      { id: DIRECT, recipients: ['otter', APP] },
      { id: AMONG, recipients: ['otter', 'heron'] },
    ],
  });
  for (const change of patches) apply(change);
  /** Names of the commands that a user finds in a channel, those of guilds first. */
  const shown = (channel: string, user: string = ids.otter): string[] => {
    const all = [...world.tables.commands];
    const sorted = [
      ...all.filter(({ guild }) => guild !== null),
      ...all.filter(({ guild }) => guild === null),
    ];
    const isFound = (name: string): boolean => {
      try {
        findCommand(platform as Platform, { application: APP, channel, user }, name);
        return true;
      } catch (error) {
        if (error instanceof SettingError) return false;
        throw error;
      }
    };
    return sorted.map(({ name }) => name).filter(isFound);
  };
  const find = (name: string, channel: string = ids.general, kind?: number) =>
    findCommand(platform as Platform, { application: APP, channel, user: ids.otter }, name, kind);
  return { platform, apply, shown, find };
}

type Entry = readonly [type: string, id: string, permission: boolean];
const permitted = (commandId: string, ...entries: readonly Entry[]) => {
  const permissions = entries.map(([type, id, permission]) => ({ type, id, permission }));
  return {
    command_permissions: [{ application: APP, guild: ids.riverBank, command: commandId, permissions }],
  };
};

describe('the visible commands of a channel', () => {
  it('are the commands of the guild and the global ones, in their contexts [W-3]', async () => {
    const { shown, apply } = await using({
      commands: [
        command('1', 'all'),
        command('2', 'here', { guild: ids.riverBank }),
        command('3', 'there', { guild: ids.harbour }),
        command('4', 'guild-only', { contexts: ['guild'] }),
        command('5', 'own', { integration_types: ['user'] }),
        command('6', 'private', { contexts: ['private_channel'], integration_types: ['guild', 'user'] }),
        command('7', 'night', { nsfw: true }),
      ],
    });
    expect(shown(ids.general)).toEqual(['here', 'all', 'guild-only']);
    expect(shown('880')).toEqual(['here', 'all', 'guild-only', 'night']);
    expect(shown(DIRECT)).toEqual(['all', 'night']);
    expect(shown(AMONG)).toEqual([]);
    apply({ command_installs: [{ application: APP, owner: ids.otter }] });
    expect(shown(AMONG)).toEqual(['own', 'private']);
    expect(shown(ids.general)).toContain('own');
    // Whoever does not see the channel is shown nothing.
    expect(shown(AMONG, ids.river)).toEqual([]);
    apply({ guilds: [{ id: ids.riverBank, members: [{ user: APP, remove: true }] }] });
    expect(shown(ids.general)).toEqual(['own']);
  });

  it('follow the permissions of the command, of all commands, and of the default permissions [W-3]', async () => {
    const { shown, apply } = await using({
      commands: [
        command('1', 'open'),
        command('2', 'asks', { default_member_permissions: ['KICK_MEMBERS'] }),
        command('3', 'closed', { default_member_permissions: '0' }),
      ],
    });
    expect(shown(ids.general)).toEqual(['open']);
    expect(shown(ids.general, ids.heron)).toEqual(['open', 'asks', 'closed']);
    apply({ guilds: [{ id: ids.riverBank, roles: [{ id: CREW, permissions: ['KICK_MEMBERS'] }] }] });
    expect(shown(ids.general)).toEqual(['open', 'asks']);
    apply(permitted('3', ['role', ids.riverBank, false], ['role', CREW, true]));
    expect(shown(ids.general)).toEqual(['open', 'asks', 'closed']);
    apply(permitted('3', ['role', CREW, true], ['user', ids.otter, false]));
    expect(shown(ids.general)).toEqual(['open', 'asks']);
    // All of them, but for those of which something else is said.
    apply(permitted(APP, ['role', ids.riverBank, false]));
    expect(shown(ids.general)).toEqual([]);
    apply(permitted('1', ['user', ids.otter, true]));
    expect(shown(ids.general)).toEqual(['open']);
    const everywhere = String(BigInt(ids.riverBank) - 1n);
    apply(
      permitted('1', ['user', ids.otter, true], ['channel', everywhere, false], ['channel', '880', true]),
    );
    expect(shown(ids.general)).toEqual([]);
    expect(shown('880')).toEqual(['open']);
    // What is gone is named no more.
    apply({ guilds: [{ id: ids.riverBank, channels: [{ id: '880', remove: true }] }] });
    expect(shown(ids.general, ids.heron)).toHaveLength(3);
  });

  it('are none without USE_APPLICATION_COMMANDS', async () => {
    const { shown, apply } = await using({ commands: [command('1', 'open')] });
    expect(shown(ids.general)).toEqual(['open']);
    const deny = [{ role: ids.riverBank, deny: ['USE_APPLICATION_COMMANDS'] }];
    apply({ guilds: [{ id: ids.riverBank, channels: [{ id: ids.general, role_overwrites: deny }] }] });
    expect(shown(ids.general)).toEqual([]);
  });
});

it('findCommand returns a command by name and kind, or reports why there is none [W-3]', async () => {
  const { find } = await using({
    commands: [
      command('1', 'ferry'),
      command('2', 'ferry', { guild: ids.riverBank }),
      command('3', 'Wave', { type: 'user', description: '' }),
      command('4', 'closed', { default_member_permissions: '0' }),
      command('5', 'launch', { type: 'primary_entry_point' }),
    ],
  });
  expect(find('ferry').id).toBe('2');
  expect(find('ferry', DIRECT).id).toBe('1');
  expect(find('Wave', ids.general, 2).id).toBe('3');
  expect(find('launch', ids.general, 4)).toMatchObject({ handler: 1 });
  expect(() => find('ferrry')).toThrow(
    `application ${APP} has registered no command "/ferrry" for this channel: it has ferry, closed. Did you mean "ferry"?`,
  );
  expect(() => find('Wave')).toThrow('has registered no command "/Wave"');
  expect(() => find('closed')).toThrow('"/closed" cannot be used here: the permissions of the command');
  expect(() => find('ferry', AMONG)).toThrow('"/ferry" cannot be used here: application');
  expect(() => find('ferry', '1')).toThrow(`user ${ids.otter} sees no channel "1"`);
});

describe('the text typed after a command', () => {
  const option = (type: string, name: string, more: object = {}) => ({
    type,
    name,
    description: 'x',
    ...more,
  });
  const OPTIONS = [
    option('string', 'text', { min_length: 2, max_length: 4 }),
    option('integer', 'count', { min_value: 1, max_value: 9 }),
    option('number', 'depth'),
    option('boolean', 'wet'),
    option('user', 'who'),
    option('role', 'role'),
    option('channel', 'where', { channel_types: [0] }),
    option('mentionable', 'whom'),
    option('string', 'pier', { choices: [{ name: 'Old Pier', value: 'old' }] }),
    option('attachment', 'chart', { file_types: ['.PDF', 'image'] }),
    option('string', 'boat', { autocomplete: true }),
  ];

  async function typing() {
    const { platform, find } = await using({
      commands: [
        command('1', 'ferry', { options: OPTIONS }),
        command('2', 'crew', {
          options: [
            option('sub_command_group', 'role', {
              options: [
                option('sub_command', 'add', { options: [option('user', 'who', { required: true })] }),
              ],
            }),
            option('sub_command', 'list'),
            option('sub_command', 'count', { options: [option('integer', 'boats', { required: true })] }),
          ],
        }),
      ],
    });
    const context = {
      tables: platform.world.tables,
      guild: ids.riverBank,
      user: ids.otter,
      attach: (path: string) => `file ${path}`,
    };
    return (name: string, typed: Typed) => readOptions(context, find(name), typed);
  }

  it('is parsed as options of an interaction [W-3, M-12]', async () => {
    const read = await typing();
    const texts = {
      text: 'tide',
      count: '7',
      depth: '-1.5',
      wet: 'true',
      who: 'heron',
      role: 'crew',
      where: '#general',
      whom: `<@&${CREW}>`,
      pier: 'Old Pier',
      chart: 'a/Chart.PNG',
      boat: 'any',
    };
    const values = read('ferry', { texts }).map(({ name, type, value }) => [name, type, value]);
    expect(values).toEqual([
      ['text', 3, 'tide'],
      ['count', 4, 7],
      ['depth', 10, -1.5],
      ['wet', 5, true],
      ['who', 6, ids.heron],
      ['role', 8, CREW],
      ['where', 7, ids.general],
      ['whom', 9, CREW],
      ['pier', 3, 'old'],
      ['chart', 11, 'file a/Chart.PNG'],
      ['boat', 3, 'any'],
    ]);
    expect(read('crew', { path: ['role', 'add'], texts: { who: `<@${ids.heron}>` } })).toEqual([
      {
        name: 'role',
        type: 2,
        options: [{ name: 'add', type: 1, options: [{ name: 'who', type: 6, value: ids.heron }] }],
      },
    ]);
    expect(read('ferry', { texts: { count: '3', boat: 'ti' }, focused: 'boat' })).toEqual([
      { name: 'count', type: 4, value: 3 },
      { name: 'boat', type: 3, value: 'ti', focused: true },
    ]);
  });

  it.each([
    ['ferry', { texts: { text: 'x' } }, 'text: must be of 2 to 4 characters, and is of 1'],
    ['ferry', { texts: { count: '1.5' } }, 'count: must be a whole number, not "1.5"'],
    ['ferry', { texts: { count: '0' } }, 'count: must be at least 1, not 0'],
    ['ferry', { texts: { count: '10' } }, 'count: must be at most 9, not 10'],
    ['ferry', { texts: { depth: '1e400' } }, 'depth: must be a number, not "1e400"'],
    ['ferry', { texts: { wet: 'yes' } }, 'wet: must be true or false, not "yes"'],
    ['ferry', { texts: { who: 'otterr' } }, 'who: there is no user "otterr" here. Did you mean "otter"?'],
    ['ferry', { texts: { role: 'captain' } }, 'role: there is no role "captain" here.'],
    ['ferry', { texts: { where: 'nowhere' } }, 'where: there is no channel "nowhere" here.'],
    ['ferry', { texts: { where: ids.lounge } }, 'where: takes channels of type text, and'],
    ['ferry', { texts: { whom: 'nobody' } }, 'whom: there is no user or role "nobody" here.'],
    ['ferry', { texts: { pier: 'new' } }, 'pier: must be one of Old Pier, not "new".'],
    ['ferry', { texts: { chart: 'tune.mp3' } }, 'chart: takes files of type .pdf, image, not "tune.mp3"'],
    ['ferry', { texts: { texts: 'x' } }, '/ferry has no option "texts": it has text, count'],
    ['ferry', { texts: {}, focused: 'text' }, 'text: has no autocomplete'],
    ['ferry', { path: ['now'], texts: {} }, '/ferry has no subcommand "now"; options are written name=value'],
    ['crew', { texts: {} }, '/crew cannot be used as such: name one of its subcommands role, list, count'],
    ['crew', { path: ['role', 'ad'], texts: {} }, '/crew role has no subcommand "ad": it has add.'],
    ['crew', { path: ['role', 'add'], texts: {} }, 'who: is required: /crew role add takes a user there'],
    ['crew', { path: ['count'], texts: {} }, 'boats: is required: /crew count takes an integer there'],
  ] as const)('is refused for %s %j: %s', async (name, typed, message) => {
    const read = await typing();
    expect(() => read(name, typed)).toThrow(message);
  });
});

it.each([
  [undefined, 'a.exe', true],
  [['image'], 'A.JPEG', true],
  [['image', '.pdf'], 'a.pdf', true],
  [['audio'], 'a.png', false],
  [['.gz'], 'a.tar.gz', true],
  [['.pdf'], 'pdf', false],
] as const)('an option with the file types %j accepts %s: %s [M-12]', (types, filename, isTaken) => {
  expect(takesFile(types, filename)).toBe(isTaken);
});
