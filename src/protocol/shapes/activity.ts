import * as z from 'zod';
import { once } from '../command.ts';

/** Lengths count UTF-16 units, as the reference client does; the schema library counts characters. */
const units = (min: number, max: number) =>
  z
    .string()
    .refine((value) => value.length >= min && value.length <= max, `must have ${min} to ${max} characters`)
    .meta({ minLength: min, maxLength: max });
const text = (max: number) => units(2, max);
const link = (max: number) => z.url().max(max);
const image = () => units(1, 313);

/** Activity as an app may set it (protocol 7.2); lengths in UTF-16 units. */
export const activity = once(() =>
  z.looseObject({
    name: units(1, 128).optional(),
    type: z.literal([0, 2, 3, 5]).optional(),
    state: text(128).nullish(),
    state_url: link(256).nullish(),
    details: text(128).nullish(),
    details_url: link(256).nullish(),
    timestamps: z
      .looseObject({ start: z.number().min(1), end: z.number().min(1) })
      .partial()
      .optional(),
    assets: z
      .looseObject({
        large_image: image(),
        large_text: text(128),
        large_url: link(256),
        small_image: image(),
        small_text: text(128),
        small_url: link(256),
        invite_cover_image: image(),
      })
      .partial()
      .optional(),
    party: z
      .looseObject({
        id: text(128),
        size: z.tuple([z.number().min(0), z.number().min(0)]),
        privacy: z.literal([0, 1]),
      })
      .partial()
      .optional(),
    secrets: z
      .looseObject({ match: text(128), join: text(128), spectate: text(128) })
      .partial()
      .optional(),
    buttons: z
      .array(z.looseObject({ label: units(1, 32), url: link(512) }))
      .min(1)
      .max(2)
      .optional(),
    instance: z.boolean().optional(),
    supported_platforms: z.array(z.string().min(1).max(32)).min(1).max(10).optional(),
    status_display_type: z.literal([0, 1, 2]).optional(),
  }),
);

/** Activity as shown to others, after the transformation of protocol 7.4. */
export const shownActivity = once(() =>
  z.looseObject({
    application_id: z.string(),
    name: z.string(),
    type: z.int(),
    metadata: z.looseObject({}),
  }),
);
