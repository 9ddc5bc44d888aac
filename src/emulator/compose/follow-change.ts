import type { BanChange } from '../accounts/bans/bans.ts';
import type { Links } from '../accounts/bans/links.ts';
import { gameEventsOf, isDirectMessageChange } from '../accounts/direct/webhook-events.ts';
import type { ExternalAccounts } from '../accounts/external-accounts.ts';
import type { AuthorizationServer } from '../accounts/oauth2/authorization-server.ts';
import type { OAuth2 } from '../accounts/oauth2/oauth2.ts';
import type { Service } from '../api/service.ts';
import type { CallChange, VoiceConnection } from '../guilds/voice/connection.ts';
import type { Change } from './change.ts';
import type { Platform } from './platform.ts';
import type { PlatformWorld } from './platform-world.ts';
import { eventOf } from './webhook-events.ts';

/** What follows a change, besides the state itself. */
export interface Followers {
  readonly world: PlatformWorld;
  readonly connection: VoiceConnection;
  readonly links: Links;
  readonly platform: Pick<Platform, 'web' | 'people' | 'external' | 'webhooks'>;
  readonly oauth2: AuthorizationServer;
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
  const following = (follow: (change: Change) => void): NonNullable<Service['subscribe']> => {
    return (recovery) => world.subscribe(follow, recovery);
  };
  return [
    {
      name: 'the voice connection',
      subscribe: following((change) => isOfCall(change) && connection.follow(change)),
      recover: () => connection.recover(),
    },
    {
      name: 'the end of what bans end',
      start: () => links.start(),
      subscribe: following((change) => isOfBan(change) && links.follow(change)),
    },
    {
      name: 'what waits for a person',
      subscribe: following(({ type }) => {
        if (type === 'me-changed') withdraw('another account is logged in');
        else if (type === 'logged-out') withdraw('the user has logged out');
      }),
      recover: () => withdraw('another account may be logged in'),
    },
    {
      name: 'external identities',
      start: () => external.start(),
      subscribe: following((change) => followIdentities(external, change)),
    },
    {
      name: 'the end of grants and tokens',
      subscribe: following((change) => {
        if (change.type === 'user-removed') oauth2.forget({ userId: change.user.id });
        else if (change.type === 'application-removed') oauth2.forget({ clientId: change.application.id });
        else if (change.type === 'application-adopted') oauth2.forget({ clientId: change.clientId });
      }),
      recover: () => oauth2.forgetLost(),
    },
    {
      name: 'what applications are told over HTTP',
      subscribe: following((change) => tellWebhooks(change, { world, oauth2, webhooks })),
      // An event is about a moment: what the state is by now does not say which there were.
      recover: () => {},
    },
  ];
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
  { world, oauth2, webhooks }: Pick<Followers, 'world' | 'oauth2'> & Pick<Platform, 'webhooks'>,
): void {
  const event = eventOf(change, world.tables);
  if (event !== undefined) webhooks.tell(event);
  const holds: OAuth2['holds'] = (userId, clientId, scope) => oauth2.holds(userId, clientId, scope);
  if (!isDirectMessageChange(change)) return;
  for (const told of gameEventsOf(change, world.tables, { holds })) webhooks.tell(told);
}
