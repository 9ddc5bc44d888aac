import { invalidForm } from '../api/api-error.ts';
import type { Reading } from '../api/world.ts';
import type { ChannelAccess } from '../guilds/channels/channel-access.ts';
import type { FieldFault } from '../kernel/errors.ts';
import { type Mentions, NOBODY } from './mentions.ts';
import type { CreateRequest } from './requests.ts';

/**
 * Mentions of a message: those `named` in its text that its author may and wants to mention, and the author of the
 * message it replies to.
 * @throws ApiError 50035 for contradicting options.
 */
export function mentionsAllowed(
  tables: Reading,
  { may }: Pick<ChannelAccess, 'may'>,
  named: Mentions,
  allowed: CreateRequest['allowed_mentions'],
  repliedTo: string | undefined,
): Mentions {
  if (allowed !== undefined) checkExclusive(allowed);
  if (named === NOBODY && repliedTo === undefined) return NOBODY;
  const { parse, users: onlyUsers, roles: onlyRoles } = allowed ?? {};
  const all = (kind: 'users' | 'roles' | 'everyone') =>
    allowed === undefined || parse?.includes(kind) === true;
  const everybody = may('MENTION_EVERYONE');
  const users = named.users.filter((id) => all('users') || onlyUsers?.includes(id));
  const roles = named.roles.filter(
    (id) =>
      (all('roles') || onlyRoles?.includes(id)) && (everybody || tables.roles.get(id)?.mentionable === true),
  );
  const replies = repliedTo !== undefined && (allowed === undefined || allowed.replied_user === true);
  return {
    users: replies ? [...new Set([...users, repliedTo])] : users,
    roles,
    everyone: named.everyone && everybody && all('everyone'),
  };
}

function checkExclusive(allowed: NonNullable<CreateRequest['allowed_mentions']>): void {
  const faults = (['users', 'roles'] as const).flatMap((kind): FieldFault[] =>
    allowed.parse?.includes(kind) && (allowed[kind]?.length ?? 0) > 0
      ? [
          {
            path: ['allowed_mentions'],
            code: 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
            message: `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
          },
        ]
      : [],
  );
  if (faults.length > 0) throw invalidForm(faults);
}
