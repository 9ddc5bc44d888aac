import { describe, expect, it } from 'vitest';
import type { Emulator } from '../../src/emulator/emulator.ts';
import { botPlatform } from '../helpers/bot-member.ts';
import { ids } from '../helpers/emulator-world.ts';
import { testPlatform } from '../helpers/platform.ts';

// What changes on a day of the platform's calendar. Three of its changes no operation over HTTP shows: one full list of
// members in 30 s (2025-10-01) is the gateway's, end-to-end encryption only (2026-03-01) is the calls', and bots, who alone
// write messages over HTTP, never knew slow mode (2026-02-23).

/** A world in which the change is seen. */
interface Scene {
  readonly emulator: Emulator;
  readonly look: () => Promise<unknown>;
}

const TYPES = ['steam', 'riotgames', 'leagueoflegends', 'battlenet'];

/** Kinds of connections that the user of a token is told of. */
async function connections(): Promise<Scene> {
  const { emulator, call, bearer } = await testPlatform();
  await emulator.apply({ connections: TYPES.map((type) => ({ type, id: '7', name: 'x' })) });
  const look = async () => {
    const { body } = await call('GET /users/@me/connections', { headers: await bearer(['connections']) });
    return (body as { type: string }[]).map(({ type }) => type);
  };
  return { emulator, look };
}

/** Whether a bot that may manage messages, and no more, may pin and unpin one; by the routes of today and of before. */
async function pins(): Promise<Scene> {
  const { emulator, ask, only } = await botPlatform();
  await only('VIEW_CHANNEL', 'MANAGE_MESSAGES');
  const channel = `/channels/${ids.general}`;
  const message = '600000000000000001';
  const look = async () => {
    const statuses: number[] = [];
    for (const path of [`${channel}/messages/pins/${message}`, `${channel}/pins/${message}`]) {
      for (const verb of ['PUT', 'DELETE']) statuses.push((await ask(`${verb} ${path}`)).status);
    }
    return statuses;
  };
  return { emulator, look };
}

/** A day, and what is seen in the last millisecond before it and in its first. */
const changes: readonly {
  readonly day: string;
  readonly change: string;
  readonly begin: () => Promise<Scene>;
  readonly before: unknown;
  readonly after: unknown;
}[] = [
  {
    // Announced for 2026-01-12, and moved.
    day: '2026-02-23',
    change: 'pins need PIN_MESSAGES, and managing messages is not enough',
    begin: pins,
    before: [204, 204, 204, 204],
    after: [403, 403, 403, 403],
  },
  {
    day: '2026-07-10',
    change: 'two kinds of connections of one publisher are told no more',
    begin: connections,
    before: TYPES,
    after: ['steam', 'battlenet'],
  },
  {
    day: '2026-09-22',
    change: 'connections of another publisher are told no more',
    begin: connections,
    before: ['steam', 'battlenet'],
    after: ['steam'],
  },
];

/** Days that concern operations which are not offered: one that comes has to come with its line above. */
const absent: readonly (readonly [day: string, change: string, operation: string])[] = [
  ['2026-02-23', 'emoji need CREATE_GUILD_EXPRESSIONS', 'POST /guilds/1/emojis'],
  ['2026-02-23', 'stickers need CREATE_GUILD_EXPRESSIONS', 'POST /guilds/1/stickers'],
  ['2026-02-23', 'scheduled events need CREATE_EVENTS', 'POST /guilds/1/scheduled-events'],
];

describe('by the clock of the emulator', () => {
  it.each(changes)('N-3, N-4, E-1: from $day on $change', async ({ day, begin, before, after }) => {
    const { emulator, look } = await begin();
    emulator.clock.freeze();
    const midnight = Date.parse(day);
    emulator.clock.set(midnight - 1);
    expect(await look()).toEqual(before);
    emulator.clock.advance(1);
    expect(await look()).toEqual(after);
    // A clock that is set back shows the world of before.
    emulator.clock.set(midnight - 1);
    expect(await look()).toEqual(before);
  });

  it.each(absent)('N-3, N-5: %s, %s: %s is not offered on either side', async (day, _, operation) => {
    const { emulator, call, bot } = await testPlatform();
    for (const time of [Date.parse(day) - 1, Date.parse(day)]) {
      emulator.clock.set(time);
      expect((await call(operation, { headers: bot() })).status).toBe(501);
    }
  });
});
