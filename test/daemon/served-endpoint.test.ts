import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ServedEndpoint } from '../../src/daemon/endpoints/endpoint.ts';
import { defaultLimits } from '../../src/session/limits.ts';
import { ipcTransport } from '../../src/transport/ipc/ipc.ts';
import { ipcBridge, os } from '../helpers/ipc-bridge.ts';
import { recordingLogger } from '../helpers/memory-bridge.ts';
import { answerPings, listenOn } from '../helpers/sockets.ts';

/** A further endpoint of a bridge that looks at its path only when it is told to. */
async function endpoint() {
  const { server, folder } = await ipcBridge();
  const folders = os.prepareFolders({ XDG_RUNTIME_DIR: folder });
  const { logger, log } = recordingLogger();
  const path = join(folder, 'box', 'discord-ipc-0');
  const served = new ServedEndpoint({
    name: 'box',
    path,
    transport: () =>
      ipcTransport({ os, folders, index: 'auto', at: { path, madeFolders: undefined }, ...defaultLimits }),
    open: (ipc) =>
      server.open(ipc, {
        name: 'box',
        rights: 'presence',
        remedy: () => '',
        sandboxOf: () => ({ kind: 'known', sandbox: null }),
      }),
    logger,
    watch: () => () => {},
  });
  onTestFinished(() => served.close());
  return { served, path, log };
}

const make = (path: string) => mkdirSync(dirname(path), { mode: 0o700 });

it('an endpoint logs each change of its state once', async () => {
  const { served, path, log } = await endpoint();
  expect(served.state).toEqual({ kind: 'waiting', why: 'it is being opened.' });
  await served.start();
  await served.check();
  expect(served.state).toMatchObject({ kind: 'waiting' });
  make(path);
  const other = await listenOn({ path }, answerPings);
  await served.check();
  await served.check();
  expect(served.state).toMatchObject({ kind: 'blocked', why: expect.stringContaining(path) });
  other.close();
  await served.check();
  await served.check();
  expect(served.state).toEqual({ kind: 'serving' });
  expect(log).toEqual([
    { level: 'info', message: 'endpoint waits', path, reason: expect.stringContaining(dirname(path)) },
    { level: 'warn', message: 'endpoint is not served', path, reason: expect.stringContaining(path) },
    { level: 'info', message: 'endpoint is served', path },
  ]);
});

it('an endpoint logs each new reason of the same state', async () => {
  const { served, path, log } = await endpoint();
  make(path);
  const other = await listenOn({ path }, answerPings);
  await served.start();
  other.close();
  mkdirSync(path);
  await served.check();
  await served.check();
  expect(log.map(({ message }) => message)).toEqual(['endpoint is not served', 'endpoint is not served']);
  expect(new Set(log.map(({ reason }) => reason)).size).toBe(2);
  rmSync(path, { recursive: true });
});

it('an endpoint whose folder goes away waits, and is served in the next one', async () => {
  const { served, path, log } = await endpoint();
  make(path);
  await served.start();
  rmSync(dirname(path), { recursive: true });
  await served.check();
  expect(served.state.kind).toBe('waiting');
  make(path);
  await served.check();
  expect(existsSync(path)).toBe(true);
  expect(log.map(({ message }) => message)).toEqual([
    'endpoint is served',
    'endpoint waits',
    'endpoint is served',
  ]);
});

it.each(['close', 'abandon'] as const)('an endpoint after %s stays away, and logs nothing', async (how) => {
  const { served, path, log } = await endpoint();
  make(path);
  await served.start();
  await served[how]();
  expect([served.state, existsSync(path)]).toEqual([{ kind: 'closed' }, false]);
  await served.check();
  expect([served.state, existsSync(path), log.length]).toEqual([{ kind: 'closed' }, false, 1]);
});

it('an endpoint that is closed while it opens leaves no socket', async () => {
  const { served, path } = await endpoint();
  make(path);
  const starting = served.start();
  served.abandon();
  await starting;
  expect([served.state, existsSync(path)]).toEqual([{ kind: 'closed' }, false]);
});
