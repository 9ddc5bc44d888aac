import type { BanChange, Bans } from '../accounts/bans/bans.ts';
import type { Links } from '../accounts/bans/links.ts';
import type { PeopleQueue } from '../accounts/consent/queue.ts';
import { gameEventsOf, isDirectMessageChange } from '../accounts/direct/webhook-events.ts';
import type { ExternalAccounts } from '../accounts/external-accounts.ts';
import type { AuthorizationServer } from '../accounts/oauth2/authorization-server.ts';
import type { OAuth2 } from '../accounts/oauth2/oauth2.ts';
import type { WebConsent } from '../accounts/oauth2/pages/web-consent.ts';
import type { Webhooks } from '../applications/webhooks/webhooks.ts';
import type { CallChange, VoiceConnection } from '../guilds/voice/connection.ts';
import type { Change } from './change.ts';
import type { PlatformWorld } from './platform-world.ts';
import { eventOf } from './webhook-events.ts';

/** What follows a change, besides the state itself. */
interface Followers {
  readonly world: PlatformWorld;
  readonly connection: VoiceConnection;
  readonly bans: Bans;
  readonly links: Links;
  readonly web: WebConsent;
  readonly requests: PeopleQueue;
  readonly oauth2: AuthorizationServer;
  readonly external: ExternalAccounts;
  readonly webhooks: Webhooks;
}

/**
 * Lets everything follow each change, each by itself: one that fails keeps no other from it. To be the first listeners, so that
 * a request never outlives the account it was shown for.
 */
export function followChanges(followers: Followers): void {
  const { world, connection, bans, links, web, requests, oauth2, external, webhooks } = followers;
  world.subscribe((change) => isOfCall(change) && connection.follow(change), {
    name: 'the voice connection',
    recover: () => connection.recover(),
  });
  world.subscribe((change) => isOfBan(change) && bans.follow(change), {
    name: 'the time of bans',
    recover: () => {
      bans.close();
      bans.start();
    },
  });
  world.subscribe((change) => isOfBan(change) && links.follow(change), {
    name: 'the end of what bans end',
    recover: () => links.start(),
  });
  const withdraw = (reason: string): void => {
    web.dropAll();
    requests.withdrawAll(reason);
  };
  world.subscribe(
    ({ type }) => {
      if (type === 'me-changed') withdraw('another account is logged in');
      else if (type === 'logged-out') withdraw('the user has logged out');
    },
    { name: 'what waits for a person', recover: () => withdraw('another account may be logged in') },
  );
  world.subscribe((change) => followIdentities(external, change), {
    name: 'external identities',
    recover: () => external.start(),
  });
  world.subscribe(
    (change) => {
      if (change.type === 'user-removed') oauth2.forget({ userId: change.user.id });
      else if (change.type === 'application-removed') oauth2.forget({ clientId: change.application.id });
      else if (change.type === 'application-adopted') oauth2.forget({ clientId: change.clientId });
    },
    { name: 'the end of grants and tokens', recover: () => oauth2.forgetLost() },
  );
  world.subscribe((change) => tellWebhooks(change, { world, oauth2, webhooks }), {
    name: 'what applications are told over HTTP',
    // An event is about a moment: what the state is by now does not say which there were.
    recover: () => {},
  });
}

function isOfCall(change: Change): change is Change & CallChange {
  return change.type === 'voice-channel-selected' || change.type === 'client-updated';
}

function isOfBan(change: Change): change is BanChange {
  return change.type === 'user-banned' || change.type === 'user-unbanned';
}

function followIdentities(external: ExternalAccounts, change: Change): void {
  if (change.type === 'identity-merging') external.finishLater(change.identity);
  else if (change.type === 'application-adopted') external.clear(change.clientId);
  else if (change.type === 'tokens-revoked' && change.family === undefined) {
    external.sever(change.clientId, change.userId);
  }
}

function tellWebhooks(
  change: Change,
  { world, oauth2, webhooks }: Pick<Followers, 'world' | 'oauth2' | 'webhooks'>,
): void {
  const event = eventOf(change, world.tables);
  if (event !== undefined) webhooks.tell(event);
  const holds: OAuth2['holds'] = (userId, clientId, scope) => oauth2.holds(userId, clientId, scope);
  if (!isDirectMessageChange(change)) return;
  for (const told of gameEventsOf(change, world.tables, { holds })) webhooks.tell(told);
}
