import { defineRecord, type RowOf, type SchemaParts } from '../state/record.ts';

/** Something an application sells. */
export const skus = defineRecord({
  name: 'skus',
  noun: 'SKU',
  key: ['id'],
  indexes: { application: {} },
  schema: ({ table, snowflake, text, or, whole }: SchemaParts) =>
    table({
      id: snowflake(),
      name: text(100),
      /** 2 durable, 3 consumable, 5 subscription, 6 subscription group. */
      type: or(whole(1, 6), 2),
      application: snowflake(),
    }),
});

/** Something a user owns of an application. */
export const entitlements = defineRecord({
  name: 'entitlements',
  noun: 'entitlement',
  key: ['id'],
  references: { user: { to: 'users', gone: 'remove', orMe: true } },
  schema: ({ table, snowflake, userOrMe, or, whole, flag }: SchemaParts) =>
    table({
      id: snowflake(),
      sku: snowflake(),
      application: snowflake(),
      user: userOrMe(),
      /** 1–8; 1 is bought. */
      type: or(whole(1, 8), 1),
      deleted: flag(false),
    }),
});

/** Something an application sells. */
export type Sku = RowOf<typeof skus>;
/** Something a user owns of an application. */
export type Entitlement = RowOf<typeof entitlements>;
