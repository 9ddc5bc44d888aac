import * as z from 'zod';

const status = z.enum(['online', 'idle', 'dnd', 'offline']);

/**
 * Public fields of an activity, as apps and libraries send them and everyone receives them. They do not include
 * `secrets`.
 */
export const activityFields = {
  state: z.nullish(z.string()),
  details: z.nullish(z.string()),
  url: z.nullish(z.string()),
  application_id: z.nullish(z.string()),
  timestamps: z.nullish(z.looseObject({ start: z.nullish(z.number()), end: z.nullish(z.number()) })),
  party: z.nullish(z.looseObject({ id: z.nullish(z.string()), size: z.nullish(z.array(z.number())) })),
  assets: z.nullish(
    z.looseObject({
      large_image: z.nullish(z.string()),
      large_text: z.nullish(z.string()),
      small_image: z.nullish(z.string()),
      small_text: z.nullish(z.string()),
    }),
  ),
  platform: z.nullish(z.string()),
  instance: z.nullish(z.boolean()),
  flags: z.nullish(z.number()),
};

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
  activities: z.array(
    z.looseObject({ name: z.string(), type: z.int(), created_at: z.int(), ...activityFields }),
  ),
});
