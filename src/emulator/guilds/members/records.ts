import { defineRecord, type Fit, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** A role belongs to the members of its guild alone. */
const ofTheGuild: Fit = {
  otherwise: 'of another guild',
  of: (member: { readonly guild: string }, role: { readonly guild: string }) => member.guild === role.guild,
};

/**
 * A member of a guild, and what the guild says of them. Where everybody is a member, only those of whom there is
 * something to say are listed: bots and provisional accounts are members nowhere else.
 */
export const members = defineRecord({
  name: 'members',
  noun: 'member',
  key: ['guild', 'user'],
  // The pages of both lists go by id.
  indexes: { guild: { order: 'key' }, user: { order: 'key' } },
  within: { kind: 'guilds', as: 'members', field: 'guild' },
  references: {
    user: { to: 'users', gone: 'remove' },
    roles: { to: 'roles', gone: 'null', fits: ofTheGuild },
  },
  schema: ({ table, snowflake, text, words, orNull, or, list, moment, count, flag }: SchemaParts) =>
    table({
      user: text(64),
      nick: orNull(text(32)),
      /** Ids of roles, besides the one that everybody has. */
      roles: list(snowflake(), 250),
      /** When they came, in ISO 8601; unless written, as soon as there were both the guild and the account. */
      joined_at: orNull(moment()),
      /** Since when they boost the guild. */
      premium_since: orNull(moment()),
      /** Until when they may only look. */
      communication_disabled_until: orNull(moment()),
      /** Picture hashes for this guild alone. */
      avatar: orNull(text(64)),
      banner: orNull(text(64)),
      bio: orNull(words(190)),
      flags: or(count(2 ** 31 - 1), 0),
      /** Silenced, or made deaf, by a moderator, in whatever channel they talk. */
      mute: flag(false),
      deaf: flag(false),
      /** Came by an invite that lets them stay as long as they are connected. */
      temporary: flag(false),
    }),
});

/** Somebody who is not a member of a guild that everybody is a member of: they left, or were taken out. */
export const departures = defineRecord({
  name: 'departures',
  noun: 'departure',
  key: ['guild', 'user'],
  indexes: { guild: { order: 'key' } },
  within: { kind: 'guilds', as: 'departed', field: 'guild' },
  references: { user: { to: 'users', gone: 'remove' } },
  schema: ({ table, text }: SchemaParts) => table({ user: text(64) }),
});

/** A member of a guild of whom there is something to say. */
export type Member = RowOf<typeof members>;
