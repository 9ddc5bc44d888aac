import { readFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { settled } from './app-peer.ts';

it('settled() waits for work that is postponed to the next turn 50 times', async () => {
  let turns = 0;
  const next = (): void => {
    turns += 1;
    if (turns < 50) setImmediate(next);
  };
  next();
  await settled();
  expect(turns).toBe(50);
});

it('settled() waits for files that are read one after the other', async () => {
  let read = 0;
  void (async () => {
    for (; read < 10; read += 1) await readFile(new URL(import.meta.url));
  })();
  await settled();
  expect(read).toBe(10);
});

it('settled() waits for a module that is being loaded', async () => {
  let loaded = false;
  void import('../../src/emulator/users/avatar.ts').then(() => {
    loaded = true;
  });
  await settled();
  expect(loaded).toBe(true);
});

it('settled() waits for neither a timer nor a silent peer', async () => {
  const timer = setTimeout(() => {}, 3_600_000);
  onTestFinished(() => clearTimeout(timer));
  const silent: Socket[] = [];
  const server = createServer((socket) => silent.push(socket));
  onTestFinished(() => {
    for (const socket of silent) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await settled();
  expect(server.listening).toBe(true);
});
