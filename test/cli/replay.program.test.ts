import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { trafficText } from '../../src/journal/format.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { fakeIo } from './fake-io.ts';
import { footbridge, temporaryPlace } from './spawn.ts';

/** A file of recorded traffic that has these lines as entries, right or wrong. */
function recordOf(lines: readonly string[]): string {
  const [header = ''] = trafficText([], 'emulator').split(/(?<=\n)/);
  return [header, ...lines, `{"end":{"entries":${lines.length}}}\n`].join('');
}

const REQUEST = {
  kind: 'http',
  method: 'GET',
  path: '/api/users/@me',
  status: 200,
  ms: 1,
  request: { headers: {}, bytes: 0 },
  response: { headers: {}, bytes: 0 },
  seq: 1,
  at: 1,
};

/** A record of one request, and a server that says nothing. */
async function place(): Promise<{ readonly file: string; readonly path: string }> {
  const folder = temporaryFolder();
  const file = join(folder, 'talk.ndjson');
  writeFileSync(file, recordOf([`${JSON.stringify(REQUEST)}\n`]));
  const path = join(folder, 'discord-ipc-0');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  return { file, path };
}

async function replay(
  argv: readonly string[],
  env = {},
): Promise<{ readonly code: number; readonly said: string }> {
  const io = fakeIo(env);
  const code = await runProgram(['replay', ...argv], commandTable, io);
  return { code, said: io.stderr() };
}

it.each([
  ['nonsense', 'is not an https address'],
  ['ftp://127.0.0.1', 'is not an https address'],
  ['http://elsewhere.example', 'is not an https address'],
  ['http://someone:secret@127.0.0.1', 'without a user name'],
])('replay rejects --api %s before it sends anything', async (api, words) => {
  const { file, path } = await place();
  const { code, said } = await replay([file, '--as', 'client', '--path', path, '--api', api]);
  expect([code, said]).toEqual([64, expect.stringMatching(`^footbridge: --api: .*${words}`)]);
  expect(said).not.toContain('secret');
});

it('replay reports an --api address without a listener as a plain error', async () => {
  const { file, path } = await place();
  const { code, said } = await replay([
    file,
    '--as',
    'client',
    '--path',
    path,
    '--api',
    'http://127.0.0.1:1',
  ]);
  expect([code, said]).toEqual([
    1,
    expect.stringMatching(/^footbridge: http:\/\/127\.0\.0\.1:1: nobody listens there/),
  ]);
});

it('replay checks FOOTBRIDGE_API like --api, and ignores FOOTBRIDGE_API for another endpoint', async () => {
  const { file, path } = await place();
  const env = { FOOTBRIDGE_API: 'nonsense' };
  expect(await replay([file, '--as', 'client'], env)).toEqual({
    code: 64,
    said: expect.stringMatching(/^footbridge: FOOTBRIDGE_API: "nonsense" is not/) as string,
  });
  expect(await replay([file, '--as', 'client', '--path', path], env)).toEqual({ code: 0, said: '' });
});

it('replay --timing stops when the command has exited', async () => {
  const frame = { kind: 'frame', session: 's', opcode: 1, text: '{}', bytes: 2 };
  const entries = [
    { kind: 'connect', session: 's', over: 'ipc', seq: 1, at: 1 },
    { ...frame, direction: 'in', seq: 2, at: 2 },
    // The app is gone by then, and so is the test.
    { ...frame, direction: 'out', seq: 3, at: 600_000 },
  ];
  const here = temporaryPlace();
  const file = join(here.folder, 'talk.ndjson');
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
  writeFileSync(file, recordOf(lines));
  const app = `
    const path = process.env.XDG_RUNTIME_DIR + '/discord-ipc-0';
    const socket = require('node:net').connect(path, () => {
      socket.write(Buffer.from([1, 0, 0, 0, 2, 0, 0, 0, 123, 125]));
      setTimeout(() => process.exit(), 200);
    });`;
  const asked = ['replay', file, '--as', 'server', '--timing', '--', process.execPath, '-e', app];
  const { code, stdout } = await footbridge(here, ...asked);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing was different')]);
});
