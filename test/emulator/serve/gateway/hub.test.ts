import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  defineDispatch,
  everyBot,
  type GatewayListener,
  INTENTS,
} from '../../../../src/emulator/api/dispatch.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP } from '../../../helpers/platform.ts';

const nudge = defineDispatch({
  event: 'NUDGE',
  summary: 'Somebody was nudged.',
  intents: ['GUILD_MEMBERS'],
  tables: [],
  shape: z.object({}),
});

it('an event reaches bots by intents, shard and membership, and users only when it allows them', async () => {
  const { emulator } = await botPlatform();
  const application = emulator.tables.applications.get(APP);
  if (application === undefined) throw new Error('the fixture has no such application');
  const told: string[] = [];
  const listen = (name: string, fields: Partial<GatewayListener>): Promise<() => void> =>
    emulator.gateway.listen({
      listener: {
        kind: 'bot',
        application,
        user: APP,
        scopes: [],
        intents: INTENTS.GUILD_MEMBERS,
        capabilities: 0,
        shard: [0, 1],
        base: '',
        ...fields,
      },
      take: (event, data) => told.push(`${name} ${event} ${data}`),
    });
  const stop = await listen('member', {});
  await listen('no intent', { intents: INTENTS.GUILDS });
  await listen('stranger', { user: '999' });
  const shard = Number((BigInt(ids.riverBank) >> 22n) % 2n);
  await listen('own shard', { shard: [shard, 2] });
  await listen('other shard', { shard: [1 - shard, 2] });
  await listen('person', { kind: 'bearer', intents: 0 });
  const take = (dispatched: object): string[] => {
    emulator.gateway.send(nudge, {
      guild: ids.riverBank,
      canSee: everyBot,
      data: () => ({ a: 1 }),
      ...dispatched,
    });
    return told.splice(0);
  };
  expect(take({})).toEqual(['member NUDGE {"a":1}', 'own shard NUDGE {"a":1}']);
  expect(take({ canSee: () => true })).toContain('person NUDGE {"a":1}');
  expect(take({ canSee: ({ user }: GatewayListener) => user !== APP })).toEqual([]);
  expect(take({ intents: [], canSee: ({ kind }: GatewayListener) => kind === 'bot' })).toHaveLength(3);
  expect(take({ anyone: true })).toContain('stranger NUDGE {"a":1}');
  expect(take({ guild: undefined })).not.toContain('other shard NUDGE {"a":1}');
  stop();
  expect(take({})).toEqual(['own shard NUDGE {"a":1}']);
});

it('an event is encoded once for equal listeners, and a failing listener does not stop the others', async () => {
  const { emulator, lines } = await botPlatform();
  const application = emulator.tables.applications.get(APP);
  if (application === undefined) throw new Error('the fixture has no such application');
  const listener = {
    kind: 'bot',
    application,
    user: APP,
    scopes: [],
    intents: INTENTS.GUILD_MEMBERS,
    capabilities: 0,
    shard: [0, 1],
    base: '',
  } as const;
  const told: string[] = [];
  await emulator.gateway.listen({
    listener,
    take: () => {
      throw new TypeError('gone');
    },
  });
  for (let count = 0; count < 3; count += 1) {
    const capabilities = count === 2 ? 1 : 0;
    await emulator.gateway.listen({
      listener: { ...listener, capabilities },
      take: (_, data) => told.push(data),
    });
  }
  let made = 0;
  emulator.gateway.send(nudge, {
    canSee: everyBot,
    data: ({ capabilities }) => ({ capabilities, made: ++made }),
    sameFor: ({ capabilities }) => String(capabilities),
  });
  expect(told).toEqual([
    '{"capabilities":0,"made":1}',
    '{"capabilities":0,"made":1}',
    '{"capabilities":1,"made":2}',
  ]);
  expect(lines).toContain('the gateway could not send NUDGE: TypeError');
});
