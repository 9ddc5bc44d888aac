import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { commandTable } from '../../../src/cli/table.ts';
import { type StartEmulatorOptions, startEmulator, type TestEmulator } from '../../../src/testing/testing.ts';
import { Opcode } from '../../../src/wire/codes.ts';
import { type Script, scriptedReady, scriptedServer } from '../../helpers/scripted-server.ts';
import { closeAfterTest, temporaryFolder } from '../../helpers/sockets.ts';
import { fakeIo } from '../fake-io.ts';
import { footbridge, temporaryPlace } from '../spawn.ts';

const APP = '300000000000000001';
const SECRET_APP = '300000000000000007';

/** `footbridge ARGS` in this process, with a data folder of its own. */
function commandLine(env: Readonly<Record<string, string>>) {
  const data = temporaryFolder();
  vi.stubEnv('XDG_DATA_HOME', data);
  onTestFinished(() => void vi.unstubAllEnvs());
  const run = async (args: readonly string[], { stdin = '', more = {} } = {}) => {
    const io = fakeIo({ ...env, ...more }, stdin);
    const code = await runProgram(args, commandTable, io);
    return { code, stdout: io.stdout(), stderr: io.stderr() };
  };
  const kept = () => {
    const folder = join(data, 'footbridge/tokens');
    return readdirSync(folder).map((name) => join(folder, name));
  };
  return { data, run, kept };
}

/** The command line beside an emulator; `FOOTBRIDGE_API` is not told. */
async function besideEmulator(options: StartEmulatorOptions = {}) {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  return { emulator, ...commandLine({ XDG_RUNTIME_DIR: emulator.folder }) };
}

/** Answers whatever waits for a person as soon as it waits. */
async function answering(
  emulator: TestEmulator,
  answer: 'requests.approve' | 'requests.deny',
): Promise<void> {
  await expect
    .poll(
      async () => {
        const [request] = (await emulator.operations.call('requests.list')) as { id: string }[];
        if (request !== undefined) await emulator.operations.call(answer, { id: request.id });
        return request;
      },
      { timeout: 20_000 },
    )
    .toBeDefined();
}

const secretApp = {
  me: '1',
  users: [{ id: '1', username: 'mason' }],
  applications: [{ id: SECRET_APP, name: 'Locked', secret: 'hunter2-hunter2' }],
};

describe('token', () => {
  it('requests a code, exchanges the code with PKCE, and prints only the token', async () => {
    const { run, emulator } = await besideEmulator();
    const { code, stdout, stderr } = await run(['token', '--client-id', APP, '--scopes', 'rpc,identify']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\w{20,}\n$/);
    const me = await fetch(`${emulator.api}/oauth2/@me`, {
      headers: { authorization: `Bearer ${stdout.trim()}` },
    });
    expect(await me.json()).toMatchObject({ scopes: ['rpc', 'identify'], application: { id: APP } });
  });

  it('prints the whole response of the token endpoint with --json', async () => {
    const { run } = await besideEmulator();
    const { stdout } = await run(['token', '--scopes', 'identify openid', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      token_type: 'Bearer',
      access_token: expect.any(String),
      expires_in: 604_800,
      refresh_token: expect.any(String),
      scope: 'identify openid',
      id_token: expect.any(String),
    });
  });

  it('writes --out with mode 0600 in a form that call accepts', async () => {
    const { run, data } = await besideEmulator();
    for (const json of [[], ['--json']]) {
      const out = join(data, 'token');
      const { code, stdout, stderr } = await run(['token', '--scopes', 'rpc', '--out', out, ...json]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      expect(stderr).toMatch(/^The token is in .*\/token, for rpc identify, until 20/);
      expect(statSync(out).mode & 0o777).toBe(0o600);
      expect(stderr).not.toContain(readFileSync(out, 'utf8').trim().slice(0, 20));
      expect(await run(['call', 'GET_GUILDS', '--token-file', out])).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('sends the client secret from a variable, a file or stdin', async () => {
    const { run, data } = await besideEmulator({ fixture: secretApp });
    const words = ['token', '--client-id', SECRET_APP, '--scopes', 'rpc'];
    const file = join(data, 'secret');
    writeFileSync(file, 'hunter2-hunter2\n');
    expect((await run(words, { more: { FOOTBRIDGE_CLIENT_SECRET: 'hunter2-hunter2' } })).code).toBe(0);
    expect((await run([...words, '--client-secret-file', file])).code).toBe(0);
    expect((await run([...words, '--client-secret-file', '-'], { stdin: 'hunter2-hunter2' })).code).toBe(0);
    const wrong = await run(words, { more: { FOOTBRIDGE_CLIENT_SECRET: 'not-the-secret' } });
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toMatch(
      /^footbridge: No token from http:\/\/127\.0\.0\.1:\d+\/api: HTTP 401 invalid_client\. Give the secret .* FOOTBRIDGE_CLIENT_SECRET or with --client-secret-file\.\n$/,
    );
    expect(wrong.stderr).not.toContain('not-the-secret');
  });

  it('reports that it waits for consent, and prints the decision of the user', async () => {
    const { emulator } = await besideEmulator({ consent: 'ask' });
    const io = fakeIo({ XDG_RUNTIME_DIR: emulator.folder });
    const denied = runProgram(['token', '--scopes', 'rpc'], commandTable, io);
    const waiting = 'footbridge: waiting for the user to allow this; "footbridge requests" shows it\n';
    await expect.poll(() => io.stderr(), { timeout: 20_000 }).toBe(waiting);
    await answering(emulator, 'requests.deny');
    expect({ code: await denied, stdout: io.stdout() }).toEqual({ code: 1, stdout: '' });
    expect(io.stderr()).toBe(
      `${waiting}footbridge: AUTHORIZE failed: 5000 access_denied: The user denied the request.\n`,
    );
  });

  it('applies --timeout while the user decides', async () => {
    const { run } = await besideEmulator({ consent: 'ask' });
    expect(await run(['token', '--scopes', 'rpc', '--timeout', '0.2'])).toMatchObject({
      code: 1,
      stderr: 'footbridge: No answer to AUTHORIZE within 0.2 s; --timeout sets how long to wait.\n',
    });
  });

  it('applies --timeout to a token endpoint that never answers', async () => {
    const { run } = await besideEmulator();
    const mute = createServer(() => {});
    closeAfterTest(mute);
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const api = `http://127.0.0.1:${(mute.address() as AddressInfo).port}/api`;
    expect(await run(['token', '--scopes', 'rpc', '--timeout', '0.3', '--api', api])).toMatchObject({
      code: 1,
      stderr: `footbridge: No answer of ${api}/oauth2/token within 0.3 s; --timeout sets how long to wait.\n`,
    });
  });
});

describe('the token endpoint', () => {
  const code: Script = ({ opcode, body }, peer) => {
    if (opcode === Opcode.HANDSHAKE) peer.ready();
    else peer.payload({ cmd: body.cmd, nonce: body.nonce, data: { code: 'the-code' } });
  };

  it('is read from READY when the address is on this machine', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end(JSON.stringify({ access_token: 'given', expires_in: 5, scope: 'rpc' }));
    });
    closeAfterTest(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { folder } = await scriptedServer((frame, peer, connection) => {
      if (frame.opcode !== Opcode.HANDSHAKE) return code(frame, peer, connection);
      const config = { ...scriptedReady.config, api_endpoint: `//127.0.0.1:${port}/api` };
      peer.payload({ cmd: 'DISPATCH', evt: 'READY', data: { ...scriptedReady, config } });
    });
    const { run } = commandLine({ XDG_RUNTIME_DIR: folder });
    expect(await run(['token', '--scopes', 'rpc'])).toEqual({ code: 0, stdout: 'given\n', stderr: '' });
    expect(asked).toEqual(['/api/oauth2/token']);
  });

  it('is required before the consent request when READY names no local address', async () => {
    const server = await scriptedServer((frame, peer, connection) => {
      if (frame.opcode !== Opcode.HANDSHAKE) return code(frame, peer, connection);
      const config = { ...scriptedReady.config, api_endpoint: '//service.example/api' };
      peer.payload({ cmd: 'DISPATCH', evt: 'READY', data: { ...scriptedReady, config } });
    });
    const { run } = commandLine({ XDG_RUNTIME_DIR: server.folder });
    const { code: exit, stderr } = await run(['token', '--scopes', 'rpc']);
    expect(exit).toBe(64);
    expect(stderr).toContain(`The token endpoint that belongs to ${server.path} is not known. Give its base`);
    // Without an application in the request nobody is asked; it shows whether the endpoint permits an authorization.
    expect(server.peer.requests()).toMatchObject([{ cmd: 'AUTHORIZE', args: { scopes: ['rpc'] } }]);
    expect(server.peer.requests()[0]).not.toHaveProperty('args.client_id');
  });

  it('of a bridge is not used for another endpoint in its folder', async () => {
    const { run, emulator } = await besideEmulator();
    const other = await scriptedServer(
      (frame, peer, connection) => {
        if (frame.opcode !== Opcode.HANDSHAKE) return code(frame, peer, connection);
        const { api_endpoint: _none, ...config } = scriptedReady.config;
        peer.payload({ cmd: 'DISPATCH', evt: 'READY', data: { ...scriptedReady, config } });
      },
      join(emulator.folder, 'discord-ipc-5'),
    );
    expect(await run(['token', '--scopes', 'rpc', '--endpoint', other.path])).toMatchObject({ code: 64 });
    const given = { FOOTBRIDGE_API: emulator.api };
    expect(
      (await run(['token', '--scopes', 'rpc', '--endpoint', other.path], { more: given })).stderr,
    ).toContain(`No token from ${emulator.api}: HTTP 400 invalid_grant`);
  });
});

describe('call --scopes', () => {
  const call = ['call', 'GET_GUILDS', '--scopes', 'rpc'];

  it('authorizes once and reuses the stored token', async () => {
    const { run, emulator, kept } = await besideEmulator({ consent: 'ask' });
    const first = run(call);
    await answering(emulator, 'requests.approve');
    const guilds = { code: 0, stdout: expect.stringContaining('"River Bank"'), stderr: '' };
    expect(await first).toMatchObject({ code: 0, stdout: guilds.stdout });
    // Nobody answers any more.
    expect(await run([...call, '--timeout', '5'])).toEqual(guilds);
    expect(kept().map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
  });

  it('authorizes again when the stored token is rejected, and replaces the token', async () => {
    const { run, emulator, kept } = await besideEmulator();
    await run(call);
    const [file = ''] = kept();
    const before = readFileSync(file, 'utf8');
    const [grant] = (await emulator.operations.call('grants.list')) as { id: string }[];
    await emulator.operations.call('grants.revoke', { id: grant?.id ?? '' });
    expect(await run(call)).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(file, 'utf8')).not.toBe(before);
  });

  it('stores one token for each application and scopes until token --forget', async () => {
    const { run, kept } = await besideEmulator();
    await run(call);
    await run([...call.slice(0, 3), 'rpc,identify']);
    await run([...call, '--client-id', '300000000000000002']);
    expect(kept()).toHaveLength(3);
    expect(await run(['token', '--forget', '--client-id', '300000000000000002'])).toEqual({
      code: 0,
      stdout: 'Forgotten: 1 token\n',
      stderr: '',
    });
    expect((await run(['token', '--forget', '--scopes', 'identify,rpc', '--json'])).stdout).toBe(
      '{"forgotten":1}\n',
    );
    expect((await run(['token', '--forget'])).stdout).toBe('Forgotten: 1 token\n');
    expect((await run(['token', '--forget'])).stdout).toBe('There was no stored token.\n');
  });

  it('continues without a stored token when the store is not writable', async () => {
    const { run, data } = await besideEmulator();
    writeFileSync(join(data, 'footbridge'), '');
    const { code, stdout, stderr } = await run(call);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('River Bank') });
    expect(stderr).toMatch(/^footbridge: the token is not stored for the next call: .*\n$/);
  });
});

describe('wrong arguments of token and call', () => {
  const token = ['token', '--scopes', 'rpc'];

  it.each<[string, readonly string[], number, string]>([
    ['no scopes', ['token'], 64, '--scopes is missing, such as --scopes rpc,identify.'],
    ['empty scopes', ['token', '--scopes', ' ,'], 64, '--scopes: names no scope'],
    [
      'no name of a scope',
      ['token', '--scopes', 'rpc,"x"'],
      64,
      '--scopes: "\\"x\\"" is not the name of a scope.',
    ],
    ['a scope twice', [...token, '--scopes', 'rpc'], 64, '--scopes is given more than once.'],
    ['a missing value', ['token', '--scopes'], 64, '--scopes needs a value, LIST: '],
    ['a secret as a word', [...token, '--client-secret', 'x'], 64, 'Did you mean "--client-secret-file"?'],
    ['an id that is none', [...token, '--client-id', 'x'], 64, '--client-id: "x" is not a decimal id.'],
    [
      'an address far away',
      [...token, '--api', 'http://x.example/api'],
      64,
      '--api: "http://x.example/api" is not',
    ],
    ['no address', [...token, '--api', ''], 64, '--api: "" is not an https address'],
    ['a time that is none', [...token, '--timeout', '-1'], 64, '--timeout: "-1" is not a number of seconds.'],
    ['an empty --out', [...token, '--out', ''], 64, '--out: "" is not the path of a file.'],
    [
      'a folder for --out',
      [...token, '--out', '/tmp'],
      78,
      '--out: /tmp cannot be written: it is there and no',
    ],
    [
      '--out nowhere',
      [...token, '--out', '/nowhere/x'],
      78,
      '--out: /nowhere/x cannot be written: /nowhere: there is no such',
    ],
    ['--out below a file', [...token, '--out', '/etc/passwd/x'], 78, 'cannot be written: /etc/passwd'],
    ['a device for --out', [...token, '--out', '/dev/null'], 78, 'it is there and no regular file.'],
    ['--forget with --out', ['token', '--forget', '--out', 'x'], 64, '--out is of no use with --forget.'],
    [
      'an empty secret',
      [...token, '--client-secret-file', '/dev/null'],
      64,
      'there is no secret in /dev/null.',
    ],
    [
      'a folder as secret',
      [...token, '--client-secret-file', '/tmp'],
      78,
      '/tmp: cannot be read: it is a folder (EISDIR).',
    ],
    [
      'no secret file',
      [...token, '--client-secret-file', '/nowhere'],
      78,
      '/nowhere: cannot be read: there is no such file or folder (ENOENT).',
    ],
    ['--api without --scopes', ['call', 'X', '--api', 'x'], 64, '--api is of use only with --scopes.'],
    [
      'both',
      ['call', 'X', '--scopes', 'x', '--token-file', 'x'],
      64,
      'Give --scopes or --token-file, not both.',
    ],
    ['- with evt', ['call', '-', '--evt', 'X'], 64, 'With - each line of stdin has its own args and evt.'],
    ['no token in JSON', ['call', 'X', '--token-file', '-'], 64, '--token-file: there is no token in stdin.'],
  ])('are rejected: %s', async (_what, args, code, message) => {
    const { run } = commandLine({ XDG_RUNTIME_DIR: temporaryFolder() });
    const ended = await run(args, { stdin: '{"token":1}' });
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
    expect(ended.stderr.split('\n')).toHaveLength(2);
  });

  it.each([['token', '--client-secret-file'] as const, ['call', '--token-file'] as const])(
    'are rejected for %s: a file of %s that is not UTF-8, too large, or a pipe without a writer',
    async (name, flag) => {
      const folder = temporaryFolder();
      const { run } = commandLine({ XDG_RUNTIME_DIR: folder });
      const words = name === 'token' ? token : ['call', 'GET_GUILDS'];
      const file = join(folder, 'file');
      writeFileSync(file, Buffer.from([0x61, 0xff]));
      expect(await run([...words, flag, file])).toMatchObject({
        code: 78,
        stderr: `footbridge: ${file}: the text is not UTF-8. Save it as UTF-8.\n`,
      });
      writeFileSync(file, Buffer.alloc(100 * 1024 * 1024, 97));
      expect(await run([...words, flag, file])).toMatchObject({
        code: 78,
        stderr: `footbridge: ${file}: is too large: at most 4194304 bytes are read. Give a smaller one.\n`,
      });
      const fifo = join(folder, 'fifo');
      execFileSync('mkfifo', [fifo]);
      expect(await run([...words, flag, fifo, '--timeout', '0.2'])).toMatchObject({
        code: 1,
        stderr: `footbridge: No end of ${fifo} within 0.2 s; --timeout sets how long to wait.\n`,
      });
    },
  );

  it('stop the program at once, before its timeout', async () => {
    const place = temporaryPlace();
    const words = ['token', '--scopes', 'rpc', '--client-secret-file', '/dev/null'];
    // Its time is longer than that of this test.
    expect(await footbridge(place, ...words)).toMatchObject({ code: 64 });
    expect(await footbridge(place, 'call', 'X', '--token-file', '/dev/null')).toMatchObject({ code: 64 });
  });

  it('are rejected: a link for --out, which would remain', async () => {
    const folder = temporaryFolder();
    const { run } = commandLine({ XDG_RUNTIME_DIR: folder });
    symlinkSync(join(folder, 'file'), join(folder, 'link'));
    expect(await run([...token, '--out', join(folder, 'link')])).toMatchObject({ code: 78 });
  });
});
