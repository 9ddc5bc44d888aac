import { ApiError } from '../api/api-error.ts';
import type { ErrorCodeName } from '../api/error-codes.ts';
import type { External } from './external.ts';

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
export function readTicket(ticket: string, { word, provider }: { word: string; provider: string }): External {
  const [, store, id = '', ending] =
    /^emu\.([a-z]+)\.([!-~]{1,255}?)(?:\.(expired|badissuer|badaud|old))?$/.exec(ticket) ?? [];
  if (store !== word)
    throw new ApiError('InvalidOIDCJWTToken', { advice: `here it is a text such as emu.${word}.ID` });
  if (ending !== undefined) throw new ApiError(ENDINGS[ending as keyof typeof ENDINGS]);
  return { provider, externalUserId: id, name: NAMING.includes(provider) ? id.slice(0, 32) : null };
}
