import { ApiError } from '../api/api-error.ts';
import type { ErrorCodeName } from '../api/error-codes.ts';
import type { External } from './external.ts';

/** What can be wrong with a ticket, by how its text ends. */
const ENDINGS = {
  expired: 'IdTokenJWTExpired',
  badissuer: 'IdTokenJWTIssuerMismatch',
  badaud: 'IdTokenJWTAudienceMismatch',
  old: 'IdTokenJWTIssuedTooLongAgo',
} as const satisfies Readonly<Record<string, ErrorCodeName>>;

/** Which of the stores tell what a user is called. */
const NAMING = ['STEAM', 'EPIC_ONLINE_SERVICES', 'UNITY'];

/**
 * Reads a ticket of a store. No store can be asked offline, so that these are tickets of the emulator's own:
 * `emu.steam.ID`, and with `.expired`, `.badissuer`, `.badaud` or `.old` after it those that a store would not stand by.
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
