import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runConformance } from '../../src/conformance/run.ts';
import { bundle } from './broken/bundle.ts';
import { correct } from './broken/server/behaviour.ts';
import { freePort } from './broken/server/host.ts';
import { startServer } from './broken/server/server.ts';

let folder: string;
let path: string;
const undo: (() => unknown)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ct-'));
  path = join(folder, 'discord-ipc-0');
});
afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
  rmSync(folder, { recursive: true, force: true });
});

async function run(...argv: string[]) {
  let out = '';
  let err = '';
  const code = await runConformance(argv, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    isTerminal: false,
    color: false,
    env: process.env,
  });
  return { code, out, err };
}

async function serve(): Promise<string> {
  const server = await startServer({ behaviour: correct, at: { path }, deadlineMs: 2000 });
  undo.push(() => server.stop());
  return server.tokenEndpoint;
}

/** A target that is none: whatever connects meets `greet`. */
async function pretend(greet: Parameters<typeof createServer>[1]): Promise<void> {
  const sockets = new Set<{ destroy(): void }>();
  const server: Server = createServer({}, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    greet?.(socket);
  });
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  undo.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
}

describe('the command line', () => {
  const wrong: [string, string[], RegExp][] = [
    ['no suite', [], /first argument must be "server" or "client"/],
    ['an unknown suite', ['proxy'], /first argument/],
    ['no target', ['server'], /either --endpoint or --start/],
    ['two targets', ['server', '--endpoint', 'a', '--start', 'b'], /either --endpoint or --start/],
    ['no command', ['client'], /needs --command/],
    ['an unknown option', ['server', '--endpoint', 'a', '--nope'], /--nope/],
    ['an unknown profile', ['server', '--endpoint', 'a', '--profile', 'x'], /--profile: "x" is none of/],
    ['an unknown transport', ['server', '--start', 'a', '--transport', 'x'], /--transport: "x"/],
    ['an unknown report', ['server', '--endpoint', 'a', '--report', 'html'], /--report: "html"/],
    ['a bad timeout', ['server', '--endpoint', 'a', '--timeout', '1'], /--timeout/],
    [
      'an unknown case',
      ['server', '--endpoint', 'a', '--case', 'framing/999'],
      /no case or section "framing\/999"/,
    ],
    ['a case that needs --start', ['server', '--endpoint', 'a', '--case', 'endpoint/1'], /needs --start/],
    ['a bad address', ['server', '--endpoint', 'a', '--token-endpoint', 'x'], /--token-endpoint/],
    [
      'a missing baseline',
      ['server', '--endpoint', 'a', '--baseline', '/no/such'],
      /--baseline: \/no\/such: ENOENT/,
    ],
    [
      'a missing vector file',
      ['server', '--endpoint', 'a', '--vectors', '/no/such'],
      /--vectors: \/no\/such: ENOENT/,
    ],
  ];
  it.each(wrong)('refuses %s with 64 and one line', async (_, argv, message) => {
    const { code, out, err } = await run(...argv);
    expect(code).toBe(64);
    expect(err).toMatch(message);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(out).toBe('');
  });

  it('lists the cases, one a line', async () => {
    const { code, out } = await run('server', '--list');
    expect(code).toBe(0);
    expect(out.trim().split('\n').length).toBeGreaterThan(300);
    expect(out).toMatch(/^framing\/3 +MUST +a header in two writes$/m);
    expect((await run('client', '--list', '--case', 'client-ping')).out.trim().split('\n')).toHaveLength(5);
  });

  it('explains itself', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    expect(out).toContain('--approve-command');
    expect(out).toContain('Exit codes');
  });
});

describe('a run', () => {
  it('ends with 0 when all is right, and says what it left out', async () => {
    await serve();
    const { code, out } = await run('server', '--endpoint', path, '--case', 'ping', '--strict');
    expect(out).toMatch(/^ping +17/m);
    expect(out).toContain('cases: it stops the server, so it needs --start');
    expect(code).toBe(0);
  });

  it('ends with 1 for a failure, 0 when the baseline has it, 1 when the baseline is stale', async () => {
    await pretend((socket) => socket.end());
    const baseline = join(folder, 'baseline.txt');
    const options = [
      'server',
      '--endpoint',
      path,
      '--case',
      'close/1',
      '--case',
      'ping/1',
      '--timeout',
      '100',
    ];
    expect((await run(...options)).code).toBe(1);
    expect((await run(...options, '--write-baseline', baseline)).code).toBe(1);
    expect((await run(...options, '--baseline', baseline)).code).toBe(0);
    writeFileSync(baseline, 'ping/12 # passes with a target that hangs up\n');
    const stale = await run(
      'server',
      '--endpoint',
      path,
      '--case',
      'ping/9',
      '--baseline',
      baseline,
      '--timeout',
      '100',
    );
    expect(stale.code).toBe(1);
  });

  it('says which line of a baseline is stale', async () => {
    await serve();
    const baseline = join(folder, 'baseline.txt');
    writeFileSync(baseline, 'ping/1\n');
    const { code, out } = await run('server', '--endpoint', path, '--case', 'ping/1', '--baseline', baseline);
    expect(code).toBe(1);
    expect(out).toContain('ping/1 passes now: remove its line');
  });

  it('keeps standard output for a report that a machine reads', async () => {
    await serve();
    const file = join(folder, 'report.xml');
    const options = ['server', '--endpoint', path, '--case', 'ping/1'];
    const json = await run(...options, '--report', 'json', '--report', `junit=${file}`);
    expect(JSON.parse(json.out)).toMatchObject({
      suite: 'server',
      cases: [{ id: 'ping/1', verdict: 'passed' }],
    });
    expect(json.err).toContain('1 cases');
    expect(readFileSync(file, 'utf8')).toContain('<testcase classname="ping"');
  });

  it('uses the token endpoint it is given', async () => {
    const endpoint = await serve();
    const { code } = await run(
      'server',
      '--endpoint',
      path,
      '--case',
      'authorization',
      '--token-endpoint',
      endpoint,
      '--strict',
    );
    expect(code).toBe(0);
  });

  it('runs the approve command while AUTHORIZE waits, and says when it fails', async () => {
    const endpoint = await serve();
    const options = ['server', '--endpoint', path, '--case', 'authorization/1', '--token-endpoint', endpoint];
    const mark = join(folder, 'approved');
    expect((await run(...options, '--approve-command', `echo yes > '${mark}'`)).code).toBe(0);
    expect(readFileSync(mark, 'utf8')).toBe('yes\n');
    const refused = await run(...options, '--approve-command', 'echo nobody is there; exit 3');
    expect(refused.code).toBe(1);
    expect(refused.out).toContain('the approve command to exit with 0');
  });

  it('runs conversations of a file', async () => {
    await serve();
    const file = join(folder, 'own.json');
    const vector = {
      id: 'own/1',
      title: 'a ping of my own',
      judges: ['ping.same-body'],
      after: 'connect',
      send: [{ opcode: 3, body: '"mine"' }],
      expect: [[{ frame: { opcode: 4, body: '"mine"' } }]],
    };
    writeFileSync(file, JSON.stringify({ section: 'own', vectors: [vector] }));
    const { code, out } = await run('server', '--endpoint', path, '--vectors', file, '--case', 'own');
    expect(out).toMatch(/^own +1/m);
    expect(code).toBe(0);
  });

  it('names file and line of a broken conversation', async () => {
    const file = join(folder, 'own.json');
    const options = ['server', '--endpoint', path, '--vectors', file];
    writeFileSync(file, '{\n"section": "own",\n"vectors": [\n{"id": "own/1"}\n]}');
    expect((await run(...options)).err).toContain(
      `${file}:4: /vectors/0/title: expected a value, found nothing`,
    );
    writeFileSync(file, '{\n"section": "own",\n"vectors": [\n');
    expect((await run(...options)).err).toContain(`${file}:4: `);
    const vector = {
      id: 'own/1',
      title: 'x',
      judges: ['no.such'],
      after: 'connect',
      send: [{ end: true }],
      expect: [],
    };
    writeFileSync(file, JSON.stringify({ section: 'own', vectors: [vector] }));
    expect((await run(...options)).err).toContain('no requirement "no.such"');
    writeFileSync(
      file,
      JSON.stringify({ section: 'own', vectors: [{ ...vector, send: [{ end: true, pause: 5 }] }] }),
    );
    expect((await run(...options)).err).toContain('exactly one of');
  });

  it('counts ERROR 4002 outside the profile as not applicable, silence as a failure', async () => {
    await pretend((socket) => {
      socket.on('data', (chunk: Buffer) => {
        if (chunk.readUInt32LE(0) === 0)
          socket.write(frame({ cmd: 'DISPATCH', evt: 'READY', nonce: null, data: {} }));
        const { cmd, nonce } = JSON.parse(chunk.subarray(8).toString()) as Record<string, string>;
        if (cmd === 'SUBSCRIBE')
          socket.write(frame({ cmd, evt: 'ERROR', nonce, data: { code: 4002, message: 'no' } }));
      });
    });
    const options = ['server', '--endpoint', path, '--timeout', '100', '--case', 'subscription/1'];
    expect((await run(...options, '--profile', 'presence')).out).toMatch(/^subscription +\. +\. +\. +1$/m);
    expect((await run(...options, '--profile', 'full')).code).toBe(1);
    const silent = [
      'server',
      '--endpoint',
      path,
      '--timeout',
      '100',
      '--case',
      'scope/5',
      '--profile',
      'presence',
    ];
    expect((await run(...silent)).code).toBe(1);
  });
});

function frame(body: unknown): Buffer {
  const bytes = Buffer.from(JSON.stringify(body));
  const header = Buffer.alloc(8);
  header.writeUInt32LE(1, 0);
  header.writeUInt32LE(bytes.byteLength, 4);
  return Buffer.concat([header, bytes]);
}

describe('a target that the suite starts', () => {
  let program: Awaited<ReturnType<typeof bundle>>;
  beforeAll(async () => {
    program = await bundle('./server/main.ts');
  });
  afterAll(() => program.remove());
  const start = (port: number) => `REFERENCE_WEBSOCKET=${port} exec '${process.execPath}' '${program.file}'`;

  it('is judged over its WebSocket too, once it is prepared', async () => {
    const mark = join(folder, 'prepared');
    const prepare = `test -S "$XDG_RUNTIME_DIR/discord-ipc-0" && echo yes > '${mark}'`;
    const options = [
      'server',
      '--transport',
      'websocket',
      '--case',
      'websocket',
      '--case',
      'ready',
      '--strict',
    ];
    const { code, out } = await run(...options, '--start', start(await freePort()), '--prepare', prepare);
    expect(out).toMatch(/^websocket +7/m);
    expect(code).toBe(0);
    expect(readFileSync(mark, 'utf8')).toBe('yes\n');
  }, 30_000);

  it('is absent when it cannot be prepared, or announces no WebSocket', async () => {
    const options = ['server', '--case', 'ready/1'];
    const port = await freePort();
    expect((await run(...options, '--start', start(port), '--prepare', 'exit 3')).code).toBe(69);
    const quiet = `exec '${process.execPath}' '${program.file}'`;
    const { code, out } = await run(...options, '--start', quiet, '--transport', 'websocket');
    expect(out).toContain('a WebSocket endpoint in the ready line');
    expect(code).toBe(69);
  }, 30_000);
});

describe('a target that', () => {
  const cases = ['ping', 'ready', 'close', 'framing/29', 'authorization/1'].flatMap((one) => ['--case', one]);
  const options = (at: string) => ['server', '--endpoint', at, '--timeout', '60', ...cases];

  it('is absent ends the run with 69', async () => {
    const { code, out } = await run(...options(path));
    expect(code).toBe(69);
    expect(out).toContain('ENOENT');
  });

  const hostile: [string, Parameters<typeof createServer>[1]][] = [
    ['says nothing', () => undefined],
    ['hangs up', (socket) => socket.destroy()],
    ['answers garbage', (socket) => socket.write(Buffer.alloc(64, 0xff))],
    ['answers another protocol', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['answers half a frame', (socket) => socket.write(Buffer.from('0100000040000000', 'hex'))],
    ['announces 2 GiB', (socket) => socket.write(Buffer.from('01000000ffffff7f', 'hex'))],
    [
      'answers JSON that is no object',
      (socket) => socket.write(Buffer.from('01000000040000006e756c6c', 'hex')),
    ],
    [
      'floods',
      (socket) => {
        const bytes = Buffer.concat(
          Array.from({ length: 500 }, () => frame({ cmd: 'DISPATCH', evt: 'X', data: null, nonce: null })),
        );
        const pour = () => {
          while (socket.writable && socket.write(bytes));
        };
        socket.on('drain', pour);
        pour();
      },
    ],
  ];
  it.each(hostile)('%s gets its verdicts in time', async (_, greet) => {
    await pretend(greet);
    const { code, out, err } = await run(...options(path));
    expect(code).not.toBe(0);
    expect(out).toMatch(/^all /m);
    expect(`${out}${err}`).not.toMatch(/^\s+at /m);
    expect(out).not.toContain('the suite to cope');
  });

  const commands: [string, string, number][] = [
    ['cannot be started', 'exit 3', 69],
    ['does not exist', '/no/such/program', 69],
  ];
  it.each(commands)('%s ends the run with 69', async (_, command, expected) => {
    const { code, out } = await run('server', '--start', command, '--case', 'ping/1');
    expect(out).toMatch(/exit code (3|127)/);
    expect(code).toBe(expected);
  });

  it('is a client that does not exist: a verdict for every case', async () => {
    const { code, out } = await run(
      'client',
      '--command',
      'exit 9',
      '--case',
      'client-ping',
      '--case',
      'client-search/1',
    );
    expect(out).toMatch(/^all +\. +\d/m);
    expect(code).not.toBe(0);
  });
});
