import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';
import { ofItsGuild } from '../relation-records.ts';

/**
 * A member of a guild, with the member's settings in the guild. In an open guild, users without such settings are
 * members without being listed; bots and provisional accounts are members only if they are listed.
 */
export const members = defineRecord({
  name: 'members',
  noun: 'member',
  about: 'what the guild says of a member',
  key: ['guild', 'user'],
  // The pages of both lists are ordered by id, so the indexes are, too.
  indexes: { guild: { order: 'key' }, user: { order: 'key' } },
  within: { kind: 'guilds', as: 'members', field: 'guild' },
  references: {
    user: { to: 'users', onRemoval: 'remove' },
    roles: { to: 'roles', onRemoval: 'null', relationCheck: ofItsGuild },
  },
  schema: ({ table, snowflake, text, textOrEmpty, orNull, or, list, moment, count, flag }: SchemaParts) =>
    table({
      user: text(64),
      nick: orNull(text(32)),
      /** Ids of the member's roles, without @everyone. */
      roles: list(snowflake(), 250),
      /** Join time in ISO 8601; the default is the time from which both the guild and the account existed. */
      joined_at: orNull(moment()),
      /** Start of the boost. */
      premium_since: orNull(moment()),
      /** End of the timeout. */
      communication_disabled_until: orNull(moment()),
      /** Hashes of the member's pictures in this guild. */
      avatar: orNull(text(64)),
      banner: orNull(text(64)),
      bio: orNull(textOrEmpty(190)),
      flags: or(count(2 ** 31 - 1), 0),
      /** True if a moderator has muted, or deafened, the member in all voice channels of the guild. */
      mute: flag(false),
      deaf: flag(false),
      /** True for a membership by a temporary invite, which ends when the user disconnects. */
      temporary: flag(false),
      /** True for a user whom the guild has not let in yet, and who may only look until then. */
      pending: flag(false),
    }),
});

/** A user who is not a member of an open guild, because they left or were removed. */
export const departures = defineRecord({
  name: 'departures',
  noun: 'departure',
  about: 'who left a guild that everybody is in',
  key: ['guild', 'user'],
  indexes: { guild: { order: 'key' } },
  within: { kind: 'guilds', as: 'departed', field: 'guild' },
  references: { user: { to: 'users', onRemoval: 'remove' } },
  schema: ({ table, text }: SchemaParts) => table({ user: text(64) }),
});

/** A member of a guild with settings for the guild. */
export type Member = RowOf<typeof members>;
