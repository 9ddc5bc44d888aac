import { banTimers } from '../accounts/bans/bans.ts';
import { headlessEnds } from '../accounts/headless/sessions.ts';
import type { Service } from '../api/service.ts';
import { subscriptionTimers } from '../applications/monetization/subscriptions.ts';
import { eventTimers } from '../guilds/events/events.ts';
import { targetJobTimers } from '../guilds/invites/target-jobs.ts';
import { stageTimers } from '../guilds/stages/stages.ts';
import { threadTimers } from '../guilds/threads/archiving.ts';
import { deliversInteractions } from '../interactions/delivery.ts';
import { idleTimers } from '../lobbies/idle.ts';
import { pollTimers } from '../messages/polls/polls.ts';
import type { Parts } from './compose-platform.ts';
import { changeServices } from './follow-change.ts';

/**
 * All background services. They start and receive transactions in this order, and stop in reverse order:
 *
 * 1. services that are needed until the last request has its reply: the clock, storage, files, and reactions to changes,
 * which must receive the changes that other services make;
 * 2. the servers;
 * 3. services that follow rows or run timers;
 * 4. services that others wait for, which must know first that the emulator closes: those of applications, and the consent
 * requests before all.
 */
export function servicesOf(parts: Parts): readonly Service[] {
  const { platform, world, clock, stateStorage, transfer, endpoints } = parts;
  const { activities, automod, messageIndex } = platform;
  return [
    // The clock stops last, because services stop in reverse order: no other service waits for its remaining timers.
    { name: 'the clock', stop: () => clock.close() },
    { name: 'the storage of grants and tokens', stop: () => stateStorage.close() },
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
      name: 'the delivery of interactions',
      onCommit: deliversInteractions(platform, () => [...endpoints][0]?.url ?? 'http://127.0.0.1/api'),
      // Nothing to recover: an interaction that was not delivered expires after three seconds.
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
      name: 'requests that wait for an answer',
      stop: () => platform.requests.withdrawAll('the emulator is closing'),
    },
  ];
}
