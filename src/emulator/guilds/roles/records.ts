import { BEGINNERS, namesOf } from '../../kernel/permission-bits.ts';
import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** A role of a guild. @everyone has the id of the guild, and always exists. */
export const roles = defineRecord({
  name: 'roles',
  noun: 'role',
  about:
    "roles: `permissions` are names, or their bits in quotes; `bot` says whose own role it is. The role of everybody has the guild's id, and is there also when it is not written",
  key: ['id'],
  within: { kind: 'guilds', as: 'roles', field: 'guild' },
  references: { bot: { to: 'users', onRemoval: 'remove' } },
  positionField: 'position',
  firstPosition: 1,
  printedForms: { permissions: (bits: string) => namesOf(BigInt(bits)) },
  schema: (parts: SchemaParts) => {
    const { table, section, snowflake, text, or, orNull, count, position, flag, permissions } = parts;
    return table({
      id: snowflake(),
      name: text(100),
      /**
       * Colors with 24 bits of red, green and blue; 0 is no color. Every color except the first requires the feature
       * `ENHANCED_ROLE_COLORS`.
       */
      colors: section({
        primary_color: or(count(0xff_ff_ff), 0),
        secondary_color: orNull(count(0xff_ff_ff)),
        tertiary_color: orNull(count(0xff_ff_ff)),
      }),
      /** True if the client lists the role's members separately. */
      hoist: flag(false),
      /** Image hash. */
      icon: orNull(text(64)),
      unicode_emoji: orNull(text(64)),
      /**
       * Position in the hierarchy: a higher position is above a lower one; at equal positions the older role is above.
       * The default follows from the order in the fixture.
       */
      position: position(1_000_000),
      permissions: permissions(String(BEGINNERS)),
      /** Any member may mention it. */
      mentionable: flag(false),
      /** Id of the bot that the role belongs to; null for other roles. The role is deleted together with its bot. */
      bot: orNull(text(64)),
      /** Flags; 1 means that members can choose the role in onboarding. */
      flags: or(count(2 ** 31 - 1), 0),
    });
  },
});

/** A role of a guild. */
export type Role = RowOf<typeof roles>;

/** The @everyone role of a new guild. */
export function everyoneRole({ id }: { readonly id: string }): Role {
  return {
    id,
    guild: id,
    name: '@everyone',
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: 0,
    permissions: String(BEGINNERS),
    mentionable: false,
    bot: null,
    flags: 0,
  };
}
