import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { commandLine, OWN_COMMANDS } from '../../src/console/page/views/operations/command-line.ts';
import { adminDeclarations } from '../../src/daemon/operations.ts';
import { fakeIo } from '../cli/fake-io.ts';
import { wordsOf } from '../helpers/examples.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const APP = '300000000000000001';

/** A bridge that notes the first call of each line, and refuses it. */
async function noting() {
  const runtime = temporaryFolder();
  const folder = join(runtime, `footbridge-${process.getuid?.()}`);
  mkdirSync(folder, { mode: 0o700 });
  const calls: (readonly [name: string, args: unknown])[] = [];
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
    void text(request).then((body) => {
      if (request.method === 'POST') calls.push([name, JSON.parse(body) as unknown]);
      response.writeHead(400).end('{"code":"FOOTBRIDGE_NOTED","message":"noted"}');
    });
  });
  server.listen(join(folder, 'control.sock'));
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return async (line: string) => {
    calls.length = 0;
    await runProgram(wordsOf(line), commandTable, fakeIo({ XDG_RUNTIME_DIR: runtime }));
    return calls[0];
  };
}

/** The command line of an operation, as the page writes it. */
function lineOf(name: string, args: Readonly<Record<string, unknown>>): string {
  const command = adminDeclarations.find((one) => one.name === name)?.command;
  const form = command === undefined ? null : { name: command.name, syntax: command.syntax ?? {} };
  return commandLine(name, form, args);
}

it.each([
  ['voice.set', { key: 'mute', value: 'true' }, 'footbridge emulator voice set mute true'],
  [
    'channel.say',
    { channel: 'general', text: "it's here" },
    String.raw`footbridge emulator say general 'it'\''s here'`,
  ],
  ['channel.say', { channel: 'general', text: '-- no' }, "footbridge emulator say -- general '-- no'"],
  ['voice.speak', { user: 'otter', on: false }, 'footbridge emulator speak otter off'],
  ['clock.freeze', {}, 'footbridge emulator clock freeze'],
  [
    'fault.add',
    { fault: 'drop', command: 'GET_GUILD', count: 2 },
    'footbridge emulator fault add --command GET_GUILD --count 2 drop',
  ],
  ['requests.approve', { id: 'k3m9x', always: true }, 'footbridge approve k3m9x --always'],
  ['requests.approve', { id: 'k3m9x', always: false }, 'footbridge approve k3m9x'],
  ['requests.deny', { id: 'k3m9x' }, 'footbridge deny k3m9x'],
  ['grants.revoke', { id: 'k3m9x' }, 'footbridge revoke k3m9x'],
  ['origins.add', { preset: 'streamkit' }, 'footbridge origins add streamkit'],
  [
    'origins.remove',
    { clientId: APP, origin: 'http://localhost:3000' },
    `footbridge origins remove ${APP} http://localhost:3000`,
  ],
  ['attach.pair', { name: 'my client' }, "footbridge attach 'my client'"],
  ['attach.remove', { name: 'desk' }, 'footbridge detach desk'],
  ['presence.resume', {}, 'footbridge presence resume'],
  ['fault.remove', { id: 'f1' }, 'footbridge emulator fault remove f1'],
  ['fault.remove', {}, 'footbridge emulator fault remove --all'],
] as const)('the command line of %s with %j calls it', async (name, args, line) => {
  expect(lineOf(name, args)).toBe(line);
  const called = await (await noting())(line);
  // A command leaves out what is the default, and a flag that is off.
  const sent = Object.fromEntries(Object.entries(args).filter(([key, value]) => key !== 'always' || value));
  expect(called).toEqual([name, sent]);
});

it.each(Object.keys(OWN_COMMANDS).filter((name) => /list|show/.test(name)))(
  'the command line of %s calls it',
  async (name) => {
    const line = lineOf(name, {});
    expect(line).toMatch(/^footbridge [a-z ]+$/);
    expect((await (await noting())(line))?.[0]).toBe(name);
  },
);

it('an operation that no command can call has a request to the control socket', () => {
  expect(lineOf('journal.read', { limit: 5 })).toBe(
    `curl -s --unix-socket "$XDG_RUNTIME_DIR/footbridge-$(id -u)/control.sock" -d '{"limit":5}' http://footbridge/v1/operations/journal.read`,
  );
  // The command has no word for this argument.
  expect(lineOf('grants.list', { user: 'otter' })).toContain('curl ');
});
