import { ApiError } from '../api/api-error.ts';
import type { World } from '../api/world.ts';
import type { KnownApplication } from '../applications/applications.ts';
import type { ApplicationRecord, ExternalAuthType } from '../applications/records.ts';
import type { Clock } from '../kernel/clock.ts';
import type { External } from './external.ts';
import type { OAuth2 } from './oauth2/oauth2.ts';
import { externalOf } from './oidc.ts';
import { readTicket } from './ticket.ts';

/** Who vouches for a user who comes by the bot of the application. */
export const BOT_PROVIDER = 'DISCORD_BOT';

/** How an external identity is shown, by the name that the platform has for it. */
const TICKETS = {
  STEAM_SESSION_TICKET: { word: 'steam', provider: 'STEAM' },
  EPIC_ONLINE_SERVICES_ACCESS_TOKEN: { word: 'epic', provider: 'EPIC_ONLINE_SERVICES' },
  EPIC_ONLINE_SERVICES_ID_TOKEN: { word: 'epic', provider: 'EPIC_ONLINE_SERVICES' },
  UNITY_SERVICES_ID_TOKEN: { word: 'unity', provider: 'UNITY' },
  APPLE_ID_TOKEN: { word: 'apple', provider: 'APPLE' },
  PLAYSTATION_NETWORK_ID_TOKEN: { word: 'psn', provider: 'PLAYSTATION_NETWORK' },
} as const satisfies { readonly [Type in ExternalAuthType]?: object };

/**
 * Whether an application takes that kind of proof. A game of a publisher has no accounts of its own, nor has one that nobody
 * wrote down: any program could make accounts in its name.
 * @throws ApiError 530000.
 */
export function checkTakes(known: KnownApplication | undefined, type: ExternalAuthType): ApplicationRecord {
  if (known?.origin !== 'fixture') throw new ApiError('ProvisionalAccountsPermissionNotGranted');
  const { external_auth, parent } = known.record;
  if (parent !== null || external_auth?.includes(type) === false)
    throw new ApiError('ProvisionalAccountsPermissionNotGranted');
  return known.record;
}

/** A token of somebody else, and of what kind it is. */
export interface Shown {
  readonly type: ExternalAuthType;
  readonly token: string;
}

interface Context {
  readonly world: World;
  readonly introspect: OAuth2['introspect'];
  readonly clock: Clock;
}

/** Finds out whom a token of somebody else names. Rejects with ApiError. */
export async function identify(
  context: Context,
  known: KnownApplication | undefined,
  { type, token }: Shown,
): Promise<External> {
  const application = checkTakes(known, type);
  const { world, clock } = context;
  switch (type) {
    case 'OIDC':
      return externalOf(token, {
        application: application.id,
        issuers: [...world.tables.external_issuers.by('application', application.id)],
        now: clock.now(),
      });
    case 'DISCORD_BOT_ISSUED_ACCESS_TOKEN':
      return botIssued(context, application.id, token);
    default:
      return readTicket(token, TICKETS[type]);
  }
}

/** The token that the game has of the platform itself, for a user who came by its bot. */
function botIssued({ world, introspect }: Context, application: string, token: string): External {
  const found = introspect(token);
  if (found.state !== 'active' || found.clientId !== application)
    throw new ApiError('InvalidOAuth2AccessToken');
  const held = [...world.tables.external_identities.by('user', found.userId)];
  const identity = held.find(
    (one) =>
      one.application === application &&
      one.provider === BOT_PROVIDER &&
      (one.status === 'provisional' || one.status === 'restricted'),
  );
  if (identity === undefined) throw new ApiError('MergeSourceIsNotProvisional');
  return { provider: BOT_PROVIDER, externalUserId: identity.external_user_id, name: null };
}
