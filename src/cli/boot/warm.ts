// `node [FLAGS] warm.js`: keeps V8's code of the bundle for starts with the same flags, as `program-TAG.cache` beside it.
// A bridge runs for it in a folder of its own, so that what a start and a first app need is in it.
import { once } from 'node:events';
import { existsSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import v8 from 'node:v8';
import { loadProgram } from './load.ts';

const PATIENCE_MS = 20_000;

setTimeout(() => process.exit(1), PATIENCE_MS).unref();
// A flag that is set while the program runs would be in the code's key, and no start has it yet when it loads the code.
v8.setFlagsFromString = () => {};
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'footbridge-warm-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const name of Object.keys(process.env)) if (/^(FOOTBRIDGE_|XDG_)/.test(name)) delete process.env[name];
Object.assign(process.env, { HOME: folder, XDG_RUNTIME_DIR: folder });

const loaded = loadProgram(import.meta.url, (specifier) => import(specifier));
// The pipes of Windows have names that all programs share: nothing may listen there, not even for a moment.
if (process.platform === 'win32') await loaded.program.runMain(['--help']);
else await serveOnce();
const fresh = `${loaded.cachePath}.${process.pid}`;
writeFileSync(fresh, loaded.cacheContent());
renameSync(fresh, loaded.cachePath);
process.exit(0);

async function serveOnce(): Promise<void> {
  const ports = ['--http-port', '0', '--ws-port', String(await freePort())];
  const running = loaded.program.runMain(['run', '--json', ...ports, '--data-dir', join(folder, 'data')]);
  // It ends only when it could not start.
  void running.then((code) => process.exit(code));
  while (!existsSync(join(folder, 'discord-ipc-0'))) await sleep(5);
  const code = await loaded.program.runMain([
    'call',
    'SET_ACTIVITY',
    '{"pid":1,"activity":{"state":"on the bridge"}}',
  ]);
  if (code !== 0) process.exit(code);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
