import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { startEmulator, type TestEmulator } from '../../src/testing/testing.ts';
import { fakeIo } from './fake-io.ts';

let bridge: TestEmulator;
beforeAll(async () => {
  bridge = await startEmulator();
});
afterAll(() => bridge.close());

async function read(...words: readonly string[]) {
  const io = fakeIo(bridge.env);
  const code = await runProgram(['emulator', 'read', ...words], commandTable, io);
  return [code, io.stdout(), io.stderr()];
}

const LAST = `Heron on the Bank  2030-01-01 12:04:00 UTC  600000000000000003
  Ask @Otter, who has the keys.
`;

describe('emulator read', () => {
  it('prints author, time and id of each message, then what it says', async () => {
    const all = `Heron on the Bank  2030-01-01 12:00:00 UTC  600000000000000001
  The water is high today.

River  2030-01-01 12:03:00 UTC  600000000000000002
  High enough for the boat?

${LAST}`;
    expect(await read('general')).toEqual([0, all, '']);
    expect(await read('general', '--limit', '1')).toEqual([0, LAST, '']);
    expect(await read('general', '--limit', '1', '--as', 'otter')).toEqual([0, LAST, '']);
  });

  it('prints the parts of a message as a user sees them, and nothing that commands the terminal', async () => {
    const id = '1461234567890123456';
    const embeds = [{ type: 'rich', title: 'Tide\u001b[2J', description: 'High at **noon**' }];
    const poll = {
      question: 'When?',
      answers: [{ id: 1, text: 'At dawn' }],
      expiry: '2040-01-01T00:00:00.000Z',
    };
    const patch = {
      messages: [{ id, channel: '500000000000000002', author: 'otter', content: '', embeds, poll }],
    };
    await bridge.operations.call('emulator.apply', { patch });
    const [code, stdout] = await read('general', '--limit', '1');
    expect(code).toBe(0);
    expect(stdout).toContain(`  ${id}\n`);
    expect(stdout).toContain('  Poll: When?\n    1. At dawn – 0 votes\n');
    expect(stdout).toContain('  │ High at noon\n');
    expect(stdout).not.toContain('\u001b');
    await bridge.operations.call('message.delete', { id });
  });

  it('says that there is no message in a channel without one, and in a private one that nobody opened', async () => {
    expect(await read('@heron', '--as', 'otter')).toEqual([0, 'There is no message.\n', '']);
    expect(await read('Lounge')).toEqual([0, 'There is no message.\n', '']);
  });

  it('prints the messages in the form of a fixture with --json', async () => {
    const [code, stdout] = await read('general', '--limit', '1', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(String(stdout))).toEqual([
      {
        id: '600000000000000003',
        channel: '500000000000000002',
        author: '200000000000000002',
        username: 'heron',
        content: 'Ask <@200000000000000003>, who has the keys.',
        timestamp: '2030-01-01T12:04:00.000Z',
        edited_timestamp: null,
        tts: false,
        pinned: false,
      },
    ]);
  });

  it.each([
    [['nope'], 1, 'there is no channel "nope"; give its id or exact name.'],
    [['general', '--as', 'nobody'], 1, 'there is no user "nobody"; give its id or exact name.'],
    [
      ['general', '--limit', 'x'],
      64,
      '--limit: "x" is no whole number. Try: footbridge emulator read --help',
    ],
    [['general', '--limit', '101'], 64, ''],
    [
      ['general', '--as', 'heron', '--json'],
      64,
      '--as is not for --json. Try: footbridge emulator read --help',
    ],
  ])('refuses %j in one line', async (words, code, message) => {
    const [ended, stdout, stderr] = await read(...words);
    expect([ended, stdout]).toEqual([code, '']);
    expect(stderr).toMatch(/^footbridge: [^\n]+\n$/);
    expect(stderr).toContain(message);
  });
});
