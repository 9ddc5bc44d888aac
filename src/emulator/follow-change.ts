import type { ExternalAccounts } from './accounts/external-accounts.ts';
import type { Bans } from './bans/bans.ts';
import type { Links } from './bans/links.ts';
import type { Change } from './change.ts';
import { gameEventsOf } from './direct/webhook-events.ts';
import type { AuthorizationServer } from './oauth2/authorization-server.ts';
import type { OAuth2 } from './oauth2/oauth2.ts';
import type { WebConsent } from './oauth2/pages/web-consent.ts';
import type { PeopleQueue } from './people/queue.ts';
import type { VoiceConnection } from './voice/connection.ts';
import { eventOf } from './webhooks/events.ts';
import type { Webhooks } from './webhooks/webhooks.ts';
import type { World } from './world.ts';

/** What follows a change, besides the state itself. */
interface Followers {
  readonly world: World;
  readonly connection: VoiceConnection;
  readonly bans: Bans;
  readonly links: Links;
  readonly web: WebConsent;
  readonly requests: PeopleQueue;
  readonly oauth2: AuthorizationServer;
  readonly external: ExternalAccounts;
  readonly webhooks: Webhooks;
}

/** Lets everything follow each change. To be the first listener, so that a request never outlives the account it was shown for. */
export function followChanges(followers: Followers): void {
  const { world, connection, bans, links, web, requests, oauth2, external, webhooks } = followers;
  world.subscribe((change: Change) => {
    connection.follow(change);
    bans.follow(change);
    links.follow(change);
    if (change.type === 'me-changed' || change.type === 'logged-out') web.dropAll();
    if (change.type === 'me-changed') requests.withdrawAll('another account is logged in');
    else if (change.type === 'logged-out') requests.withdrawAll('the user has logged out');
    else if (change.type === 'user-removed') oauth2.forget({ userId: change.user.id });
    else if (change.type === 'application-removed') oauth2.forget({ clientId: change.application.id });
    else if (change.type === 'identity-merging') external.finishLater(change.identity);
    else if (change.type === 'application-adopted') {
      external.clear(change.clientId);
      oauth2.forget({ clientId: change.clientId });
    } else if (change.type === 'tokens-revoked' && change.family === undefined) {
      external.sever(change.clientId, change.userId);
    }
    const event = eventOf(change, world.tables);
    if (event !== undefined) webhooks.tell(event);
    const holds: OAuth2['holds'] = (userId, clientId, scope) => oauth2.holds(userId, clientId, scope);
    for (const told of gameEventsOf(change, world.tables, { holds })) webhooks.tell(told);
  });
}
