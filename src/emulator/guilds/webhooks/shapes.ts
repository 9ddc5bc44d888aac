import * as z from 'zod';
import { namedShape } from '../../api/fields.ts';
import { userShape } from '../../users/shapes.ts';

/** A webhook of a channel. */
export const webhookShape = namedShape('ChannelWebhook', {
  id: z.string(),
  type: z.int(),
  name: z.string(),
  avatar: z.nullable(z.string()),
  channel_id: z.nullable(z.string()),
  guild_id: z.optional(z.nullable(z.string())),
  application_id: z.nullable(z.string()),
  user: z.optional(userShape),
  token: z.optional(z.string()),
  url: z.optional(z.string()),
  source_guild: z.optional(z.object({ id: z.string(), name: z.string(), icon: z.nullable(z.string()) })),
  source_channel: z.optional(z.object({ id: z.string(), name: z.string() })),
});
