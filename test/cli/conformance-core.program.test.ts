import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCoreConformance } from '../../src/cli/conformance-core.ts';
import { validateCore } from '../../src/daemon/validate-core.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { fakeIo } from './fake-io.ts';
import { footbridge, temporaryPlace } from './spawn.ts';

/**
 * A program that attaches, written from the description of the protocol in the guide alone: no code of ours is in it.
 * FAULT makes it wrong in one way.
 */
const PROGRAM = `
const { WebSocket } = await import(${JSON.stringify(import.meta.resolve('ws'))});
const { FOOTBRIDGE_ATTACH_URL: url, FOOTBRIDGE_ATTACH_CODE: code, FAULT } = process.env;
const user = {
  id: '42', username: 'somebody', discriminator: '0', global_name: null, avatar: null,
  avatar_decoration_data: null, bot: false, flags: 0, premium_type: 0,
};
const answers = {
  AUTHORIZE: () => new Promise(() => {}),
  AUTHENTICATE() {
    if (FAULT === 'any token') {
      return { application: { id: '1', name: 'x' }, scopes: ['rpc'], expires: '2099-01-01T00:00:00.000Z' };
    }
    throw { code: 4009, message: 'Invalid token' };
  },
  GET_GUILDS: () => (FAULT === 'a wrong shape' ? { guilds: [{ id: 1 }] } : { guilds: [] }),
  GET_GUILD() {
    throw { code: 4003, message: 'There is no such guild' };
  },
};
let token;
function connect() {
  const socket = new WebSocket(url);
  const send = (message) => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  socket.on('open', () => {
    if (FAULT === 'a wrong version') return send({ id: 0, method: 'hello', params: { v: 2, code, commands: [] } });
    send({ id: 0, method: 'hello', params: { v: 1, ...(token ? { token } : { code }), user, commands: Object.keys(answers) } });
  });
  socket.on('message', async (text) => {
    const { id, method, params, result } = JSON.parse(text);
    if (method === undefined && id === 0) {
      if (FAULT !== 'no memory') token = result.token ?? token;
      if (FAULT === 'a wrong event') send({ method: 'event', params: { evt: 'GUILD_CREATE', data: {} } });
      if (FAULT === 'unasked answers') send({ id: 99, result: null });
      if (FAULT === 'nonsense') send({ method: 'nonsense' });
    }
    if (method === 'subscribe') send({ id, result: [] });
    if (method === 'call') {
      try {
        send({ id, result: await answers[params.cmd](params.args) });
      } catch (error) {
        send({ id, error });
      }
    }
  });
  socket.on('error', () => {});
  socket.on('close', () => setTimeout(connect, 100));
}
if (FAULT === 'an end') {
  console.log('nothing to do\\u0007');
  process.exit(3);
}
if (FAULT !== 'silence') connect();
setInterval(() => {}, 1000);
`;

function commandFor(): string {
  const file = join(temporaryFolder(), 'program.mjs');
  writeFileSync(file, PROGRAM);
  return `${JSON.stringify(process.execPath)} ${JSON.stringify(file)}`;
}

async function judge(fault: string) {
  let stdout = '';
  const code = await validateCore({
    command: commandFor(),
    attachMs: fault === 'silence' || fault === 'no memory' ? 1500 : 10_000,
    env: { PATH: process.env['PATH'], FAULT: fault },
    out: (text) => {
      stdout += text;
    },
  });
  return { code, stdout };
}

describe('footbridge conformance core', () => {
  it('accepts a program that follows the contract', { timeout: 60_000 }, async () => {
    const { code, stdout } = await footbridge(
      temporaryPlace(),
      'conformance',
      'core',
      '--command',
      commandFor(),
    );
    expect(stdout).toContain('keeps the contract; it answers 4 commands and comes back');
    expect(code).toBe(0);
  });

  it.each([
    ['a wrong shape', 1, /the answer to GET_GUILDS has the documented shape; at "guilds\.0\.id"/],
    ['any token', 1, /AUTHENTICATE refuses a token that was never issued/],
    ['a wrong event', 1, /the data of the event GUILD_CREATE has the documented shape/],
    [
      'a wrong version',
      1,
      /it attaches with the code it was given; refused: not a hello of version 1: params\.v/,
    ],
    ['nonsense', 1, /rule broken: /],
    ['unasked answers', 1, /it answers only what it was asked/],
    ['no memory', 1, /it comes back with its token/],
    ['an end', 69, /it ended with code 3\nnothing to do\?/],
    ['silence', 69, /it did not attach within 1.5 seconds/],
  ])('reports %s', { timeout: 60_000 }, async (fault, code, text) => {
    const ended = await judge(fault);
    expect(ended.stdout).toMatch(text);
    expect(ended.code).toBe(code);
  });

  it('reports that a program exited without output', async () => {
    let stdout = '';
    const out = (text: string) => {
      stdout += text;
    };
    const env = { PATH: process.env['PATH'] };
    expect(await validateCore({ command: 'false', attachMs: 10_000, env, out })).toBe(69);
    expect(stdout).toBe('false: it ended with code 1, and it wrote nothing\n');
  });

  it.each([
    [[], /needs --command/],
    [['--command', 'x', '--timeout', 'soon'], /--timeout/],
    [['--nonsense'], /nonsense/],
  ])('rejects %j with the reason', async (args, text) => {
    const io = fakeIo();
    expect(await runCoreConformance(args, io)).toBe(64);
    expect(io.stderr()).toMatch(text);
  });
});
