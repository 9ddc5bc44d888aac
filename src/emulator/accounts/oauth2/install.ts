import { ALL_PERMISSIONS } from '../../kernel/permission-bits.ts';
import { describePermissions } from '../../kernel/permission-text.ts';
import type { AuthorizeOptions } from './authorize-options.ts';
import { OAuth2Error } from './error.ts';
import type { Install, Installer } from './installer.ts';

/** Values of `integration_type`. */
export const GUILD_INSTALL = 0;
export const USER_INSTALL = 1;

/**
 * Whether the scopes add something to a guild: a bot always does; commands do unless they are installed for the user
 * alone.
 */
export function isForGuild(scopes: readonly string[], integrationType: number | undefined): boolean {
  return (
    scopes.includes('bot') || (scopes.includes('applications.commands') && integrationType !== USER_INSTALL)
  );
}

/** Parses the permissions of a request: a number, or its digits. Unknown bits are ignored. */
export function readPermissions(permissions: string | number | undefined): bigint {
  if (permissions === undefined || permissions === '') return 0n;
  if (!/^\d{1,20}$/.test(String(permissions))) {
    throw new OAuth2Error('invalid_request', 'Invalid "permissions" in request.');
  }
  return BigInt(permissions) & ALL_PERMISSIONS;
}

/**
 * The requested guild installation; undefined for none.
 * @throws OAuth2Error when it is not possible.
 */
export function checkInstall(
  {
    scopes,
    clientId,
    integrationType,
    guildId,
    permissions,
  }: Pick<AuthorizeOptions, 'scopes' | 'clientId' | 'integrationType' | 'guildId' | 'permissions'>,
  userId: string,
  installer: Installer,
): Install | undefined {
  const hasBot = scopes.includes('bot');
  if (hasBot && integrationType === USER_INSTALL) {
    throw new OAuth2Error('invalid_request', 'Invalid "integration_type" in request: a bot joins guilds.');
  }
  if (!isForGuild(scopes, integrationType)) return undefined;
  const install = { guildId: guildId ?? '', permissions: readPermissions(permissions) };
  if (guildId === undefined) {
    if (!hasBot) return undefined;
    throw new OAuth2Error(
      'invalid_request',
      'Missing "guild_id" in request: the user is not asked for a guild.',
    );
  }
  if (!installer.mayInstall(userId, guildId)) {
    throw new OAuth2Error('access_denied', 'The user may not add applications to this guild.');
  }
  if (hasBot) installer.checkBot(clientId);
  return install;
}

/** Description of an installation for the user; `guild` is its name. */
export function describeInstall(scope: 'bot' | 'applications.commands', guild: string, bits: bigint): string {
  if (scope === 'applications.commands') return `Add its commands to the guild "${guild}"`;
  const names = describePermissions(bits);
  const may = names.length === 0 ? 'with no permission of its own' : `where it may ${names.join(', ')}`;
  return `Add its bot to the guild "${guild}", ${may}`;
}
