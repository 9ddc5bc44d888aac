import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { PROGRAMS } from '../helpers/bundled-programs.ts';
import { type Library, libraries } from '../interop/start-app.ts';
import { prepareWine, type Wine, type WineProgram, type WineResult } from './wine.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/footbridge.js', import.meta.url));
const PIPE = '\\\\?\\pipe\\discord-ipc-0';
/** Far beyond what a start in Wine takes on a busy machine (ms). */
const PATIENCE_MS = 60_000;

/** Some cases wait for the bridge to lose its patience, which a busy machine adds to. */
const PATIENT = ['--timeout', '10000'];

interface Ready {
  readonly endpoints: readonly { readonly kind: string; readonly path: string }[];
  readonly api: string;
  readonly control: string;
}

const prepared = prepareWine();
const reason = 'missing' in prepared ? ` (skipped: ${prepared.missing})` : '';

/** A test during which Wine itself crashed is repeated; the reporter shows how often. */
const retry = { count: 2, condition: () => (prepared as Wine).crashed() };

describe.skipIf(reason !== '')(`Footbridge on Windows, as provided by Wine${reason}`, { retry }, () => {
  const wine = prepared as Wine;
  const footbridge = (...words: string[]): WineProgram => wine.node([wine.windowsPath(PROGRAM), ...words]);
  const ends = async (...words: string[]): Promise<WineResult> => footbridge(...words).ended;
  const flags = ['run', '--json', '--consent', 'allow', '--http-port', '0', '--ws-port', 'off'];
  let bridge: WineProgram;
  let ready: Ready;

  async function startBridge(): Promise<void> {
    bridge = footbridge(...flags);
    ready = await readyLine(bridge);
  }

  async function app(library: Library, ...args: string[]): Promise<{ readonly token: string }> {
    const program = wine.node([await appFor(wine, library), ...args]);
    const late = sleep(PATIENCE_MS / 2, 'late' as const, { ref: false });
    const result = await Promise.race([program.ended, late]);
    if (result === 'late') {
      program.child.kill('SIGKILL');
      // The last step is the one that did not end.
      throw new Error(`${library} did not end: ${JSON.stringify(program.output())}`);
    }
    const { code, stdout, stderr } = result;
    expect({ library, code, stderr }).toEqual({ library, code: 0, stderr: '' });
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { readonly token: string };
  }

  // Also before the first test, because Windows was made without its server.
  beforeEach(async () => {
    if (!wine.crashed()) return;
    wine.boot();
    await startBridge();
  }, PATIENCE_MS);
  afterAll(async () => {
    bridge.child.kill('SIGKILL');
    await bridge.ended;
    wine.remove();
  });

  it('serves the pipe, and its commands find the bridge', async () => {
    expect(ready.endpoints).toEqual([{ kind: 'ipc', path: PIPE }]);
    const { code, stdout } = await ends('status', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ core: { name: 'emulator' } });
    const call = await ends('call', 'SET_ACTIVITY', '{"pid":1,"activity":{"state":"on Windows"}}');
    expect(call).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(call.stdout)).toMatchObject({ state: 'on Windows' });
  });

  it('passes the conformance suite over the pipe', async () => {
    const target = ['--endpoint', PIPE, '--token-endpoint', `${ready.api}/oauth2/token`];
    const { code, stdout } = await ends('conformance', 'server', ...target, ...PATIENT, '--report', 'json');
    const report = JSON.parse(stdout) as {
      readonly cases: readonly { readonly id: string; readonly verdict: string }[];
    };
    const others = report.cases
      .filter(({ verdict }) => verdict !== 'passed')
      .map(({ id, verdict }) => [id, verdict]);
    expect(others).toEqual([]);
    expect(report.cases.length).toBeGreaterThan(300);
    expect(code).toBe(0);
  });

  it('serves apps made with discord-rpc and @xhayper/discord-rpc', async () => {
    const expected = { application: 'Harbour Example', user: 'river', voice: { mode: 'VOICE_ACTIVITY' } };
    const whole = await app('discord-rpc', ready.api);
    expect(whole).toMatchObject(expected);
    // Node's fetch, which this one exchanges its code with, does not connect in Wine 8: it gets the token of the other.
    expect(await app('@xhayper/discord-rpc', ready.api, whole.token)).toMatchObject(expected);
  });

  it('serves fifty apps at once', async () => {
    const script = join(wine.folder, 'fifty.cjs');
    writeFileSync(script, FIFTY);
    const { code, stdout } = await wine.node([wine.windowsPath(script)]).ended;
    expect([code, stdout]).toEqual([0, '50 of 50\n']);
  });

  it('does not claim anything of administrators that it cannot measure, as whoami of Wine knows no groups', async () => {
    const { stdout } = await ends('doctor', '--json');
    const { checks } = JSON.parse(stdout) as { readonly checks: readonly { readonly id: string }[] };
    expect(checks.find(({ id }) => id === 'elevation')).toMatchObject({
      verdict: 'not applicable',
      evidence: ['whoami /groups did not give the integrity level'],
    });
  });

  it('is registered at the Run key, and removed again', async () => {
    const script = await bundled(wine, 'run-key', "import { drive } from './windows-run-key.ts';");
    const state = wine.windowsPath(join(wine.folder, 'state'));
    const program = ['C:\\Program Files\\node.exe', 'C:\\app\\footbridge.js', 'run', '--service'];
    const { code, stdout, stderr } = await wine.node([script, state, ...program]).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const steps = JSON.parse(stdout) as Readonly<Record<string, string>>;
    expect(steps).toMatchObject({
      install: 'new',
      again: 'unchanged',
      status: 'stopped',
      uninstall: 'removed',
      twice: 'unchanged',
    });
    expect(steps['registered']).toContain(
      '"C:\\Program Files\\node.exe" C:\\app\\footbridge.js run --service',
    );
    expect(steps['gone']).not.toContain('Footbridge');
  });

  it('starts again after a kill, in spite of the files left behind', async () => {
    bridge.child.kill('SIGKILL');
    await bridge.ended;
    await startBridge();
    expect(ready.endpoints).toEqual([{ kind: 'ipc', path: PIPE }]);
    expect((await ends('status')).code).toBe(0);
  });
});

/** Handshakes that overlap; prints how many were answered with READY. */
const FIFTY = `
const net = require('node:net');
const frame = (opcode, body) => {
  const text = Buffer.from(JSON.stringify(body));
  const head = Buffer.alloc(8);
  head.writeInt32LE(opcode, 0);
  head.writeInt32LE(text.length, 4);
  return Buffer.concat([head, text]);
};
let open = 50;
let ready = 0;
for (let i = 0; i < 50; i++) {
  const socket = net.connect(${JSON.stringify(PIPE)}, () => socket.write(frame(0, { v: 1, client_id: '300000000000000001' })));
  socket.once('data', (chunk) => {
    if (chunk.includes('"READY"')) ready++;
    if (--open === 0) {
      process.stdout.write(ready + ' of 50\\n');
      process.exit(0);
    }
  });
  socket.on('error', (error) => {
    process.stdout.write(error.message + '\\n');
    process.exit(1);
  });
}
`;

async function readyLine(bridge: WineProgram): Promise<Ready> {
  const end = Date.now() + PATIENCE_MS;
  let over: WineResult | undefined;
  void bridge.ended.then((result) => {
    over = result;
  });
  for (;;) {
    const { stdout, stderr } = bridge.output();
    if (stdout.includes('\n')) return JSON.parse(stdout) as Ready;
    if (over !== undefined || Date.now() > end) throw new Error(`no ready line: ${stderr}`);
    await sleep(50);
  }
}

/** An app of test/interop in one file, and its path in Windows. */
function appFor(wine: Wine, library: Library): Promise<string> {
  const app = JSON.stringify(`../../${PROGRAMS[libraries[library]]}`);
  const start = `import ${app}; import { drive } from './windows-app.ts';`;
  return bundled(wine, library.replace('/', '-'), start);
}

async function bundled(wine: Wine, name: string, imports: string): Promise<string> {
  const path = join(wine.folder, `${name}.cjs`);
  const here = fileURLToPath(new URL('.', import.meta.url));
  await build({
    stdin: { contents: `${imports} void drive();`, resolveDir: here },
    outfile: path,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    external: ['electron'],
    logLevel: 'error',
  });
  return wine.windowsPath(path);
}
