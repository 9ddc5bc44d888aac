import type { Links } from '../accounts/bans/links.ts';
import { adoptedIn } from '../accounts/external-accounts.ts';
import type { OAuth2 } from '../accounts/oauth2/oauth2.ts';
import type { Service } from '../api/service.ts';
import type { Transaction, World } from '../api/world.ts';
import { callIncidents, type VoiceConnection } from '../guilds/voice/connection.ts';
import { accountEnds } from '../users/users.ts';
import type { Platform } from './platform.ts';
import { eventOfSignal, webhookDerivations } from './webhook-events.ts';

/** What follows a change, besides the state itself. */
export interface Followers {
  readonly world: World;
  readonly connection: VoiceConnection;
  readonly links: Links;
  readonly platform: Pick<Platform, 'web' | 'people' | 'external' | 'webhooks'>;
  readonly oauth2: OAuth2;
}

/**
 * What follows each change, each by itself: one that fails keeps no other from it. To be the first listeners, so that
 * a request never outlives the account it was shown for.
 */
export function changeServices({
  world,
  connection,
  links,
  oauth2,
  platform,
}: Followers): readonly Service[] {
  const { web, people, external, webhooks } = platform;
  const withdraw = (reason: string): void => {
    web.dropAll();
    people.withdrawAll(reason);
  };
  return [
    {
      name: 'the voice connection',
      subscribe: (recovery) =>
        world.subscribe(callIncidents, (incident) => connection.follow(incident), recovery),
      recover: () => connection.recover(),
    },
    {
      name: 'what waits for a person',
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
      name: 'the end of what bans end',
      start: () => links.start(),
      onCommit: (transaction) => links.follow(transaction),
    },
    {
      name: 'what applications are told over HTTP',
      subscribe: (recovery) => {
        const ends = [
          ...webhookDerivations({
            holds: (userId, clientId, scope) => oauth2.holds(userId, clientId, scope),
          }).map((derivation) => world.subscribe(derivation, (event) => webhooks.tell(event), recovery)),
          world.subscribeSignals((signal) => {
            const event = eventOfSignal(signal, world.tables);
            if (event !== undefined) webhooks.tell(event);
          }, recovery),
        ];
        return () => {
          for (const end of ends) end();
        };
      },
      // An event is about a moment: what the state is by now does not say which there were.
      recover: () => {},
    },
  ];
}

const ENDS = {
  switched: 'another account is logged in',
  'logged-out': 'the user has logged out',
} as const;

/** Whose grants and tokens end: users and applications that are gone, and games, whose publisher has theirs. */
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
