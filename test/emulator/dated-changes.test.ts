import { describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../helpers/platform.ts';

// What changes on a day of the platform's calendar. Two more of its dates are of the gateway and of calls alone, which no
// operation over HTTP shows: one full list of members in 30 s (2025-10-01), and end-to-end encryption only (2026-03-01).

const TYPES = ['steam', 'riotgames', 'leagueoflegends', 'battlenet'];

/** Kinds of connections that the user of a token is told of. */
async function connections({ call, bearer }: TestPlatform): Promise<readonly string[]> {
  const { body } = await call('GET /users/@me/connections', { headers: await bearer(['connections']) });
  return (body as { type: string }[]).map(({ type }) => type);
}

/** A day, and what is seen in the last millisecond before it and in its first. */
const changes: readonly {
  readonly day: string;
  readonly change: string;
  readonly look: (platform: TestPlatform) => Promise<unknown>;
  readonly before: unknown;
  readonly after: unknown;
}[] = [
  {
    day: '2026-07-10',
    change: 'two kinds of connections of one publisher are told no more',
    look: connections,
    before: TYPES,
    after: ['steam', 'battlenet'],
  },
  {
    day: '2026-09-22',
    change: 'connections of another publisher are told no more',
    look: connections,
    before: ['steam', 'battlenet'],
    after: ['steam'],
  },
];

/** Days that concern operations which are not offered: one that comes has to come with its line above. */
const absent: readonly (readonly [day: string, change: string, operation: string])[] = [
  ['2026-02-23', 'BYPASS_SLOWMODE frees users from slow mode', 'POST /channels/1/messages'],
  ['2026-02-23', 'emoji need CREATE_GUILD_EXPRESSIONS', 'POST /guilds/1/emojis'],
  ['2026-02-23', 'stickers need CREATE_GUILD_EXPRESSIONS', 'POST /guilds/1/stickers'],
  ['2026-02-23', 'scheduled events need CREATE_EVENTS', 'POST /guilds/1/scheduled-events'],
  ['2026-11-16', 'channels that a bot cannot view are left out', 'GET /guilds/1/channels'],
];

describe('by the clock of the emulator', () => {
  it.each(changes)('N-3, E-1: from $day on $change', async ({ day, look, before, after }) => {
    const platform = await testPlatform();
    const { emulator } = platform;
    await emulator.apply({ connections: TYPES.map((type) => ({ type, id: '7', name: 'x' })) });
    emulator.clock.freeze();
    const midnight = Date.parse(day);
    emulator.clock.set(midnight - 1);
    expect(await look(platform)).toEqual(before);
    emulator.clock.advance(1);
    expect(await look(platform)).toEqual(after);
    // A clock that is set back shows the world of before.
    emulator.clock.set(midnight - 1);
    expect(await look(platform)).toEqual(before);
  });

  it.each(absent)('N-3, N-4, N-5: %s, %s: %s is not offered on either side', async (day, _, operation) => {
    const { emulator, call, bot } = await testPlatform();
    for (const time of [Date.parse(day) - 1, Date.parse(day)]) {
      emulator.clock.set(time);
      expect((await call(operation, { headers: bot() })).status).toBe(501);
    }
  });
});
