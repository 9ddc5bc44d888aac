import { chmodSync, existsSync, lstatSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { changed } from './behaviour.ts';
import { faults } from './faults.ts';
import { startServer } from './server.ts';

/**
 * The reference server as a program: takes an index as a server should, and ends as one should. Its only
 * argument is the name of a fault; then it does that wrong.
 */
const change = faults[process.argv[2] ?? '']?.change ?? {};
const behaviour = changed(change);
const has = (trait: string) => behaviour.traits.has(trait);
const { env } = process;
const folder = has('xdg-only')
  ? env['XDG_RUNTIME_DIR']
  : firstSet('XDG_RUNTIME_DIR', 'TMPDIR', 'TMP', 'TEMP');
if (folder === undefined) process.exit(1);

function firstSet(...names: string[]): string | undefined {
  return names.map((name) => env[name]).find((value) => value !== undefined && value !== '');
}

/** True when the index is free: nothing there, or a socket that refuses. */
function isFree(path: string): Promise<boolean> {
  const here = has('hijacks') || !existsSync(path) ? undefined : lstatSync(path);
  if (has('hijacks')) return Promise.resolve(true);
  if (here === undefined) {
    // A dangling symlink does not "exist".
    try {
      lstatSync(path);
      return Promise.resolve(false);
    } catch {
      return Promise.resolve(true);
    }
  }
  if (!here.isSocket() || has('no-reclaim')) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', (error) => resolve('code' in error && error.code === 'ECONNREFUSED'));
  });
}

async function take(from: number): Promise<string | undefined> {
  for (let index = from; index < 10; index++) {
    const path = join(folder ?? '', `discord-ipc-${index}`);
    if (await isFree(path)) return path;
  }
  return undefined;
}

if (has('pid-file') && existsSync(join(folder, 'pid'))) process.exit(1);
const path = await take(has('index-1') ? 1 : 0);
if (path === undefined) {
  if (has('zero-when-taken')) process.exit(0);
  process.stderr.write('every index is taken\n');
  process.exit(1);
}
try {
  unlinkSync(path);
} catch {
  // Nothing was there.
}
const memoryFile = join(folder, 'memory');
const memory = new Set(existsSync(memoryFile) ? readFileSync(memoryFile, 'utf8').split('\n') : []);
const server = await startServer({ behaviour, at: { path }, deadlineMs: 2000, memory });
if (!has('open-mode')) chmodSync(path, 0o600);
if (has('lock-file')) writeFileSync(`${path}.lock`, '');
if (has('pid-file')) writeFileSync(join(folder, 'pid'), '');
const web = env['REFERENCE_WEBSOCKET'] === undefined ? [] : [{ kind: 'websocket', path: await listenWeb() }];
process.stdout.write(
  `${JSON.stringify({ ready: true, endpoints: [{ kind: 'ipc', path }, ...web], api: server.tokenEndpoint.replace(/\/oauth2\/token$/, '') })}\n`,
);

/** The same server over a WebSocket; it gives its tokens itself, so the address of the endpoint is its own. */
async function listenWeb(): Promise<string> {
  const port = Number(env['REFERENCE_WEBSOCKET']);
  await startServer({ behaviour, at: { port }, deadlineMs: 2000 });
  return `ws://127.0.0.1:${port}`;
}

async function stop(): Promise<void> {
  if (has('never-stops')) return;
  if (has('remembers')) writeFileSync(memoryFile, [...memory].join('\n'));
  const copy = has('keeps-socket') ? lstatSync(path ?? '') : undefined;
  await server.stop();
  // Closing a listener removes its file, so the fault has to put one back.
  if (copy !== undefined) writeFileSync(path ?? '', '');
  process.exit(0);
}
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
