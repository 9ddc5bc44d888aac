import { adoptedIn } from '../accounts/external-accounts.ts';
import type { OAuth2 } from '../accounts/oauth2/oauth2.ts';
import type { Service } from '../api/service.ts';
import type { Transaction } from '../api/world.ts';
import { callIncidents } from '../guilds/voice/connection.ts';
import { accountEnds } from '../users/users.ts';
import type { Parts } from './compose-platform.ts';
import { eventOfSignal, webhookDerivations } from './webhook-events.ts';

/**
 * The services that react to each change. They are independent: a failure of one does not affect the others. They must
 * be the first listeners, so that a request never outlives the account that it was presented to.
 */
export function changeServices({ world, connection, links, oauth2, platform }: Parts): readonly Service[] {
  const { web, requests, external, webhooks } = platform;
  const withdraw = (reason: string): void => {
    web.dropAll();
    requests.withdrawAll(reason);
  };
  return [
    {
      name: 'the voice connection',
      subscribe: (recovery) =>
        world.subscribe(callIncidents, (incident) => connection.follow(incident), recovery),
      recover: () => connection.recover(),
    },
    {
      name: 'the withdrawal of waiting requests',
      subscribe: (recovery) => world.subscribe(accountEnds, (end) => withdraw(ENDS[end]), recovery),
      recover: () => withdraw('another account may be logged in'),
    },
    {
      name: 'external identities',
      start: () => external.start(),
      onCommit: (transaction) => external.follow(transaction),
      subscribe: (recovery) =>
        world.subscribeSignals((signal) => {
          if (signal.type !== 'tokens-revoked' || signal.family !== undefined) return;
          external.sever(signal.clientId, signal.userId);
        }, recovery),
    },
    {
      name: 'the end of grants and tokens',
      onCommit: (transaction) => {
        for (const lost of ownersLost(transaction)) oauth2.forget(lost);
      },
      recover: () => oauth2.forgetLost(),
    },
    {
      name: 'the effects of bans',
      start: () => links.start(),
      onCommit: (transaction) => links.follow(transaction),
    },
    {
      name: 'webhook events of changes',
      subscribe: (recovery) => {
        const ends = [
          ...webhookDerivations(oauth2, world).map((derivation) =>
            world.subscribe(derivation, (event) => webhooks.send(event), recovery),
          ),
          world.subscribeSignals((signal) => {
            const event = eventOfSignal(signal, world.tables);
            if (event !== undefined) webhooks.send(event);
          }, recovery),
        ];
        return () => {
          for (const end of ends) end();
        };
      },
      // Nothing to recover: an event concerns a moment, and the current state does not show which events were missed.
      recover: () => {},
    },
  ];
}

const ENDS = {
  switched: 'another account is logged in',
  'logged-out': 'the user has logged out',
} as const;

/** Owners whose grants and tokens end: removed users, removed applications, and games that a publisher has adopted. */
function ownersLost(transaction: Transaction): Parameters<OAuth2['forget']>[0][] {
  const { events } = transaction;
  return [
    ...events.flatMap((event) =>
      event.kind === 'removed' && event.table === 'users' ? [{ userId: event.before.id }] : [],
    ),
    ...events.flatMap((event) =>
      event.kind === 'removed' && event.table === 'applications' ? [{ clientId: event.before.id }] : [],
    ),
    ...adoptedIn(transaction).map((clientId) => ({ clientId })),
  ];
}
