import { describe, expect, it } from 'vitest';
import type { Emulator } from '../../../src/emulator/compose/emulator.ts';
import { botPlatform } from '../../helpers/bot-member.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { listen } from '../../helpers/gateway-listener.ts';
import { dataUri, png, stickerForm } from '../../helpers/media-bytes.ts';
import { APP, testPlatform } from '../../helpers/platform.ts';

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

/** The names that the gateway tells a bot that views nothing of the channels of its guild. */
async function channelNames(): Promise<Scene> {
  const { emulator, only } = await botPlatform();
  await only();
  const heard = await listen(emulator);
  const members = (change: object) =>
    emulator.apply({ guilds: [{ id: ids.riverBank, members: [{ user: APP, ...change }] }] });
  const look = async () => {
    await members({ remove: true });
    await members({});
    const { channels } = heard().find(({ event }) => event === 'GUILD_CREATE')?.data ?? { channels: [] };
    return [...new Set(channels.map(({ name }: { name: string }) => name === '___hidden___'))];
  };
  return { emulator, look };
}

/** Whether a bot that may manage expressions, and no more, may make an emoji and a sticker, and take them away. */
async function expressions(): Promise<Scene> {
  const { emulator, ask, call, bot, only } = await botPlatform();
  await only('MANAGE_GUILD_EXPRESSIONS');
  const guild = `/guilds/${ids.riverBank}`;
  const look = async () => {
    const emoji = await ask(`POST ${guild}/emojis`, { name: 'wave', image: dataUri(png()) });
    const sticker = await call(`POST ${guild}/stickers`, {
      headers: bot(),
      body: stickerForm(png()),
    });
    const made = [emoji, sticker].filter(({ status }) => status === 201);
    const gone = await Promise.all(
      made.map(({ body: { id, tags } }) =>
        ask(`DELETE ${guild}/${tags === undefined ? 'emojis' : 'stickers'}/${id}`),
      ),
    );
    return [emoji, sticker, ...gone].map(({ status }) => status);
  };
  return { emulator, look };
}

/** Whether a bot that may manage events, and no more, may plan one; what is planned is taken away again. */
async function events(): Promise<Scene> {
  const { emulator, ask, only } = await botPlatform();
  await only('MANAGE_EVENTS');
  const path = `/guilds/${ids.riverBank}/scheduled-events`;
  const look = async () => {
    const made = await ask(`POST ${path}`, {
      name: 'Low tide',
      privacy_level: 2,
      entity_type: 3,
      entity_metadata: { location: 'The pier' },
      scheduled_start_time: '2040-01-04T18:00:00Z',
      scheduled_end_time: '2040-01-04T20:00:00Z',
    });
    if (made.status !== 200) return [made.status];
    return [made.status, (await ask(`DELETE ${path}/${made.body.id}`)).status];
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
    day: '2026-02-23',
    change: 'a bot makes expressions by CREATE_GUILD_EXPRESSIONS, and managing them is not enough',
    begin: expressions,
    before: [201, 201, 204, 204],
    after: [403, 403],
  },
  {
    day: '2026-02-23',
    change: 'a bot plans events by CREATE_EVENTS, and managing them is not enough',
    begin: events,
    before: [200, 204],
    after: [403],
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
  {
    day: '2026-11-16',
    change: 'the gateway hides channels out of view from every bot',
    begin: channelNames,
    before: [false],
    after: [true],
  },
];

describe('by the clock of the emulator', () => {
  it.each(changes)('from $day on $change [N-3, N-4, N-5, E-1]', async ({ day, begin, before, after }) => {
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
});
