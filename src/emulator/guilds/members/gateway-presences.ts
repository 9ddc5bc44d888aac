import type { Base, Reading } from '../../api/world.ts';
import { isCustomStatus, online, type Presence, presenceOf } from '../../users/presence/statuses.ts';
import type { Guild } from '../records.ts';
import { memberCount } from './list.ts';
import { isIn } from './membership.ts';

/** Maximum number of members of a small guild, for the privacy setting of the custom status. */
const SMALL_GUILD = 200;
const GUILD_PRESENCES = 1 << 8;

/** Presence of an account in gateway events. */
export interface PresenceAnswer extends Presence {
  readonly user: { readonly id: string };
  readonly [key: string]: unknown;
}

/**
 * A user's presence in one guild, derived from the `whole` presence. It lacks the custom status if the user's privacy
 * settings exclude the guild (change-log of 2026-09-17).
 */
export function presenceIn(
  tables: Reading,
  guild: Guild,
  userId: string,
  whole: Presence = presenceOf(tables, userId),
): PresenceAnswer {
  const { activities, ...presence } = whole;
  const visible = isCustomStatusVisible(tables, guild, userId)
    ? activities
    : activities.filter((one) => !isCustomStatus(one));
  return { user: { id: userId }, ...presence, activities: visible };
}

/** Presences of those members of a guild who are online; empty for a listener without the intent GUILD_PRESENCES. */
export function presencesOf(
  { world: { tables } }: Pick<Base, 'world'>,
  guild: Guild,
  { intents }: { readonly intents: number },
): PresenceAnswer[] {
  if ((intents & GUILD_PRESENCES) === 0) return [];
  return [...online(tables).keys()]
    .filter((user) => isIn(tables, guild.id, user))
    .map((user) => presenceIn(tables, guild, user));
}

function isCustomStatusVisible(tables: Reading, guild: Guild, userId: string): boolean {
  switch (tables.user_presences.get(userId)?.custom_status_privacy ?? 'everyone') {
    case 'everyone':
      return true;
    case 'friends_and_small_servers':
      return memberCount(tables, guild) <= SMALL_GUILD;
    case 'friends':
      return false;
  }
}
