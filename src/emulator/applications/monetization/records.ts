import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** A product of an application. */
export const skus = defineRecord({
  name: 'skus',
  noun: 'SKU',
  about: 'what an application sells: `type` is 2 durable, 3 consumable, 5 subscription',
  key: ['id'],
  indexes: { application: {} },
  schema: ({ table, snowflake, text, or, whole, count }: SchemaParts) =>
    table({
      id: snowflake(),
      name: text(100),
      /** SKU type: 2 durable, 3 consumable, 5 subscription, 6 subscription group. */
      type: or(whole(1, 6), 2),
      application: snowflake(),
      /** Flag bits: 4 for sale, 128 a guild subscription, 256 a user subscription. */
      flags: or(count(2 ** 31 - 1), 4),
    }),
});

/** A user's right to a product, or a guild's right that a user has bought for it. */
export const entitlements = defineRecord({
  name: 'entitlements',
  noun: 'entitlement',
  about: 'what a user, or a `guild` through a user, owns of it, from `starts_at` to `ends_at`',
  key: ['id'],
  // Pages are ordered by id.
  indexes: { application: { order: 'key' } },
  references: {
    user: { to: 'users', onRemoval: 'remove', defaultsToMe: true },
    guild: { to: 'guilds', onRemoval: 'remove' },
  },
  schema: ({ table, snowflake, userOrMe, or, orNull, whole, flag, moment }: SchemaParts) =>
    table({
      id: snowflake(),
      sku: snowflake(),
      application: snowflake(),
      user: userOrMe(),
      /** Id of the guild whose members all have the right; null if only the user has it. */
      guild: orNull(snowflake()),
      /** Entitlement type, 1–8: 1 bought, 4 bought in a test, 8 part of a subscription. */
      type: or(whole(1, 8), 1),
      deleted: flag(false),
      /** True if the application granted it as a test entitlement, which the application may also revoke. */
      test: flag(false),
      /** Whether a consumable was used up. */
      consumed: flag(false),
      /** Start and end, in ISO 8601; null for no limit. */
      starts_at: orNull(moment()),
      ends_at: orNull(moment()),
    }),
});

/** A recurring payment of a user. */
export const subscriptions = defineRecord({
  name: 'subscriptions',
  noun: 'subscription',
  about: 'what a user pays for over and over: `status` is active, ending or inactive',
  key: ['id'],
  indexes: { skus: { order: 'key' } },
  references: {
    user: { to: 'users', onRemoval: 'remove', defaultsToMe: true },
    entitlements: { to: 'entitlements', onRemoval: 'null' },
  },
  schema: ({ table, snowflake, userOrMe, or, orNull, choice, list, many, moment }: SchemaParts) =>
    table({
      /** The id, which contains the start time of the subscription. */
      id: snowflake(),
      user: userOrMe(),
      /**
       * Ids of the subscribed SKUs (`skus`), and of the SKUs from the next renewal on (`renewal_skus`; null for no
       * change).
       */
      skus: many(snowflake(), 16),
      renewal_skus: orNull(many(snowflake(), 16)),
      /** Ids of the included entitlements. */
      entitlements: list(snowflake(), 16),
      current_period_start: moment(),
      current_period_end: moment(),
      /** Status: `active` is renewed at the end of the period, `ending` is not renewed, `inactive` is not paid for. */
      status: or(choice('active', 'inactive', 'ending'), 'active'),
      /** Time of the cancellation. */
      canceled_at: orNull(moment()),
    }),
});

/** A product of an application. */
export type Sku = RowOf<typeof skus>;
/** A user's right to a product of an application. */
export type Entitlement = RowOf<typeof entitlements>;
/** A recurring payment of a user. */
export type Subscription = RowOf<typeof subscriptions>;
