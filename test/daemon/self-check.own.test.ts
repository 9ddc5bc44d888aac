import { afterEach, expect, it, vi } from 'vitest';
import { watchSockets } from '../../src/daemon/self-check.ts';
import { recordingLogger } from '../helpers/memory-bridge.ts';

afterEach(() => {
  vi.useRealTimers();
});

const unwatched = () => () => {};

it('the socket check runs every 10 s, logs a change once, and stops', async () => {
  vi.useFakeTimers();
  const { logger, log } = recordingLogger();
  let owned = true;
  const socket = {
    owned: () => owned,
    deleted: () => false,
    restore: () => Promise.reject(new Error('never')),
  };
  const stop = watchSockets([{ socket, path: '/run/discord-ipc-0', what: 'endpoint', without: 'gone' }], {
    logger,
    watch: unwatched,
  });
  await vi.advanceTimersByTimeAsync(9_999);
  owned = false;
  expect(log).toEqual([]);
  await vi.advanceTimersByTimeAsync(30_000);
  owned = true;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(log.map(({ level }) => level)).toEqual(['warn', 'info']);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

it('the socket check logs once that a deleted socket cannot be restored, and tries again', async () => {
  vi.useFakeTimers();
  const { logger, log } = recordingLogger();
  let tries = 0;
  let owned = true;
  const socket = {
    owned: () => owned,
    deleted: () => !owned,
    restore: async () => {
      tries += 1;
      if (tries < 3) throw new Error('full');
      owned = true;
    },
  };
  const stop = watchSockets([{ socket, path: '/run/discord-ipc-0', what: 'endpoint', without: 'gone' }], {
    logger,
    watch: unwatched,
  });
  owned = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries).toBe(3);
  expect(log).toMatchObject([
    { level: 'warn', message: 'the endpoint was taken, moved or deleted: gone', reason: 'full' },
    { level: 'warn', message: 'the endpoint was deleted: it is restored' },
  ]);
  stop();
});

it('the socket check restores a socket as soon as its deletion is reported', async () => {
  vi.useFakeTimers();
  const { logger, log } = recordingLogger();
  let owned = true;
  let changed = (): void => {};
  const socket = {
    owned: () => owned,
    deleted: () => !owned,
    restore: async () => {
      owned = true;
    },
  };
  const stop = watchSockets([{ socket, path: '/run/discord-ipc-0', what: 'endpoint', without: 'gone' }], {
    logger,
    watch: (_path, report) => {
      changed = report;
      return () => {};
    },
  });
  owned = false;
  changed();
  await vi.advanceTimersByTimeAsync(0);
  expect(owned).toBe(true);
  expect(log).toMatchObject([{ level: 'warn', message: 'the endpoint was deleted: it is restored' }]);
  stop();
});

it('the socket check reports a folder that cannot be searched', async () => {
  vi.useFakeTimers();
  const { logger, log } = recordingLogger();
  const denied = (): never => {
    throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  };
  const socket = { owned: denied, deleted: denied, restore: () => Promise.resolve() };
  const stop = watchSockets([{ socket, path: '/run/discord-ipc-0', what: 'endpoint', without: 'gone' }], {
    logger,
    watch: unwatched,
  });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(log).toMatchObject([{ level: 'warn', reason: expect.stringContaining('/run cannot hold') }]);
  stop();
});

it('the socket check looks at what is watched elsewhere every 10 s, until it stops', async () => {
  vi.useFakeTimers();
  let times = 0;
  const alsoCheck = (): void => {
    times += 1;
  };
  const stop = watchSockets([], { logger: recordingLogger().logger, alsoCheck });
  await vi.advanceTimersByTimeAsync(29_999);
  expect(times).toBe(2);
  stop();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(times).toBe(2);
});

it('the socket check follows no changes after it has stopped', () => {
  const { logger } = recordingLogger();
  const watched: string[] = [];
  const socket = { owned: () => true, deleted: () => false, restore: () => Promise.resolve() };
  const stop = watchSockets([{ socket, path: '/run/x', what: 'endpoint', without: 'gone' }], {
    logger,
    watch: (path) => {
      watched.push(`follow ${path}`);
      return () => void watched.push(`leave ${path}`);
    },
  });
  stop();
  expect(watched).toEqual(['follow /run/x', 'leave /run/x']);
});
