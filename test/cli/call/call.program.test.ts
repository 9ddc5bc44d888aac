import { chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { commandTable } from '../../../src/cli/table.ts';
import { Opcode } from '../../../src/wire/codes.ts';
import { frameBytes } from '../../helpers/frame-bytes.ts';
import { NOBODY } from '../../helpers/other-user.ts';
import { type Script, scriptedServer, wellBehaved } from '../../helpers/scripted-server.ts';
import { temporaryFolder, uid } from '../../helpers/sockets.ts';
import { fakeIo } from '../fake-io.ts';
import { type Place, startDaemonProcess, startFootbridge, temporaryPlace } from '../spawn.ts';

const APP = '300000000000000001';

/** `footbridge call ARGS` in this process. */
async function call(folder: string, ...args: readonly string[]) {
  const io = fakeIo({ XDG_RUNTIME_DIR: folder }, 'very-secret');
  const code = await runProgram(['call', ...args], commandTable, io);
  return { code, stdout: io.stdout(), stderr: io.stderr() };
}

/** A server that shakes hands, and then leaves a request to the test. */
const greeting =
  (answer: Script): Script =>
  (frame, peer, connection) =>
    frame.opcode === Opcode.HANDSHAKE ? peer.ready() : answer(frame, peer, connection);

describe('call', () => {
  it('uses the first endpoint that answers in the folder of the environment', async () => {
    const folder = temporaryFolder();
    const server = await scriptedServer(wellBehaved, join(folder, 'discord-ipc-3'));
    expect(await call(folder, 'ECHO', '{"a":1}')).toEqual({ code: 0, stdout: '{"a":1}\n', stderr: '' });
    expect(server.peer.received[0]).toMatchObject({ body: { v: 1, client_id: APP } });
    expect(server.peer.requests()).toMatchObject([{ cmd: 'ECHO', args: { a: 1 } }]);
  });

  it.each<[string, Script]>([
    [
      'answers a PING',
      (frame, peer, connection) =>
        frame.opcode === Opcode.PING
          ? peer.send(Opcode.PONG, frame.body)
          : wellBehaved(frame, peer, connection),
    ],
    ['knows no PING', wellBehaved],
  ])('reaches a server that %s behind a program that never answers', async (_what, script) => {
    const folder = temporaryFolder();
    await scriptedServer(() => {}, join(folder, 'discord-ipc-0'));
    await scriptedServer(script, join(folder, 'discord-ipc-1'));
    expect(await call(folder, 'ECHO', '{"a":1}')).toEqual({ code: 0, stdout: '{"a":1}\n', stderr: '' });
  });

  const LARGE = '{"x":12345678901234567890,"list":[9007199254740993,-9007199254740993],"small":7}';

  it.each<[string, string[], string, string, string]>([
    ['one call', ['ECHO', LARGE], '', LARGE, `${LARGE}\n`],
    ['arguments of stdin', ['ECHO', '-'], LARGE, LARGE, `${LARGE}\n`],
    ['a line of stdin', ['-'], `{"cmd":"ECHO","args":${LARGE}}\n`, LARGE, `{"cmd":"ECHO","data":${LARGE}}\n`],
  ])(
    'preserves every digit of large numbers in %s and its response',
    async (_what, argv, stdin, sent, stdout) => {
      const folder = temporaryFolder();
      const raw: string[] = [];
      await scriptedServer(
        (frame, peer) => {
          if (frame.opcode === Opcode.HANDSHAKE) {
            peer.socket.on('data', (bytes: Buffer) => void raw.push(bytes.toString('latin1')));
            return peer.ready();
          }
          const { cmd, nonce } = frame.body as { cmd: string; nonce: string };
          const text = `{"cmd":"${cmd}","data":${LARGE},"evt":null,"nonce":"${nonce}"}`;
          return peer.write(frameBytes(Opcode.FRAME, text));
        },
        join(folder, 'discord-ipc-0'),
      );
      const io = fakeIo({ XDG_RUNTIME_DIR: folder }, stdin);
      const code = await runProgram(['call', ...argv], commandTable, io);
      expect([code, io.stdout(), io.stderr()]).toEqual([0, stdout, '']);
      expect(raw.join('')).toContain(`"args":${sent}`);
    },
  );

  it('preserves large numbers in terminal output and in events', async () => {
    const folder = temporaryFolder();
    await scriptedServer(
      greeting((frame, peer) => {
        const { nonce } = frame.body as { nonce: string };
        peer.write(
          frameBytes(
            Opcode.FRAME,
            `{"cmd":"ECHO","data":[12345678901234567890],"evt":null,"nonce":"${nonce}"}`,
          ),
        );
        peer.write(
          frameBytes(
            Opcode.FRAME,
            '{"cmd":"DISPATCH","data":{"id":9007199254740993},"evt":"X","nonce":null}',
          ),
        );
        setImmediate(() => peer.socket.end());
      }),
      join(folder, 'discord-ipc-0'),
    );
    const io = { ...fakeIo({ XDG_RUNTIME_DIR: folder }), terminal: { out: true, err: false } };
    await runProgram(['call', 'ECHO', '--follow'], commandTable, io);
    expect(io.stdout()).toBe('[12345678901234567890]\n{"evt":"X","data":{"id":9007199254740993}}\n');
  });

  it('rejects a large number where a string is required', async () => {
    const folder = temporaryFolder();
    await scriptedServer(wellBehaved, join(folder, 'discord-ipc-0'));
    const io = fakeIo({ XDG_RUNTIME_DIR: folder }, '{"cmd":12345678901234567890}\n');
    expect(await runProgram(['call', '-'], commandTable, io)).toBe(64);
    expect(io.stderr()).toContain('line 1: has no "cmd"');
  });

  it('uses the path in FOOTBRIDGE_ENDPOINT alone, unless --endpoint names another', async () => {
    const [folder, other] = [temporaryFolder(), temporaryFolder()];
    const searched = await scriptedServer(wellBehaved, join(folder, 'discord-ipc-0'));
    const named = await scriptedServer(wellBehaved, join(other, 'any'));
    const echo = async (path: string, ...args: readonly string[]) => {
      const io = fakeIo({ XDG_RUNTIME_DIR: folder, FOOTBRIDGE_ENDPOINT: path });
      const code = await runProgram(['call', 'ECHO', ...args], commandTable, io);
      return { code, stderr: io.stderr() };
    };
    const served = () => [searched, named].map(({ peers }) => peers.length);
    expect(await echo(named.path)).toEqual({ code: 0, stderr: '' });
    expect(served()).toEqual([0, 1]);
    expect(await echo(named.path, '--endpoint', searched.path)).toEqual({ code: 0, stderr: '' });
    expect(served()).toEqual([1, 1]);
    const missing = join(other, 'none');
    expect(await echo(missing)).toEqual({
      code: 69,
      stderr: `footbridge: No endpoint answers at the path in FOOTBRIDGE_ENDPOINT (${missing}: missing). Start its server, or unset the variable\n`,
    });
    for (const [path, fault] of [
      ['relative', 'which is not the absolute path of a socket'],
      [other, 'which is a folder. Set it to the path of the socket in it'],
    ] as const)
      expect(await echo(path)).toEqual({ code: 78, stderr: expect.stringContaining(fault) as string });
    expect(served()).toEqual([1, 1]);
  });

  it('finds a server in the folder of a sandbox, after those in the folder of the environment', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'app/io.example.Any'), { recursive: true });
    const server = await scriptedServer(wellBehaved, join(folder, 'app/io.example.Any/discord-ipc-2'));
    expect(await call(folder, 'ECHO', '{"a":1}')).toEqual({ code: 0, stdout: '{"a":1}\n', stderr: '' });
    expect(server.peers).toHaveLength(1);
  });

  it('lists the endpoints that it tried when none answers', async () => {
    const folder = temporaryFolder();
    expect(await call(folder, 'ECHO')).toEqual({
      code: 69,
      stdout: '',
      stderr: expect.stringMatching(
        /^footbridge: No endpoint answers \(\S+discord-ipc-0 and \d+ more: missing\)\. Start one with: footbridge run\n$/,
      ),
    });
    expect((await call(folder, 'ECHO', '--endpoint', `${folder}/x`)).stderr).toContain(
      `(${folder}/x: missing)`,
    );
    expect(await call(folder, 'ECHO', '--endpoint', `/${'x'.repeat(200)}`)).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('a socket path holds at most'),
    });
  });

  it.each<[string, Script, string]>([
    [
      'refuses the application',
      (_frame, peer) => peer.send(Opcode.CLOSE, { code: 4000, message: 'Invalid Client ID\u001b[31m' }),
      'discord-ipc-0 refused: 4000 Invalid Client ID?[31m.',
    ],
    ['hangs up', (_frame, peer) => peer.socket.end(), 'discord-ipc-0 refused: Server hung up.'],
    [
      'speaks another protocol',
      (_frame, peer) => peer.write(Buffer.from('GARBAGE-'.repeat(4))),
      'refused: The server broke the protocol: ',
    ],
    [
      'refuses the request',
      greeting(({ body }, peer) => {
        const data = { code: 4006, message: 'needs the scope\nrpc' };
        peer.payload({ cmd: body.cmd, nonce: body.nonce, evt: 'ERROR', data });
      }),
      'footbridge: ECHO failed: 4006 needs the scope?rpc\n',
    ],
    [
      'hangs up instead of answering',
      greeting((_frame, peer) => peer.socket.end()),
      'footbridge: Server hung up.\n',
    ],
  ])('exits with 1 and prints the reason when the server %s', async (_what, script, message) => {
    const { folder } = await scriptedServer(script);
    expect(await call(folder, 'ECHO')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });

  it('applies --timeout to every step in which the server stays silent', async () => {
    const mute = await scriptedServer(() => {});
    expect(await call(mute.folder, 'ECHO', '--timeout', '0.05')).toEqual({
      code: 1,
      stdout: '',
      stderr: `footbridge: No READY from ${mute.path} or an endpoint after it within 0.05 s; --timeout sets how long to wait.\n`,
    });
    expect((await call(mute.folder, 'ECHO', '--timeout', '0.05', '--endpoint', mute.path)).stderr).toContain(
      `No READY from ${mute.path} within 0.05 s`,
    );
    const { folder } = await scriptedServer(greeting(() => {}));
    expect((await call(folder, 'ECHO', '--timeout', '1')).stderr).toContain('No answer to ECHO within 1 s');
    expect((await call(folder, 'ECHO', '--timeout', '1', '--token-file', '-')).stderr).toContain(
      'No answer to AUTHENTICATE within 1 s',
    );
  });

  it('prints the response, then one line for each event, and exits with 1 when the server closes', async () => {
    const { folder } = await scriptedServer(
      greeting(({ body }, peer) => {
        peer.dispatch('EARLY', 1);
        peer.payload({ cmd: body.cmd, nonce: body.nonce, data: { evt: body.evt } });
        peer.dispatch('LATE', { a: [2] });
        peer.send(Opcode.CLOSE, { code: 4003, message: 'Token revoked' });
      }),
    );
    expect(await call(folder, 'SUBSCRIBE', '--evt', 'LATE', '--follow')).toEqual({
      code: 1,
      stdout: '{"evt":"LATE"}\n{"evt":"EARLY","data":1}\n{"evt":"LATE","data":{"a":[2]}}\n',
      stderr: 'footbridge: Closed by the server: 4003 Token revoked.\n',
    });
  });
});

it('call --follow exits with 0 when the reader of its output closes', async () => {
  const server = await scriptedServer(
    greeting(({ body }, peer) => peer.payload({ cmd: body.cmd, nonce: body.nonce, data: {} })),
  );
  const place = { folder: server.folder, env: { ...temporaryPlace().env, XDG_RUNTIME_DIR: server.folder } };
  const following = startFootbridge(place, ['call', 'SUBSCRIBE', '--evt', 'LATE', '--follow']);
  await following.stdoutWith('\n');
  following.child.stdout?.destroy();
  server.peer.dispatch('LATE', 1);
  expect(await following.ended).toMatchObject({ code: 0, stderr: '' });
});

describe('error messages of call', () => {
  it('repeat the name of the command on one short, printable line', async () => {
    const { folder } = await scriptedServer(
      greeting(({ body }, peer) =>
        peer.payload({ cmd: body.cmd, nonce: body.nonce, evt: 'ERROR', data: { code: 4002, message: 'no' } }),
      ),
    );
    expect((await call(folder, 'GET\nGUILDS')).stderr).toBe(
      'footbridge: GET?GUILDS failed: 4002 no. Did you mean "GET_GUILDS"?\n',
    );
    expect((await call(folder, 'A'.repeat(50_000))).stderr).toBe(
      `footbridge: ${'A'.repeat(60)}… failed: 4002 no\n`,
    );
  });

  it('name a token file that holds no token', async () => {
    const { folder } = await scriptedServer();
    expect(await call(folder, 'ECHO', '--token-file', '/dev/null')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('--token-file: there is no token in /dev/null'),
    });
  });
});

describe.skipIf(uid !== 0)('call at the socket of another user (needs root)', () => {
  it.each([[['--token-file', '-']], [['--token-file', '-', '--endpoint']], [[]]])(
    'sends nothing and prints the reason: %j',
    async (words) => {
      const server = await scriptedServer();
      chownSync(server.path, NOBODY, NOBODY);
      const args = words.includes('--endpoint') ? [...words, server.path] : words;
      const { code, stdout, stderr } = await call(server.folder, 'ECHO', ...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toBe(
        `footbridge: ${server.path} belongs to user ${NOBODY}, not to 0, and would receive everything that is sent, ` +
          'tokens included: run this as that user, or add --any-owner.\n',
      );
      expect(server.peers.flatMap(({ received }) => received)).toEqual([]);
    },
  );

  it('uses the next endpoint, and the first one with --any-owner', async () => {
    const folder = temporaryFolder();
    const foreign = await scriptedServer(wellBehaved, join(folder, 'discord-ipc-0'));
    const own = await scriptedServer(wellBehaved, join(folder, 'discord-ipc-1'));
    chownSync(foreign.path, NOBODY, NOBODY);
    expect((await call(folder, 'ECHO', '--token-file', '-')).code).toBe(0);
    expect(own.peer.requests('AUTHENTICATE')).toHaveLength(1);
    expect((await call(folder, 'ECHO', '--any-owner')).code).toBe(0);
    expect(foreign.peer.requests('ECHO')).toHaveLength(1);
  });

  it('follows neither its own link to the foreign socket nor a foreign link to its own socket', async () => {
    const folder = temporaryFolder();
    const own = await scriptedServer(wellBehaved, join(folder, 'own'));
    const foreign = await scriptedServer(wellBehaved, join(folder, 'foreign'));
    chownSync(foreign.path, NOBODY, NOBODY);
    const link = join(folder, 'link');
    symlinkSync(foreign.path, link);
    expect((await call(folder, 'ECHO', '--endpoint', link)).stderr).toContain(`belongs to user ${NOBODY}`);
    const { code } = await call(folder, 'ECHO', '--endpoint', own.path);
    expect(code).toBe(0);
    const theirs = join(folder, 'theirs');
    symlinkSync(own.path, theirs);
    // The link itself changes hands, not what it leads to.
    lchownSync(theirs, NOBODY, NOBODY);
    expect((await call(folder, 'ECHO', '--endpoint', theirs)).stderr).toContain(`belongs to user ${NOBODY}`);
  });
});

describe('a bridge that', () => {
  const authorize = ['AUTHORIZE', JSON.stringify({ client_id: APP, scopes: ['identify', 'rpc'] })];

  async function bridge(place: Place) {
    const daemon = await startDaemonProcess(place, '--consent', 'allow');
    const run = (...args: readonly string[]) => startFootbridge(place, ['call', ...args]).ended;
    return { daemon, run };
  }

  /** A token of the running bridge, in a file. */
  async function tokenFile(
    place: Place,
    { daemon, run }: Awaited<ReturnType<typeof bridge>>,
  ): Promise<string> {
    const { code } = JSON.parse((await run(...authorize)).stdout) as { code: string };
    const response = await fetch(`${String(daemon.ready['api'])}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        client_id: APP,
        client_secret: 'x',
      }),
    });
    const { access_token: token } = (await response.json()) as { access_token: string };
    const path = join(place.folder, 'token');
    writeFileSync(path, token);
    return path;
  }

  it('is stopped delays call no longer than --timeout', async () => {
    const place = temporaryPlace();
    const { daemon, run } = await bridge(place);
    daemon.child.kill('SIGSTOP');
    expect(await run('GET_GUILDS', '--timeout', '0.3')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^footbridge: No READY from .* within 0\.3 s; --timeout sets how long/),
    });
    daemon.child.kill('SIGCONT');
  });

  it.each<[string, (place: Place, pid: number) => unknown, string]>([
    [
      'revokes the grant',
      async (place) => {
        const { ended } = startFootbridge(place, ['grants', '--json']);
        const [grant] = JSON.parse((await ended).stdout) as { id: string }[];
        await startFootbridge(place, ['revoke', grant?.id ?? '']).ended;
      },
      'footbridge: Closed by the server: 4003 ',
    ],
    ['stops', (_place, pid) => process.kill(pid, 'SIGTERM'), 'footbridge: Closed by the server: 1000 '],
    ['is killed', (_place, pid) => process.kill(pid, 'SIGKILL'), 'footbridge: Server hung up.'],
  ])('%s makes call --follow exit with 1 and print the reason', async (_what, end, message) => {
    const place = temporaryPlace();
    const running = await bridge(place);
    const token = await tokenFile(place, running);
    const words = ['SUBSCRIBE', '--evt', 'VOICE_SETTINGS_UPDATE', '--follow', '--token-file', token];
    const following = startFootbridge(place, ['call', ...words]);
    await following.stdoutWith('{"evt":"VOICE_SETTINGS_UPDATE"}');
    await end(place, running.daemon.ready.pid);
    expect(await following.ended).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  });
});
