import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { styleFor } from '../../src/base/style.ts';
import type { OnRequest } from '../../src/daemon/core-options.ts';
import type { Daemon } from '../../src/daemon/start.ts';
import { watchRequests } from '../../src/daemon/watch-requests.ts';
import { READING_MS } from '../../src/emulator/accounts/consent/reading-time.ts';
import type { WaitingRequest } from '../../src/emulator/api/waiting-request.ts';

const request: WaitingRequest = {
  kind: 'authorization',
  id: 'abcde',
  clientId: '300000000000000001',
  applicationName: 'Harbour',
  userId: '1',
  scopes: [{ name: 'identify', description: 'See your name' }],
  peer: { transport: 'ipc', verified: false },
  requestedAt: 0,
  expiresAt: 120_000,
};

it.each([
  ['n', 'requests.deny', { id: 'abcde' }],
  ['y', 'requests.approve', { id: 'abcde' }],
  ['a', 'requests.approve', { id: 'abcde', always: true }],
])('the answer %j of a user at the terminal is a call of %s %j', async (line, name, args) => {
  const calls: unknown[][] = [];
  const daemon = {
    call: async (...all: unknown[]) => {
      calls.push(all);
      return { stored: true };
    },
  } as unknown as Daemon;
  let tell: Parameters<OnRequest>[0] = () => {};
  const onRequest: OnRequest = (listener) => {
    tell = listener;
    return () => {};
  };
  const input = new PassThrough();
  watchRequests(daemon, onRequest, { write: () => {}, style: styleFor(false), called: 'fb', input });
  tell('added', request);
  // What is typed before anybody can have read the question does not count.
  await delay(READING_MS + 50);
  input.write(`${line}\n`);
  await expect.poll(() => calls).toEqual([[name, args, { via: 'terminal', pid: process.pid }]]);
});
