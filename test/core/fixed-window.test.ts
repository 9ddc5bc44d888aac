import { expect, it } from 'vitest';
import { FixedWindow } from '../../src/core/fixed-window.ts';
import { memoryBridge } from '../helpers/memory-bridge.ts';

it('the fixed window accepts 5,000 messages a second, and marks only the first message beyond', () => {
  const window = new FixedWindow({ messages: 5000 });
  const verdicts = Array.from({ length: 5003 }, () => window.take(1, 1e9, 10));
  expect(new Set(verdicts.slice(0, 5000))).toEqual(new Set([{ kind: 'within' }]));
  expect(verdicts.slice(5000)).toEqual(
    [true, false, false].map((first) => ({ kind: 'beyond', first, waitMs: 1000 })),
  );
  expect(window.take(1, 0, 1009)).toEqual({ kind: 'beyond', first: false, waitMs: 1 });
  expect(window.take(1, 0, 1010)).toEqual({ kind: 'within' });
});

it('the fixed window limits the bytes a second, regardless of the number of messages', () => {
  const window = new FixedWindow({ messages: 5000, bytes: 100 });
  expect(window.take(1, 100, 0)).toEqual({ kind: 'within' });
  expect(window.take(0, 1, 400)).toEqual({ kind: 'beyond', first: true, waitMs: 600 });
  expect(window.take(1, 100, 1000)).toEqual({ kind: 'within' });
});

it('the server drops events of a core beyond 5,000 a second, and still answers requests', async () => {
  const { core, app, log } = await memoryBridge();
  const peer = await app();
  await peer.subscribe('GUILD_CREATE');
  let meant = 0;
  for (let i = 0; i < 20_000; i++) meant += core.host.emit('GUILD_CREATE', { id: '1', name: 'x' });
  expect(meant).toBe(5000);
  peer.request('GET_GUILDS');
  const rest = await peer.rest();
  expect(rest).toHaveLength(5001);
  const warnings = log.filter(({ message }) => message.includes('too many events'));
  expect(warnings).toEqual([expect.objectContaining({ level: 'warn', evt: 'GUILD_CREATE' })]);
});
