import { defineRecord, type RelationCheck, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** A member has only roles of the same guild. */
const ofTheGuild: RelationCheck = {
  errorText: 'of another guild',
  of: (member: { readonly guild: string }, role: { readonly guild: string }) => member.guild === role.guild,
};

/**
 * A member of a guild with settings for the guild. In an open guild only members with such settings are listed; bots
 * and provisional accounts are members only where they are listed.
 */
export const members = defineRecord({
  name: 'members',
  noun: 'member',
  about: 'what the guild says of a member',
  key: ['guild', 'user'],
  // Pages of both lists are ordered by id.
  indexes: { guild: { order: 'key' }, user: { order: 'key' } },
  within: { kind: 'guilds', as: 'members', field: 'guild' },
  references: {
    user: { to: 'users', onRemoval: 'remove' },
    roles: { to: 'roles', onRemoval: 'null', relationCheck: ofTheGuild },
  },
  schema: ({ table, snowflake, text, textOrEmpty, orNull, or, list, moment, count, flag }: SchemaParts) =>
    table({
      user: text(64),
      nick: orNull(text(32)),
      /** Ids of roles, without @everyone. */
      roles: list(snowflake(), 250),
      /** Join time in ISO 8601; the default is the time since when both the guild and the account exist. */
      joined_at: orNull(moment()),
      /** Start of the boost. */
      premium_since: orNull(moment()),
      /** End of the timeout. */
      communication_disabled_until: orNull(moment()),
      /** Image hashes for this guild only. */
      avatar: orNull(text(64)),
      banner: orNull(text(64)),
      bio: orNull(textOrEmpty(190)),
      flags: or(count(2 ** 31 - 1), 0),
      /** Muted, or deafened, by a moderator, in any channel of the guild. */
      mute: flag(false),
      deaf: flag(false),
      /** Membership by a temporary invite ends with the connection. */
      temporary: flag(false),
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
