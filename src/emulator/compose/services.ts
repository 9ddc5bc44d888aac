import { banTimers } from '../accounts/bans/bans.ts';
import { headlessEnds } from '../accounts/headless/sessions.ts';
import type { StateKeeper } from '../accounts/oauth2/storage/keeper.ts';
import type { Service } from '../api/service.ts';
import { subscriptionTimers } from '../applications/monetization/subscriptions.ts';
import { eventTimers } from '../guilds/events/events.ts';
import { targetJobTimers } from '../guilds/invites/target-jobs.ts';
import { stageTimers } from '../guilds/stages/stages.ts';
import { threadTimers } from '../guilds/threads/archiving.ts';
import { deliversInteractions } from '../interactions/delivering.ts';
import type { EmulatorClock } from '../kernel/clock.ts';
import { idleTimers } from '../lobbies/idle.ts';
import { pollTimers } from '../messages/polls/polls.ts';
import type { TokenEndpoint } from '../serve/http/server.ts';
import type { Transfer } from './fixture/transfer.ts';
import { changeServices, type Followers } from './follow-change.ts';
import type { Platform } from './platform.ts';

/** The parts of an emulator that its services are made of. */
interface Parts extends Followers {
  readonly platform: Platform;
  readonly clock: EmulatorClock;
  readonly keeper: StateKeeper;
  readonly transfer: Transfer;
  /** Those that serve the API by now. */
  readonly endpoints: ReadonlySet<TokenEndpoint>;
}

/**
 * Everything that goes on beside requests. Services start in this order, each hears of a transaction in it, and they stop in
 * reverse:
 *
 * 1. what is needed until the last request has been answered: the clock, storage, files, and what follows changes, which is to
 *    hear of what the others do as they start;
 * 2. the servers;
 * 3. what follows rows or waits for a time;
 * 4. what others wait for, which is told first that the emulator closes: applications, and people before all.
 */
export function servicesOf(parts: Parts): readonly Service[] {
  const { platform, world, clock, keeper, transfer, endpoints } = parts;
  const { activities, automod, messageIndex } = platform;
  return [
    // What is left then waits for nobody.
    { name: 'the clock', stop: () => clock.close() },
    { name: 'the storage of grants and tokens', stop: () => keeper.close() },
    {
      name: 'the store of files',
      onCommit: (transaction) => transfer.follow(transaction),
      recover: () => transfer.fileStore.settleAll(),
      stop: () => transfer.fileStore.close(),
    },
    {
      name: 'the search index',
      onCommit: (transaction) => messageIndex.follow(transaction),
      recover: () => messageIndex.clear(),
      stop: () => messageIndex.close(),
    },
    ...changeServices(parts),

    {
      name: 'the servers of the API',
      stop: async () => void (await Promise.all([...endpoints].map((endpoint) => endpoint.close()))),
    },

    threadTimers(world, clock),
    {
      name: 'the pages of activities',
      onCommit: (transaction) => activities.follow(transaction),
      recover: () => activities.recover(),
      stop: () => activities.close(),
    },
    {
      name: 'automatic moderation',
      onCommit: (transaction) => automod.follow(transaction),
      recover: () => automod.recover(),
    },
    ...headlessEnds(world, clock),
    subscriptionTimers(world, clock),
    {
      name: 'the telling of interactions',
      onCommit: deliversInteractions(platform, () => [...endpoints][0]?.url ?? 'http://127.0.0.1/api'),
      // One that was not told of is over after three seconds, and says so.
      recover: () => {},
    },
    targetJobTimers(world, clock),
    idleTimers(world, clock),
    banTimers(world, clock),
    eventTimers(world, clock),
    stageTimers(world, clock),
    pollTimers(world, clock),

    { name: 'interactions', stop: () => platform.interactions.close() },
    { name: 'events over HTTP', stop: () => platform.webhooks.close() },
    { name: 'the gateway', stop: () => platform.gateway.close() },
    {
      name: 'requests that wait for a person',
      stop: () => platform.people.withdrawAll('the emulator is closing'),
    },
  ];
}
