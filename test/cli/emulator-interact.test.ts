import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import type { PlayedInteraction } from '../../src/control/generated.ts';
import { startEmulator, type TestEmulator } from '../../src/testing/testing.ts';
import { ids } from '../helpers/emulator-world.ts';
import { addBot, gatewayBot } from '../helpers/gateway-bot.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { fakeIo } from './fake-io.ts';

const APP = ids.harbourExample;

const COMMANDS = [
  { name: 'tide', description: 'How high it is' },
  { name: 'never', description: 'Nobody answers' },
  {
    name: 'berth',
    description: 'Berths',
    options: [
      {
        type: 1,
        name: 'book',
        description: 'Book one',
        options: [
          { type: 3, name: 'boat', description: 'Which', required: true, autocomplete: true },
          { type: 11, name: 'papers', description: 'Papers' },
        ],
      },
    ],
  },
  { name: 'Greet', type: 2 },
];

/** One bridge for all, with a bot that answers over the gateway. */
let emulator: TestEmulator;
let told: { type: number; data: Record<string, unknown> }[] = [];

beforeAll(async () => {
  emulator = await startEmulator();
  await addBot(emulator, APP, ids.riverBank, COMMANDS);
  const row = (...components: object[]) => ({ type: 1, components });
  await gatewayBot(emulator, APP, (interaction) => {
    told.push(interaction);
    const { type, data } = interaction;
    if (data.name === 'never') return undefined;
    if (type === 4) return { type: 8, data: { choices: [{ name: 'Otter, the boat', value: 'otter' }] } };
    if (type === 5) return { type: 4, data: { content: 'Thanks.', flags: 64 } };
    if (data.custom_id === 'ask') {
      const component = { type: 4, custom_id: 'name', style: 1 };
      const components = [{ type: 18, label: 'Name', component }];
      return { type: 9, data: { custom_id: 'who', title: 'Who are you?', components } };
    }
    if (data.custom_id === 'level') return { type: 7, data: { content: data.values.join(', ') } };
    const components = [
      row({ type: 2, style: 1, label: 'Ask me', custom_id: 'ask' }),
      row({ type: 3, custom_id: 'level', options: [{ label: 'Low', value: 'low' }] }),
    ];
    return { type: 4, data: { content: `You used ${data.name}.`, components } };
  });
});
afterAll(() => emulator.close());

const run = async (...argv: readonly string[]) => {
  const io = fakeIo(emulator.env);
  const code = await runProgram(['emulator', ...argv], commandTable, io);
  return { code, stdout: io.stdout(), stderr: io.stderr() };
};
const json = async (...argv: readonly string[]) => {
  const { code, stdout, stderr } = await run(...argv, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as PlayedInteraction;
};

describe('a user at the command line [W-3]', () => {
  it('uses a command and can enter the commands in its output', async () => {
    const { code, stdout, stderr } = await run('use', 'Harbour Example', '/tide', '--as', 'heron');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^heron used \/tide of Harbour Example in #general:\nHarbour Example answered:\n {2}You used tide\.\n {2}\[button\] Ask me: footbridge emulator click --as heron (\d+) ask\n {2}\[select\]: 1 of low \(Low\): footbridge emulator choose --as heron \1 level VALUE\n {2}\(message \1\)\n$/,
    );
    const [, line = ''] = /footbridge emulator (click .*)\n/.exec(stdout) ?? [];
    const clicked = await run(...line.split(' '));
    expect(clicked.stdout).toMatch(
      /^heron used ask of Harbour Example in #general:\nHarbour Example opened a modal: Who are you\?\n {2}Name\n {4}name=: text of 0 to 4000 characters\nSubmit it with: footbridge emulator submit --as heron \d+ name=…\n$/,
    );
    const [, submit = ''] = /footbridge emulator (submit .*)\n/.exec(clicked.stdout) ?? [];
    const submitted = await run(...submit.replace('…', 'Heron').split(' '));
    expect(submitted.stdout).toMatch(
      /^heron submitted who of Harbour Example in #general:\nHarbour Example answered, for heron alone:\n {2}Thanks\.\n/,
    );
    const chosen = await run('choose', /click --as heron (\d+)/.exec(stdout)?.[1] ?? '', 'level', 'Low');
    expect(chosen.stdout).toContain('Harbour Example changed the message:\n  low\n');
  });

  it('passes subcommands, options and files, and receives the same result as JSON', async () => {
    const path = join(temporaryFolder(), 'papers.txt');
    writeFileSync(path, 'Otter');
    told = [];
    const used = await json(
      'use',
      APP,
      '/berth',
      'book',
      'boat=@river',
      `papers=@${path}`,
      '--channel',
      '#general',
    );
    expect(used).toMatchObject({
      used: '/berth book',
      state: 'answered',
      channel: { id: ids.general },
      message: { id: expect.any(String), content: 'You used berth.', ephemeral: false },
    });
    expect(told[0]?.data).toMatchObject({
      options: [{ options: [{ value: '@river' }, { name: 'papers', value: expect.any(String) }] }],
      resolved: { attachments: expect.anything() },
    });
    const greeted = await json('use', APP, 'Greet', '--target', 'otter');
    expect(greeted).toMatchObject({ used: 'Greet', state: 'answered' });
  });

  it('receives the autocomplete choices of an option', async () => {
    const words = ['use', APP, '/berth', 'book', 'boat=Ot', '--autocomplete', 'boat'];
    expect((await run(...words)).stdout).toBe(
      'river is writing /berth book of Harbour Example in #general:\n  Otter, the boat  otter\n',
    );
    expect((await json(...words)).choices).toEqual([{ name: 'Otter, the boat', value: 'otter' }]);
  });

  it('receives the reason of a failure and lists earlier interactions', async () => {
    await emulator.clock.freeze();
    const running = run('use', APP, '/never');
    await expect.poll(() => told.at(-1)?.data['name']).toBe('never');
    await emulator.advance('3s');
    await emulator.clock.run();
    expect(await running).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^footbridge: Harbour Example did not answer \/never: .*3 s.*\n$/),
    });
    const { stdout } = await run('interactions');
    expect(stdout).toMatch(/river used \/never of Harbour Example in #general: failed, /);
    const used = await json('use', APP, '/tide');
    expect(await json('interactions', used.id)).toEqual(used);
    expect((await run('interactions', used.id)).stdout).toContain('  You used tide.\n');
  });

  it.each([
    [['use', APP, '/tied'], 1, /registered no command "\/tied".*Did you mean "tide"/],
    [['use', APP, '/tide', 'x=1'], 1, /has no option "x"/],
    [
      ['use', APP, '/tide', '--target', 'otter', '--autocomplete', 'x'],
      64,
      /^footbridge: --target is not for --autocomplete\. Try/,
    ],
    [
      ['use', APP, '/tide', '--wait', 'long'],
      64,
      /^footbridge: --wait: "long" is no number of seconds up to 900\. Try/,
    ],
    [['use', APP, '/tide', '--wait', '901'], 64, /is no number of seconds/],
    [
      ['use', APP, '/berth', 'book', 'boat=x', 'papers=@/nowhere'],
      1,
      /papers: nowhere cannot be read: there is no such file/,
    ],
    [['click', '5', 'ask'], 1, /there is no message 5/],
    [['submit', '5', 'name'], 64, /"name" is no NAME=VALUE\. Try/],
    [['interactions', '5'], 1, /there is no interaction 5/],
  ])('cannot run %o', async (argv, code, message) => {
    told = [];
    expect(await run(...argv)).toEqual({ code, stdout: '', stderr: expect.stringMatching(message) });
    expect(told).toEqual([]);
  });
});
