import { ApiError } from '../api/api-error.ts';
import type { ErrorCodeName } from '../api/error-codes.ts';
import type { World } from '../api/world.ts';
import type { KnownApplication } from '../applications/applications.ts';
import type { ApplicationRecord, ExternalAuthType } from '../applications/records.ts';
import type { Clock } from '../kernel/clock.ts';
import type { External } from './external.ts';
import type { OAuth2 } from './oauth2/oauth2.ts';
import { externalOf } from './oidc.ts';

/** Provider of identities that an application's bot assigns. */
export const BOT_PROVIDER = 'DISCORD_BOT';

/** External identity types of the platform, each with its word in emulator tickets and its provider. */
const TICKETS = {
  STEAM_SESSION_TICKET: { word: 'steam', provider: 'STEAM' },
  EPIC_ONLINE_SERVICES_ACCESS_TOKEN: { word: 'epic', provider: 'EPIC_ONLINE_SERVICES' },
  EPIC_ONLINE_SERVICES_ID_TOKEN: { word: 'epic', provider: 'EPIC_ONLINE_SERVICES' },
  UNITY_SERVICES_ID_TOKEN: { word: 'unity', provider: 'UNITY' },
  APPLE_ID_TOKEN: { word: 'apple', provider: 'APPLE' },
  PLAYSTATION_NETWORK_ID_TOKEN: { word: 'psn', provider: 'PLAYSTATION_NETWORK' },
} as const satisfies { readonly [Type in ExternalAuthType]?: object };

/**
 * Checks that an application accepts this type of proof. A publisher's game has no accounts of its own, nor has an unlisted
 * application, for which any program could create accounts.
 * @throws ApiError 530000.
 */
export function checkTakes(known: KnownApplication | undefined, type: ExternalAuthType): ApplicationRecord {
  if (known?.origin !== 'fixture') throw new ApiError('ProvisionalAccountsPermissionNotGranted');
  const { external_auth, parent } = known.record;
  if (parent !== null || external_auth?.includes(type) === false)
    throw new ApiError('ProvisionalAccountsPermissionNotGranted');
  return known.record;
}

/** An external token and the type of the token. */
export interface ExternalProof {
  readonly type: ExternalAuthType;
  readonly token: string;
}

interface Context {
  readonly world: World;
  readonly introspect: OAuth2['introspect'];
  readonly clock: Clock;
}

/** Identifies the subject of an external token. Rejects with ApiError for an invalid token. */
export async function identify(
  context: Context,
  known: KnownApplication | undefined,
  { type, token }: ExternalProof,
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

/** Identifies the user of a platform token that the game's bot obtained. */
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

/** Defects of a test ticket, by the suffix of the ticket's text. */
const ENDINGS = {
  expired: 'IdTokenJWTExpired',
  badissuer: 'IdTokenJWTIssuerMismatch',
  badaud: 'IdTokenJWTAudienceMismatch',
  old: 'IdTokenJWTIssuedTooLongAgo',
} as const satisfies Readonly<Record<string, ErrorCodeName>>;

/** Stores whose tickets include a display name. */
const NAMING = ['STEAM', 'EPIC_ONLINE_SERVICES', 'UNITY'];

/**
 * Parses a ticket of a store. Stores are unreachable offline, so tickets have the emulator's own format: `emu.steam.ID`,
 * with the suffix `.expired`, `.badissuer`, `.badaud` or `.old` for tickets that a store would reject.
 * @throws ApiError 530001 to 530004, and 530020 for any other text.
 */
function readTicket(ticket: string, { word, provider }: { word: string; provider: string }): External {
  const [, store, id = '', ending] =
    /^emu\.([a-z]+)\.([!-~]{1,255}?)(?:\.(expired|badissuer|badaud|old))?$/.exec(ticket) ?? [];
  if (store !== word)
    throw new ApiError('InvalidOIDCJWTToken', { advice: `here it is a text such as emu.${word}.ID` });
  if (ending !== undefined) throw new ApiError(ENDINGS[ending as keyof typeof ENDINGS]);
  return { provider, externalUserId: id, name: NAMING.includes(provider) ? id.slice(0, 32) : null };
}
