import * as z from 'zod';

const status = z.enum(['online', 'idle', 'dnd', 'offline']);

/** Presence of a user. */
export const presenceShape = z.object({
  user: z.object({ id: z.string() }),
  guild_id: z.optional(z.string()),
  status,
  client_status: z.object({
    desktop: z.optional(status),
    mobile: z.optional(status),
    web: z.optional(status),
    embedded: z.optional(status),
    vr: z.optional(status),
  }),
  activities: z.array(z.looseObject({ name: z.string(), type: z.int(), created_at: z.int() })),
});
