import { expect, it } from 'vitest';
import { EventFlood } from '../../src/server/event-flood.ts';
import { memoryBridge } from '../helpers/memory-bridge.ts';

it('lets 5,000 events a second through and tells once that there were more', () => {
  const flood = new EventFlood();
  const verdicts = Array.from({ length: 5003 }, () => flood.take(10));
  expect(new Set(verdicts.slice(0, 5000))).toEqual(new Set(['go']));
  expect(verdicts.slice(5000)).toEqual(['first too many', 'too many', 'too many']);
  expect(flood.take(1009)).toBe('too many');
  expect(flood.take(1010)).toBe('go');
});

it('drops what a core emits beyond that, and goes on answering', async () => {
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
