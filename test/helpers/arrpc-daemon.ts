import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { LISTEN_ON_LOOPBACK } from '../bench/peers.ts';
import { connectTo } from './sockets.ts';

/** Starts arRPC, without its process scan, on loopback only; resolves once it listens at `path`. Killed after the test. */
export async function startArrpc(env: Readonly<Record<string, string>>, path: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fb-arrpc-'));
  const preload = join(folder, 'on-loopback.cjs');
  writeFileSync(preload, LISTEN_ON_LOOPBACK);
  const main = fileURLToPath(new URL('./index.js', import.meta.resolve('arrpc')));
  const child = spawn(process.execPath, ['--require', preload, main, '--no-process-scanning'], {
    env: { ...env, ARRPC_BRIDGE_PORT: '0' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  // The file is there a moment before somebody listens on it.
  for (;;) {
    if (child.exitCode !== null) throw new Error(`arRPC ended with ${child.exitCode}`);
    if (existsSync(path) && (await connectTo(path).catch(() => undefined)) !== undefined) return;
    await sleep(10);
  }
}
