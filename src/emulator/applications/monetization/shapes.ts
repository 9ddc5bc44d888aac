import * as z from 'zod';
import { namedShape } from '../../api/fields.ts';

/** An entitlement of a user or a guild. */
export const entitlementShape = namedShape('Entitlement', {
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
});

/** A SKU of an application. */
export const skuShape = namedShape('Sku', {
  id: z.string(),
  type: z.int(),
  application_id: z.string(),
  name: z.string(),
  slug: z.string(),
  flags: z.int(),
});

/** A subscription of a user. */
export const subscriptionShape = namedShape('Subscription', {
  id: z.string(),
  user_id: z.string(),
  sku_ids: z.array(z.string()),
  renewal_sku_ids: z.nullable(z.array(z.string())),
  entitlement_ids: z.array(z.string()),
  current_period_start: z.string(),
  current_period_end: z.string(),
  status: z.int(),
  canceled_at: z.nullable(z.string()),
});
