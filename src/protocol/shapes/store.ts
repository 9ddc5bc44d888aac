import * as z from 'zod';
import { once } from '../../base/once.ts';

/** A user's entitlement to an item of an application. */
export const entitlement = once(() =>
  z.looseObject({
    id: z.string(),
    sku_id: z.string(),
    application_id: z.string(),
    user_id: z.string(),
    type: z.int().check(z.gte(1), z.lte(8)),
    deleted: z.boolean(),
    /** The SDK of embedded apps rejects an entitlement without this field. */
    gift_code_flags: z.optional(z.int()),
  }),
);

/** An item that an application sells. */
export const sku = once(() =>
  z.looseObject({
    id: z.string(),
    name: z.string(),
    type: z.int(),
    application_id: z.string(),
    /**
     * The SDK of embedded apps rejects an SKU without these fields. The amount is in the smallest unit of the currency.
     */
    price: z.optional(z.object({ amount: z.number(), currency: z.string() })),
    flags: z.optional(z.int()),
    release_date: z.nullish(z.string()),
  }),
);
