import { expect, it } from 'vitest';
import { listenerOf } from '../../../../src/emulator/serve/gateway/identify.ts';

const BOT = '3';
/** As much of a platform as is asked for a bot that is in `count` guilds. */
function platformWith(count: number): Parameters<typeof listenerOf>[3] {
  const record = { id: BOT, intents: [], max_concurrency: 1 };
  const guilds = Array.from({ length: count }, (_, at) => ({ id: String(BigInt(at) << 22n) }));
  const tables = { guilds, members: { get: () => ({}) } };
  return { application: () => ({ record }), world: { tables } } as never;
}
const known = { kind: 'bot', application: { id: BOT }, user: { id: BOT } } as never;
const identify = (count: number, shard?: readonly number[]): unknown =>
  listenerOf(known, { intents: 0, shard } as never, 'http://127.0.0.1:1/api', platformWith(count));

it('a bot in more than 2,500 guilds of one shard is closed with 4011 [W-2]', () => {
  expect(() => identify(2501)).toThrow(
    expect.objectContaining({ code: 4011, message: expect.stringContaining('2500 guilds') }),
  );
  expect(() => identify(5002, [0, 2])).toThrow(expect.objectContaining({ code: 4011 }));
  expect(identify(2500)).toMatchObject({ shard: [0, 1] });
  expect(identify(5000, [1, 2])).toMatchObject({ shard: [1, 2] });
});
