import * as z from 'zod';

/** An entitlement of a user or a guild. */
export const entitlementShape = z
  .object({
    id: z.string(),
    sku_id: z.string(),
    application_id: z.string(),
    user_id: z.string(),
    guild_id: z.optional(z.string()),
    type: z.int(),
    deleted: z.boolean(),
    consumed: z.boolean(),
    starts_at: z.nullable(z.string()),
    ends_at: z.nullable(z.string()),
  })
  .meta({ id: 'Entitlement' });

/** A SKU of an application. */
export const skuShape = z
  .object({
    id: z.string(),
    type: z.int(),
    application_id: z.string(),
    name: z.string(),
    slug: z.string(),
    flags: z.int(),
  })
  .meta({ id: 'Sku' });

/** A subscription of a user. */
export const subscriptionShape = z
  .object({
    id: z.string(),
    user_id: z.string(),
    sku_ids: z.array(z.string()),
    renewal_sku_ids: z.nullable(z.array(z.string())),
    entitlement_ids: z.array(z.string()),
    current_period_start: z.string(),
    current_period_end: z.string(),
    status: z.int(),
    canceled_at: z.nullable(z.string()),
  })
  .meta({ id: 'Subscription' });
