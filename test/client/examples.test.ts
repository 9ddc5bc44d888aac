import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRuntime, type Daemon, type Runtime, startDaemon } from '../helpers/daemon.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const patience = { timeout: 20_000, interval: 50 };

interface Example {
  readonly output: () => string;
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
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
  return { child, output: () => output };
}

describe('the examples, run against the daemon', () => {
  it('presence: shown before the daemon is there, again after a restart, gone with Ctrl-C', async () => {
    const runtime = newRuntime();
    const example = run('presence', runtime);
    const first = await daemonOf(runtime, 'allow');
    await vi.waitFor(() => expect(example.output()).toBe('Shown for river\n'), patience);
    await first.stop();
    const second = await daemonOf(runtime, 'allow');
    await vi.waitFor(() => expect(example.output()).toContain('Shown again for river\n'), patience);
    const shown = async (): Promise<string> => JSON.stringify(await second.json('emulator', 'show'));
    await vi.waitFor(async () => expect(await shown()).toContain('By the river'), patience);
    const ended = once(example.child, 'exit');
    example.child.kill('SIGINT');
    expect((await ended)[0]).toBe(0);
    await vi.waitFor(async () => expect(await shown()).not.toContain('By the river'), patience);
  });

  it('authorize: asks again after a refusal and across a restart, and ends with the guilds', async () => {
    const runtime = newRuntime();
    const first = await daemonOf(runtime, 'deny');
    const example = run('authorize', runtime, first.ready.api);
    await vi.waitFor(() => expect(example.output()).toMatch(/^Refused: access_denied/), patience);
    const ended = once(example.child, 'exit');
    await first.stop();
    await daemonOf(runtime, 'allow', new URL(first.ready.api).port);
    await vi.waitFor(
      () => expect(example.output()).toContain('Granted identify guilds rpc: River Bank, Harbour\n'),
      patience,
    );
    expect((await ended)[0]).toBe(0);
  });

  it('mute-button: Enter toggles, and what others change is shown', async () => {
    const runtime = newRuntime();
    const daemon = await daemonOf(runtime, 'allow');
    const example = run('mute-button', runtime, daemon.ready.api);
    const lines = (): string[] => example.output().trim().split('\n');
    await vi.waitFor(() => expect(lines()).toEqual(['live']), patience);
    example.child.stdin.write('\n');
    await vi.waitFor(() => expect(lines()).toEqual(['live', 'muted']), patience);
    await daemon.json('emulator', 'voice', 'set', 'mute', 'false');
    await vi.waitFor(() => expect(lines()).toEqual(['live', 'muted', 'live']), patience);
    const ended = once(example.child, 'exit');
    example.child.stdin.end();
    expect((await ended)[0]).toBe(0);
  });
});
