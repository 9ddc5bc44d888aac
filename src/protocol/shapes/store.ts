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
  }),
);

/** Something an application sells. */
export const sku = once(() =>
  z.looseObject({ id: z.string(), name: z.string(), type: z.int(), application_id: z.string() }),
);
