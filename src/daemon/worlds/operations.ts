import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { adminOperationsFor } from '../../base/admin-operation.ts';
import { amount } from '../../base/text.ts';
import { gatewayUrl } from '../../emulator/serve/gateway/address.ts';
import type { World } from './world.ts';
import type { Worlds } from './worlds.ts';

const operation = adminOperationsFor<{ readonly worlds: Worlds }>();

/** A world as an argument on the command line. */
const WORLD_ARG = { name: 'NAME', help: 'name of the world', completes: 'worlds' } as const;

const name = () => z.string().check(z.maxLength(200));

const facts = () =>
  z.object({
    name: z.string(),
    /** Base URL of the HTTP API. */
    api: z.string(),
    gateway: z.string(),
    /** Path of the socket or pipe for apps; null before the first request for it. */
    endpoint: z.nullable(z.string()),
    /** Applications of the fixture, each with its bot's token in this world. */
    bots: z.array(z.object({ application: z.string(), name: z.string(), token: z.string() })),
    connected: z.object({ apps: z.number(), bots: z.number() }),
  });

async function factsOf(world: World): Promise<z.output<ReturnType<typeof facts>>> {
  const { name: own, api, endpoint } = world;
  return {
    name: own,
    api,
    gateway: gatewayUrl(api),
    endpoint: endpoint.path,
    bots: [...world.bots()],
    connected: await world.connected(),
  };
}

/** Operations on the worlds of a bridge. */
export const worldOperations = [
  operation({
    name: 'world.add',
    summary: 'Make a world: an emulator of its own behind the same port',
    about:
      'Without a name the bridge chooses one. `fixture` is the absolute path of a file, or the content of one. With `endpoint` true ' +
      'it listens for apps at once; `world.endpoint` does it later.',
    args: () =>
      z.object({
        name: z.optional(name()),
        fixture: z.optional(
          z.union([
            z.string().check(z.refine((path) => isAbsolute(path), 'must be an absolute path')),
            z.looseObject({}),
          ]),
        ),
        consent: z.optional(z.enum(['ask', 'allow', 'deny'])),
        strict: z.optional(z.boolean()),
        endpoint: z.optional(z.boolean()),
      }),
    result: facts,
    async run({ worlds }, { name: wanted, fixture, consent, strict = false, endpoint = false }) {
      const world = await worlds.add({
        ...(wanted === undefined ? {} : { name: wanted }),
        ...(fixture === undefined
          ? {}
          : { fixture: typeof fixture === 'string' ? fixture : { inline: fixture } }),
        ...(consent === undefined ? {} : { consent }),
        strict,
      });
      if (endpoint) await world.endpoint.open();
      return factsOf(world);
    },
  }),
  operation({
    name: 'world.list',
    summary: 'The worlds, in the order in which they were made',
    args: () => z.object({}),
    result: () => z.array(facts()),
    run: ({ worlds }) => Promise.all(worlds.list().map(factsOf)),
  }),
  operation({
    name: 'world.show',
    summary: 'The addresses and tokens of a world',
    args: () => z.object({ name: name() }),
    result: facts,
    run: ({ worlds }, { name: wanted }) => factsOf(worlds.of(wanted)),
  }),
  operation({
    name: 'world.endpoint',
    summary: 'Listen for apps of a world, and tell where',
    args: () => z.object({ name: name() }),
    result: () => z.object({ endpoint: z.string() }),
    run: async ({ worlds }, { name: wanted }) => ({ endpoint: await worlds.of(wanted).endpoint.open() }),
  }),
  operation({
    name: 'world.seed',
    summary: 'Make the present state of a world, and its clock, what a reset returns to',
    args: () => z.object({ name: name() }),
    result: () => z.object({ name: z.string() }),
    command: {
      name: 'world seed',
      summary: 'Make the present state of a world the one that a reset returns to',
      syntax: { name: WORLD_ARG },
      examples: [['world seed checkout', 'After the preparations of a test']],
      resultText: ({ name: own }) => `A reset of ${own} returns to its present state.`,
    },
    run: ({ worlds }, { name: wanted }) => {
      worlds.of(wanted).seed();
      return { name: wanted };
    },
  }),
  operation({
    name: 'world.reset',
    summary: 'Back to the seed: state, clock and faults; addresses, grants and tokens stay',
    about: 'Bots and apps stay connected, and are told nothing unless `events` is true.',
    args: () => z.object({ name: name(), events: z.optional(z.boolean()) }),
    result: () => z.object({ changes: z.array(z.string()) }),
    command: {
      name: 'world reset',
      summary: 'Return a world to its seed: the fixture, or the state of "world seed"',
      syntax: {
        name: WORLD_ARG,
        events: { option: 'events', type: 'flag', help: 'tell bots and apps what changes' },
      },
      details: [
        'State, clock and faults are those of the seed. Addresses, grants, tokens and connections stay; other worlds are',
        'not concerned.',
      ],
      examples: [['world reset checkout', 'Between two tests']],
      resultText: ({ changes }) =>
        changes.length === 0
          ? 'Nothing was different.'
          : `Back to the seed: ${amount(changes.length, 'row')} changed.`,
    },
    run: ({ worlds }, { name: wanted, events = false }) => ({
      changes: [...worlds.of(wanted).reset(events)],
    }),
  }),
  operation({
    name: 'world.remove',
    summary: 'Remove a world; its bots and apps are disconnected with the reason',
    args: () => z.object({ name: name() }),
    result: () => z.object({ removed: z.string() }),
    command: {
      name: 'world remove',
      summary: 'Remove a world, and disconnect its bots and apps',
      syntax: { name: WORLD_ARG },
      examples: [['world remove checkout', 'When it is no longer needed']],
      resultText: ({ removed }) => `${removed} is removed.`,
    },
    run: async ({ worlds }, { name: wanted }) => {
      await worlds.remove(wanted);
      return { removed: wanted };
    },
  }),
] as const;
