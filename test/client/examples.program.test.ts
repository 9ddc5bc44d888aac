import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRuntime, type Daemon, type Runtime, startDaemon } from '../helpers/daemon.ts';
import { ids } from '../helpers/emulator-world.ts';
import { eventually } from '../helpers/eventually.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** A deadline for what hangs, not a wait: a machine that runs everything at once may take a minute (ms). */
const PATIENCE_MS = 240_000;
const patience = { timeout: PATIENCE_MS, interval: 50 };

interface Example {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** Resolves as soon as all that it has written matches. Rejects when it ends before. */
  readonly wrote: (wanted: string | RegExp) => Promise<void>;
  /** Resolves with its exit code once it has ended. */
  readonly ended: Promise<number | null>;
}

async function daemonOf(runtime: Runtime, consent: string, port = '0'): Promise<Daemon> {
  const daemon = await startDaemon({ runtime, args: ['--consent', consent, '--http-port', port] });
  onTestFinished(() => daemon.stop().then(() => {}));
  return daemon;
}

function newRuntime(): Runtime {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  return runtime;
}

/** Runs an example as a person does; it finds the endpoint by itself. */
function run(name: string, runtime: Runtime, ...args: string[]): Example {
  const file = `src/client/examples/${name}.ts`;
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], {
    cwd: root,
    env: { ...runtime.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  // After the end of its output, so that nothing of that is missed.
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const wrote = (wanted: string | RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (typeof wanted === 'string' ? output !== wanted : !wanted.test(output)) return;
        child.stdout.off('data', look);
        resolve();
      };
      child.stdout.on('data', look);
      look();
      void ended.then((code) => reject(new Error(`${name} ended with ${code}; it wrote:\n${output}`)));
    });
  return { child, wrote, ended };
}

describe('the client example', { timeout: PATIENCE_MS }, () => {
  it('presence sets an activity, restores it after a restart of the daemon, and clears it at Ctrl-C', async () => {
    const runtime = newRuntime();
    const example = run('presence', runtime);
    const first = await daemonOf(runtime, 'allow');
    await example.wrote('Shown for river\n');
    await first.stop();
    const second = await daemonOf(runtime, 'allow');
    await example.wrote(/^Shown again for river$/m);
    const shown = async (): Promise<string> => JSON.stringify(await second.json('emulator', 'show'));
    await eventually(async () => expect(await shown()).toContain('By the river'), patience);
    example.child.kill('SIGINT');
    expect(await example.ended).toBe(0);
    await eventually(async () => expect(await shown()).not.toContain('By the river'), patience);
  });

  it('authorize retries after a refusal and across a restart, and prints the guilds', async () => {
    const runtime = newRuntime();
    const first = await daemonOf(runtime, 'deny');
    const example = run('authorize', runtime, first.ready.api);
    await example.wrote(/^Refused: access_denied/);
    await first.stop();
    await daemonOf(runtime, 'allow', new URL(first.ready.api).port);
    await example.wrote(/^Granted identify guilds rpc: River Bank, Harbour$/m);
    expect(await example.ended).toBe(0);
  });

  it('mute-button toggles at Enter and prints changes by others', async () => {
    const runtime = newRuntime();
    const daemon = await daemonOf(runtime, 'allow');
    const example = run('mute-button', runtime, daemon.ready.api);
    await example.wrote('live\n');
    example.child.stdin.write('\n');
    await example.wrote('live\nmuted\n');
    await daemon.json('emulator', 'voice', 'set', 'mute', 'false');
    await example.wrote('live\nmuted\nlive\n');
    example.child.stdin.end();
    expect(await example.ended).toBe(0);
  });
});

it('the client example mute-button exits with a message when the user denies', {
  timeout: PATIENCE_MS,
}, async () => {
  const runtime = newRuntime();
  const daemon = await daemonOf(runtime, 'deny');
  const example = run('mute-button', runtime, daemon.ready.api);
  await example.wrote(/^Refused: access_denied.*\n$/);
  expect(await example.ended).toBe(1);
});

/** What stands before and after a program of a README, where that does not stand alone. */
const around: Record<string, { readonly before?: string; readonly after: string }> = {
  'By the river': { before: 'const join = () => {};', after: 'await client.close();' },
  refreshTokens: { after: 'await client.close();' },
  'for await': {
    before: `import { connect } from 'footbridge/client';
      import { authorize } from 'footbridge/client/oauth2';
      const client = await connect({ clientId: '300000000000000001' });
      const scopes = ['identify', 'rpc', 'rpc.voice.read'];
      await authorize(client, { api: 'http://127.0.0.1:1/api', clientId: '300000000000000001', scopes });
      const channel_id = '${ids.lounge}';
      const signal = AbortSignal.timeout(100);
      signal.addEventListener('abort', () => setTimeout(() => client.close(), 100));
      const [draw, follow, log] = [() => {}, () => {}, () => {}];`,
    after: '',
  },
};

it.each([
  ['client', 'By the river'],
  ['client', 'refreshTokens'],
  ['client', 'for await'],
])(
  'the program of the README of the %s with %s runs unchanged',
  async (folder, mark) => {
    const runtime = newRuntime();
    const daemon = await daemonOf(runtime, 'allow');
    const readme = readFileSync(join(root, 'src', folder, 'README.md'), 'utf8');
    const programs = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, text = '']) => text);
    const found = programs.filter((text) => text.includes(mark));
    expect(found).toHaveLength(1);
    const { before = '', after = '' } = around[mark] ?? {};
    const text = [before, ...found, after, "process.stdout.write('ran');"]
      .join('\n')
      .replace("'@footbridge/client'", "'footbridge/client'")
      .replace(/http:\/\/127\.0\.0\.1:\d+\/api/, daemon.ready.api);
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', text], {
      cwd: root,
      env: { ...runtime.env },
    });
    expect(stdout).toMatch(/ran$/);
  },
  PATIENCE_MS,
);

it('the tests run every program of the README of the client', () => {
  const readme = readFileSync(join(root, 'src/client/README.md'), 'utf8');
  expect(readme.split('```js\n')).toHaveLength(4);
});
