import * as z from 'zod';
import { namedShape } from '../api/fields.ts';

/** Public view of a user. */
export const userShape = namedShape('User', {
  id: z.string(),
  username: z.string(),
  avatar: z.nullable(z.string()),
  discriminator: z.string(),
  public_flags: z.int(),
  flags: z.int(),
  global_name: z.nullable(z.string()),
  bot: z.optional(z.boolean()),
  primary_guild: z.nullable(
    z.object({
      identity_guild_id: z.nullable(z.string()),
      identity_enabled: z.nullable(z.boolean()),
      tag: z.nullable(z.string()),
      badge: z.nullable(z.string()),
    }),
  ),
});

/** A user's view of themselves. It contains the e-mail address only with the scope `email`. */
export const ownUserShape = userShape
  .extend({
    mfa_enabled: z.boolean(),
    locale: z.string(),
    premium_type: z.int(),
    email: z.optional(z.nullable(z.string())),
    verified: z.optional(z.boolean()),
  })
  .meta({ id: 'OwnUser' });
