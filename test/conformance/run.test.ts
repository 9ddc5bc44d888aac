import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sources } from '../../src/conformance/requirements.ts';
import { runConformance } from '../../src/conformance/run.ts';
import { bundle } from './broken/bundle.ts';
import { type Change, changed } from './broken/server/behaviour.ts';
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

function run(...argv: string[]) {
  return runUntil(undefined, ...argv);
}

/** A run that `signal` may end. */
async function runUntil(signal: AbortSignal | undefined, ...argv: string[]) {
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
    ...(signal === undefined ? {} : { signal }),
  });
  return { code, out, err };
}

async function serve(change: Change = {}): Promise<string> {
  const server = await startServer({ behaviour: changed(change), at: { path }, deadlineMs: 2000 });
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

describe('the conformance command line', () => {
  const wrong: [string, string[], RegExp][] = [
    ['no suite', [], /first argument must be "server" or "client"/],
    ['an unknown suite', ['proxy'], /first argument/],
    ['no target', ['server'], /either --endpoint or --start/],
    ['two targets', ['server', '--endpoint', 'a', '--start', 'b'], /either --endpoint or --start/],
    ['no command', ['client'], /needs --command/],
    ['an unknown option', ['server', '--endpoint', 'a', '--nope'], /--nope/],
    ['an unknown profile', ['server', '--endpoint', 'a', '--profile', 'x'], /--profile: "x" is none of/],
    ['an unknown transport', ['server', '--start', 'a', '--transport', 'x'], /--transport: "x"/],
    ['an unknown report', ['server', '--endpoint', 'a', '--report', 'pdf'], /--report: "pdf"/],
    ['a bad timeout', ['server', '--endpoint', 'a', '--timeout', '1'], /--timeout/],
    [
      'an unknown case',
      ['server', '--endpoint', 'a', '--case', 'framing/999'],
      /no case or section "framing\/999"/,
    ],
    ['a case that needs --start', ['server', '--endpoint', 'a', '--case', 'endpoint/1'], /needs --start/],
    ['a bad address', ['server', '--endpoint', 'a', '--token-endpoint', 'x'], /--token-endpoint/],
    [
      'no address for tokens',
      ['server', '--endpoint', 'a', '--token-endpoint', 'http://'],
      /--token-endpoint/,
    ],
    ['an empty command', ['server', '--start', ''], /--start: must not be empty/],
    ['an empty client', ['client', '--command', ''], /--command: must not be empty/],
    ['an empty endpoint', ['server', '--endpoint', ''], /--endpoint: must not be empty/],
    [
      'an option twice',
      ['server', '--endpoint', 'a', '--endpoint', 'b'],
      /--endpoint: is set more than once/,
    ],
    ['an unknown option', ['server', '--nope'], /there is no option --nope; --help shows all/],
    [
      'a misspelled option',
      ['server', '--strat'],
      /there is no option --strat\. Did you mean "--start"\? --help shows all/,
    ],
    ['a missing value', ['server', '--endpoint'], /--endpoint: needs a value; --help/],
    ['a value too many', ['server', '--list=x'], /--list: takes no value/],
    ['no address', ['server', '--endpoint', 'ws://'], /--endpoint: "ws:\/\/" is no ws:\/\/ address/],
    ['a port that is none', ['server', '--endpoint', 'ws://127.0.0.1:99999'], /--endpoint: /],
    ['an address that is not spoken', ['server', '--endpoint', 'wss://127.0.0.1'], /--endpoint: /],
    [
      'a folder as baseline',
      ['server', '--endpoint', 'a', '--baseline', '/'],
      /--baseline: \/: it is a folder \(EISDIR\); give a file/,
    ],
    [
      'a baseline that steers the terminal',
      ['server', '--endpoint', 'a', '--baseline', `${import.meta.dirname}/escape.txt`],
      /escape\.txt:1: there is no case "\?\[2J"/,
    ],
    [
      'a missing baseline',
      ['server', '--endpoint', 'a', '--baseline', '/no/such'],
      /--baseline: \/no\/such: there is no such file or folder \(ENOENT\); give a file/,
    ],
    [
      'a missing vector file',
      ['server', '--endpoint', 'a', '--vectors', '/no/such'],
      /--vectors: \/no\/such: there is no such file or folder \(ENOENT\); give a file/,
    ],
  ];
  it.each(wrong)('rejects %s with 64 and one line', async (_, argv, message) => {
    const { code, out, err } = await run(...argv);
    expect(code).toBe(64);
    expect(err).toMatch(message);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(out).toBe('');
  });

  it('lists the cases, one on each line', async () => {
    const { code, out } = await run('server', '--list');
    expect(code).toBe(0);
    expect(out.trim().split('\n').length).toBeGreaterThan(300);
    expect(out).toMatch(/^framing\/3 +MUST +a header in two writes$/m);
    expect((await run('client', '--list', '--case', 'client-ping')).out.trim().split('\n')).toHaveLength(7);
  });

  it('prints its options, exit codes and sources with --help', async () => {
    const { code, out } = await run('--help');
    expect(code).toBe(0);
    expect(out).toContain('--approve-command');
    expect(out).toContain('Exit codes');
    for (const tag of Object.keys(sources)) expect(out).toMatch(new RegExp(`^ {2}${tag} +`, 'm'));
    expect(out).toContain('  DOC   discord/discord-api-docs: developers/topics/rpc.mdx\n');
  });
});

describe('a conformance run', () => {
  it('exits with 0 when every case passes, and names the cases that were not run', async () => {
    await serve();
    const { code, out } = await run(
      ...['server', '--endpoint', path, '--case', 'ping', '--case', 'recovery', '--strict'],
    );
    expect(out).toMatch(/^ping +19/m);
    expect(out).toMatch(/^not run: \d cases: it stops the server, so it needs --start$/m);
    // Nobody has asked for those.
    expect(out).not.toContain('WebSocket');
    expect(code).toBe(0);
  });

  it('exits with 1 for a failure, 0 when the baseline lists it, 1 when the baseline is stale', async () => {
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

  it('names the stale line of a baseline', async () => {
    await serve();
    const baseline = join(folder, 'baseline.txt');
    writeFileSync(baseline, 'ping/1\n');
    const { code, out } = await run('server', '--endpoint', path, '--case', 'ping/1', '--baseline', baseline);
    expect(code).toBe(1);
    expect(out).toContain('ping/1 passes now: remove its line');
  });

  it('reserves standard output for a machine-readable report', async () => {
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

  it('uses the token endpoint of its option', async () => {
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

  it('prints the traffic of a case with --trace, with the requirement and its sources', async () => {
    const endpoint = await serve();
    const options = ['server', '--endpoint', path, '--token-endpoint', endpoint, '--trace'];
    const { out } = await run(...options, '--case', 'authorization/8', '--report', `json=${folder}/r.json`);
    expect(out).toMatch(/^authorization\/8 .*: passed$/m);
    expect(out).toMatch(/^ {2}MUST authorization\.exchange: The token endpoint exchanges the code/m);
    expect(out).toMatch(/^ {4}OA {4}discord\/discord-api-docs: developers\/topics\/oauth2\.mdx$/m);
    expect(out).toMatch(/#1 sent 49 bytes, HANDSHAKE\(0\)\n +000000 {2}00 00 00 00 29 00 00 00 7b/);
    expect(out).toMatch(/#1 received \d+ bytes, FRAME\(1\)\n/);
    expect(out).toMatch(/POST http:.* client_id, grant_type, code, code_verifier\n.*status 200 access_token/);
    const shown = [...out.matchAll(/\|([^|]*)\|/g)].map(([, part]) => part).join('');
    expect(shown).toContain('"data":{"code":"************************"}');
    const { cases } = JSON.parse(readFileSync(`${folder}/r.json`, 'utf8')) as {
      cases: { trace: string[] }[];
    };
    expect(cases[0]?.trace.length).toBeGreaterThan(20);
  });

  it('traces only the failed and warned cases of a whole run', async () => {
    await serve({ traits: ['no-api'] });
    const { out } = await run('server', '--endpoint', path, '--trace', '--fail-fast');
    expect(out).toMatch(/: (failed|warned)\n {2}(MUST|SHOULD) /);
    expect(out).toMatch(/^all +[1-9]/m);
    expect(out).not.toContain(': passed\n');
  }, 60_000);

  it('traces the cases of a client', async () => {
    const options = [
      'client',
      '--command',
      `echo '{"saw":"failed"}'; exit 9`,
      '--case',
      'client-search/1',
      '--trace',
    ];
    const { out } = await run(...options, '--timeout', '100');
    expect(out).toMatch(/^client-search\/1 {2}.*: failed$/m);
  }, 30_000);

  it('stops at the first failure with --fail-fast, and reports the cases that were not run', async () => {
    await pretend((socket) => socket.end());
    const options = ['server', '--endpoint', path, '--timeout', '100', '--case', 'ping', '--case', 'close'];
    const { code, out } = await run(...options, '--fail-fast', '--report', `json=${folder}/report.json`);
    expect(code).toBe(1);
    expect(out.match(/^FAIL/gm)).toHaveLength(1);
    const { cases } = JSON.parse(readFileSync(`${folder}/report.json`, 'utf8')) as {
      cases: { verdict: string; reason?: string }[];
    };
    const left = cases.filter(({ verdict }) => verdict === 'not-run');
    expect(cases).toHaveLength(35);
    expect(left.length).toBeGreaterThan(10);
    expect(new Set(left.map(({ reason }) => reason)).size).toBe(1);
    expect(out).toContain(`not run: ${left.length} cases: a case has failed, and --fail-fast ends the run`);
  });

  it('does not stop at a failure in the baseline or at a warning', async () => {
    await pretend((socket) => socket.end());
    const options = ['server', '--endpoint', path, '--timeout', '100', '--case', 'ping', '--fail-fast'];
    const baseline = join(folder, 'baseline.txt');
    const all = options.filter((one) => one !== '--fail-fast');
    await run(...all, '--write-baseline', baseline);
    const { code, out } = await run(...options, '--baseline', baseline);
    expect(out).not.toContain('--fail-fast');
    expect(code).toBe(0);
  });

  it('stops a client suite at its first failure with --fail-fast', async () => {
    const options = [
      'client',
      '--command',
      `echo '{"saw":"failed"}'; exit 9`,
      '--case',
      'client-ping',
      '--case',
      'client-framing',
    ];
    const { code, out } = await run(...options, '--fail-fast');
    expect(out.match(/^FAIL/gm)).toHaveLength(1);
    expect(out).toMatch(/^not run: \d+ cases: a case has failed/m);
    expect(code).toBe(1);
  }, 30_000);

  it('names the common cause of many failures', async () => {
    await serve({ traits: ['own-api', 'no-authorize'], errors: { 'authorize-open': 'ignore' } });
    const options = ['server', '--endpoint', path, '--timeout', '100', '--case', 'voice'];
    const { out } = await run(...options);
    expect(out).toMatch(/^AUTHORIZE never answered: 22 cases, 10 as warnings \(voice\/1-22\)$/m);
  }, 30_000);

  const needing = ['authorization', 'scope', 'subscription', 'voice'].flatMap((one) => ['--case', one]);

  it('reports cases that need a token as not run when no token endpoint is set', async () => {
    await serve();
    const options = ['server', '--endpoint', path, ...needing, '--strict'];
    const { code, out } = await run(...options, '--report', `json=${folder}/report.json`);
    expect(out).not.toMatch(/^(FAIL|WARN)/m);
    expect(out).toMatch(/^section +ok +fail +warn +n\/a +not run$/m);
    expect(out).toMatch(
      /^not run: \d\d cases: a code has to be exchanged for a token: give --token-endpoint/m,
    );
    expect(code).toBe(0);
    const { cases } = JSON.parse(readFileSync(`${folder}/report.json`, 'utf8')) as {
      cases: { id: string; verdict: string; reason?: string }[];
    };
    const count = cases.filter(({ verdict }) => verdict === 'not-run').length;
    expect(out).toContain(`not run: ${count} cases: `);
    expect(cases.find(({ id }) => id === 'authorization/8')).toMatchObject({
      verdict: 'not-run',
      reason: expect.stringContaining('--token-endpoint'),
    });
    // What needs no token is judged all the same.
    expect(cases.find(({ id }) => id === 'authorization/1')).toMatchObject({ verdict: 'passed' });
  }, 60_000);

  it('uses the token endpoint of READY when that is on this machine', async () => {
    await serve({ traits: ['own-api'] });
    const { code, out } = await run('server', '--endpoint', path, ...needing, '--strict');
    expect(out).toMatch(/^all +\d+ +\. +\. +\.$/m);
    expect(code).toBe(0);
  }, 60_000);

  it('names the token endpoint of READY when no server answers there', async () => {
    await serve({ traits: ['dead-api'] });
    const { code, out } = await run('server', '--endpoint', path, '--case', 'authorization/8', '--strict');
    expect(out).toMatch(/^not run: 1 case: .*at http:\/\/127\.0\.0\.1:9\/api\/oauth2\/token, which READY/m);
    expect(code).toBe(0);
  });

  it('reports cases that need consent as not run when no user answers', async () => {
    await serve({ traits: ['own-api', 'asks-in-vain'], errors: { 'authorize-open': 'ignore' } });
    const options = ['server', '--endpoint', path, ...needing, '--timeout', '1000', '--strict'];
    const { code, out } = await run(...options);
    expect(out).not.toMatch(/^(FAIL|WARN)/m);
    expect(out).toMatch(/^not run: \d\d cases: AUTHORIZE waits for an approval: set --approve-command/m);
    expect(code).toBe(0);
  }, 60_000);

  it('fails a server that never answers AUTHORIZE, unlike a server that waits for consent', async () => {
    await serve({ traits: ['own-api', 'no-authorize'], errors: { 'authorize-open': 'ignore' } });
    const options = ['server', '--endpoint', path, '--timeout', '200', '--case', 'authorization/1'];
    const { code, out } = await run(...options);
    expect(out).toMatch(/^FAIL authorization\/1 /m);
    expect(code).toBe(1);
  });

  it('runs the approve command while AUTHORIZE waits, and reports its failure', async () => {
    const endpoint = await serve();
    const options = ['server', '--endpoint', path, '--case', 'authorization/1', '--token-endpoint', endpoint];
    const mark = join(folder, 'approved');
    expect((await run(...options, '--approve-command', `echo yes > '${mark}'`)).code).toBe(0);
    expect(readFileSync(mark, 'utf8')).toBe('yes\n');
    const refused = await run(...options, '--approve-command', 'echo nobody is there; exit 3');
    expect(refused.code).toBe(1);
    expect(refused.out).toContain('the approve command to exit with 0');
  });

  it('runs the conversations of a file', async () => {
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

  it('does not repeat an unanswered AUTHORIZE for each case that needs a code', async () => {
    let asked = 0;
    await pretend((socket) => {
      socket.on('data', (chunk: Buffer) => {
        if (chunk.readUInt32LE(0) === 0)
          socket.write(frame({ cmd: 'DISPATCH', evt: 'READY', nonce: null, data: {} }));
        else if (chunk.toString('latin1').includes('AUTHORIZE')) asked += 1;
      });
    });
    const cases = [10, 11, 12, 14, 15].flatMap((number) => ['--case', `authorization/${number}`]);
    const address = ['--token-endpoint', 'http://127.0.0.1:9/'];
    const { out } = await run('server', '--endpoint', path, '--timeout', '60', ...address, ...cases);
    expect(out).toMatch(/^AUTHORIZE never answered: 5 cases/m);
    // Once as an app asks, and once in a way that nobody could agree to.
    expect(asked).toBe(2);
  });

  it('counts ERROR 4002 outside the profile as not applicable, and silence as a failure', async () => {
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

describe('an input file', () => {
  it.each([
    ['is larger than', () => Buffer.alloc(9 * 1024 * 1024, 0x20)],
    ['is no text in UTF-8', () => Buffer.from([0x70, 0xff, 0xfe])],
  ])('stops the run with 64 and the reason: %s', async (reason, bytes) => {
    const file = join(folder, 'file');
    writeFileSync(file, bytes());
    for (const option of ['--baseline', '--vectors', '--client-secret-file']) {
      const { code, out, err } = await run('server', '--endpoint', path, option, file);
      expect([code, out]).toEqual([64, '']);
      expect(err).toContain(`${option}: ${file}: ${reason}`);
    }
  });
});

describe.skipIf(process.platform === 'win32')('an input pipe (not on Windows)', () => {
  it('is read while a writer has it open, and rejected without a writer', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const nobody = await run('server', '--endpoint', path, '--baseline', pipe);
    expect([nobody.code, nobody.err]).toEqual([
      64,
      `conformance: --baseline: ${pipe}: nobody writes to this pipe; give a file that can be read\n`,
    ]);
    const writer = spawn('sh', ['-c', 'sleep 0.2; echo no/such > pipe'], { cwd: folder, stdio: 'ignore' });
    expect((await run('server', '--endpoint', path, '--baseline', pipe)).err).toContain('no case "no/such"');
    await once(writer, 'exit');
  }, 20_000);
});

describe('an output file', () => {
  const unwritable: [string, () => string, RegExp][] = [
    ['a folder', () => folder, /EISDIR/],
    ['in a folder that is not there', () => join(folder, 'no', 'such'), /ENOENT/],
    ['behind a file', () => join(path, 'x'), /ENOTDIR|ENOENT/],
    [
      'a pipe that nobody reads',
      () => {
        execFileSync('mkfifo', [join(folder, 'pipe')]);
        return join(folder, 'pipe');
      },
      /ENXIO/,
    ],
  ];
  it.each(unwritable)('is rejected with 64 before the run starts: %s', async (_, make, reason) => {
    const file = make();
    for (const option of [
      ['--report', `junit=${file}`],
      ['--write-baseline', file],
    ]) {
      const { code, out, err } = await run('server', '--start', 'exit 3', ...option);
      expect([code, out]).toEqual([64, '']);
      expect(err).toMatch(reason);
      expect(err).toContain(file);
      expect(err.trim().split('\n')).toHaveLength(1);
    }
  });

  it('contains the reason when nothing was run, while a baseline stays unchanged', async () => {
    const known = join(folder, 'known.txt');
    const fresh = join(folder, 'fresh.txt');
    writeFileSync(known, 'ping/1\n');
    writeFileSync(
      join(folder, 'r.xml'),
      'the report of yesterday, which was longer and said that all was well'.repeat(99),
    );
    const reports = ['junit=r.xml', 'json=r.json', 'html=r.html'].flatMap((one) => [
      '--report',
      one.replace('=', `=${folder}/`),
    ]);
    const options = ['server', '--endpoint', path, ...reports];
    expect((await run(...options, '--write-baseline', known)).code).toBe(69);
    expect((await run(...options, '--write-baseline', fresh)).code).toBe(69);
    expect(readFileSync(known, 'utf8')).toBe('ping/1\n');
    expect(existsSync(fresh)).toBe(false);
    expect(readFileSync(join(folder, 'r.xml'), 'utf8')).toMatch(
      /<error message="[^"]+ENOENT[^"]+"\/>.*\n.*\n<\/testsuites>\n$/,
    );
    expect(JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'))).toMatchObject({
      unavailable: expect.stringContaining('ENOENT'),
      cases: [],
    });
    expect(readFileSync(join(folder, 'r.html'), 'utf8')).toContain('ENOENT');
  });

  it('replaces a longer file', async () => {
    await serve();
    const file = join(folder, 'report.json');
    writeFileSync(file, 'x'.repeat(100_000));
    await run('server', '--endpoint', path, '--case', 'ping/1', '--report', `json=${file}`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ cases: [{ id: 'ping/1' }] });
  });
});

describe('a target that the suite starts', () => {
  let program: Awaited<ReturnType<typeof bundle>>;
  beforeAll(async () => {
    program = await bundle('./server/main.ts');
  });
  afterAll(() => program.remove());
  const start = (port: number) => `REFERENCE_WEBSOCKET=${port} exec '${process.execPath}' '${program.file}'`;

  it('is tested over its WebSocket too, after it is prepared', async () => {
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

  it('is absent when it cannot be prepared or announces no WebSocket', async () => {
    const options = ['server', '--case', 'ready/1'];
    const port = await freePort();
    expect((await run(...options, '--start', start(port), '--prepare', 'exit 3')).code).toBe(69);
    const quiet = `exec '${process.execPath}' '${program.file}'`;
    const { code, out, err } = await run(...options, '--start', quiet, '--transport', 'websocket');
    expect(err).toContain('a WebSocket endpoint in the ready line');
    expect([code, out]).toEqual([69, '']);
  }, 30_000);
});

describe('a run that is interrupted', () => {
  it.each([
    ['before the target listens', 'sleep 60', 0],
    ['while a case runs', undefined, 1],
  ])(
    '%s stops the processes that it started, and reports its results so far',
    async (_, slow, results) => {
      const program = await bundle('./server/main.ts');
      undo.push(() => program.remove());
      const pid = join(folder, 'pid');
      const server = slow ?? `'${process.execPath}' '${program.file}'`;
      const interrupt = new AbortController();
      const start = `echo $$ >> '${pid}'; echo "$CONFORMANCE_FOLDER" >> '${pid}'; exec ${server}`;
      const report = join(folder, 'report.json');
      const cases = ['--case', 'endpoint', '--case', 'handshake', '--case', 'recovery'];
      const running = runUntil(
        interrupt.signal,
        'server',
        '--start',
        start,
        ...cases,
        '--report',
        `json=${report}`,
      );
      const lines = () => (existsSync(pid) ? readFileSync(pid, 'utf8').trim().split('\n') : []);
      await expect.poll(() => lines().length, { timeout: 20_000 }).toBeGreaterThan(2 * results);
      interrupt.abort();
      await running;
      const started = lines();
      for (let at = 0; at < started.length; at += 2) {
        expect(() => process.kill(Number(started[at]), 0)).toThrow('ESRCH');
        expect(existsSync(started[at + 1] ?? '')).toBe(false);
      }
      expect(readFileSync(report, 'utf8')).toContain(
        slow === undefined ? 'the run was interrupted' : 'unavailable',
      );
    },
    60_000,
  );
});

describe('a target that', () => {
  const cases = ['ping', 'ready', 'close', 'framing/29', 'authorization/1'].flatMap((one) => ['--case', one]);
  const options = (at: string) => ['server', '--endpoint', at, '--timeout', '60', ...cases];

  it.each([
    ['is absent', (): string => path, 'there is no such file or folder (ENOENT)'],
    ['is absent behind a WebSocket', () => 'ws://127.0.0.1:9', 'nobody listens there (ECONNREFUSED)'],
  ])('%s stops the run with 69 before any case', async (_, at, reason) => {
    const { code, out, err } = await run(...options(at()), '--case', 'handshake');
    expect([code, out]).toEqual([69, '']);
    expect(err).toBe(
      `conformance: ${at()}: cannot be reached or started: ${at()}: ${reason} (expected the target to accept a connection)\n`,
    );
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
  it.each(hostile)('%s receives its verdicts in time', async (_, greet) => {
    await pretend(greet);
    const { code, out, err } = await run(...options(path));
    expect(code).not.toBe(0);
    expect(out).toMatch(/^all /m);
    expect(`${out}${err}`).not.toMatch(/^\s+at /m);
    expect(out).not.toContain('the suite to cope');
  });

  const commands: [string, string[], string][] = [
    ['cannot be started', ['server', '--start', 'exit 3'], 'exit code 3'],
    ['does not exist', ['server', '--start', '/no/such/program'], 'exit code 127'],
    [
      'only cases that start it are for',
      ['server', '--start', 'exit 3', '--case', 'endpoint/1'],
      'exit code 3',
    ],
    [
      'is a server that ends without a word',
      ['server', '--start', 'false'],
      'exit code 1, and it wrote nothing (',
    ],
    [
      'is a client that does not exist',
      ['client', '--command', '/no/such/program'],
      'it ended before it connected, with exit code 127: ',
    ],
    [
      'is a client that cannot be run',
      ['client', '--command', '/dev/null'],
      'it ended before it connected, with exit code 126: ',
    ],
    [
      'is a client that says why it ends',
      ['client', '--command', 'echo no such display >&2; exit 3'],
      'it ended before it connected, with exit code 3: no such display',
    ],
    [
      'is a client that ends without a word',
      ['client', '--command', 'true'],
      'it ended before it connected, with exit code 0, and it wrote nothing',
    ],
    [
      'is a client that a signal ends',
      ['client', '--command', 'echo out of memory >&2; kill -9 $$'],
      'it ended before it connected, with signal SIGKILL: out of memory',
    ],
  ];
  it.each(commands)('%s stops the run with 69 before its first case', async (_, argv, reason) => {
    const { code, out, err } = await run(...argv);
    expect([code, out]).toEqual([69, '']);
    expect(err).toContain(`: cannot be reached or started: ${reason}`);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('is a client that reports a failure and exits receives a verdict for every case', async () => {
    const { code, out } = await run(
      'client',
      '--command',
      `echo '{"saw":"failed"}'; exit 9`,
      '--case',
      'client-ping',
      '--case',
      'client-search/1',
    );
    expect(out).toMatch(/^all +\. +\d/m);
    expect(code).not.toBe(0);
  });
});
