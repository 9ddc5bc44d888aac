import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** Something an application sells. */
export const skus = defineRecord({
  name: 'skus',
  noun: 'SKU',
  key: ['id'],
  indexes: { application: {} },
  schema: ({ table, snowflake, text, or, whole, count }: SchemaParts) =>
    table({
      id: snowflake(),
      name: text(100),
      /** 2 durable, 3 consumable, 5 subscription, 6 subscription group. */
      type: or(whole(1, 6), 2),
      application: snowflake(),
      /** Bits: 4 is for sale, 128 a subscription of a guild, 256 one of a user. */
      flags: or(count(2 ** 31 - 1), 4),
    }),
});

/** Something a user, or a guild through a user, owns of an application. */
export const entitlements = defineRecord({
  name: 'entitlements',
  noun: 'entitlement',
  key: ['id'],
  // Pages of them go by id.
  indexes: { application: { order: 'key' } },
  references: {
    user: { to: 'users', gone: 'remove', orMe: true },
    guild: { to: 'guilds', gone: 'remove' },
  },
  schema: ({ table, snowflake, userOrMe, or, orNull, whole, flag, moment }: SchemaParts) =>
    table({
      id: snowflake(),
      sku: snowflake(),
      application: snowflake(),
      user: userOrMe(),
      /** Id of the guild whose members all have it; null is the user alone. */
      guild: orNull(snowflake()),
      /** 1–8; 1 is bought, 4 bought in a test, 8 comes with a subscription. */
      type: or(whole(1, 8), 1),
      deleted: flag(false),
      /** The application gave it as a test, and may take it back. */
      test: flag(false),
      /** What can be used up is. */
      consumed: flag(false),
      /** From when to when it counts, in ISO 8601; null is for good. */
      starts_at: orNull(moment()),
      ends_at: orNull(moment()),
    }),
});

/** What a user pays for over and over. */
export const subscriptions = defineRecord({
  name: 'subscriptions',
  noun: 'subscription',
  key: ['id'],
  indexes: { skus: { order: 'key' } },
  references: {
    user: { to: 'users', gone: 'remove', orMe: true },
    entitlements: { to: 'entitlements', gone: 'null' },
  },
  schema: ({ table, snowflake, userOrMe, or, orNull, choice, list, many, moment }: SchemaParts) =>
    table({
      /** It says when the subscription began. */
      id: snowflake(),
      user: userOrMe(),
      /** Ids of what is subscribed to, and of what will be from the next renewal on; null is the same. */
      skus: many(snowflake(), 16),
      renewal_skus: orNull(many(snowflake(), 16)),
      /** Ids of the entitlements that come with it. */
      entitlements: list(snowflake(), 16),
      current_period_start: moment(),
      current_period_end: moment(),
      /** `active` will be renewed, `ending` will not, `inactive` is not paid for. */
      status: or(choice('active', 'inactive', 'ending'), 'active'),
      /** When it was cancelled. */
      canceled_at: orNull(moment()),
    }),
});

/** Something an application sells. */
export type Sku = RowOf<typeof skus>;
/** Something a user owns of an application. */
export type Entitlement = RowOf<typeof entitlements>;
/** What a user pays for over and over. */
export type Subscription = RowOf<typeof subscriptions>;
