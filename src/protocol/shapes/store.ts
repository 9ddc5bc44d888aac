import * as z from 'zod';
import { once } from '../command.ts';

/** Something a user owns of an application. */
export const entitlement = once(() =>
  z.looseObject({
    id: z.string(),
    sku_id: z.string(),
    application_id: z.string(),
    user_id: z.string(),
    type: z.int().check(z.gte(1), z.lte(8)),
    deleted: z.boolean(),
    /** The SDK of embedded apps reads no entitlement without it. */
    gift_code_flags: z.optional(z.int()),
  }),
);

/** Something an application sells. */
export const sku = once(() =>
  z.looseObject({
    id: z.string(),
    name: z.string(),
    type: z.int(),
    application_id: z.string(),
    /** The SDK of embedded apps reads no SKU without these; the amount is in the smallest unit of the currency. */
    price: z.optional(z.object({ amount: z.number(), currency: z.string() })),
    flags: z.optional(z.int()),
    release_date: z.nullish(z.string()),
  }),
);
