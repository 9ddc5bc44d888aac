import * as z from 'zod';
import { once } from '../../base/once.ts';
import { isUri } from '../../base/url.ts';

/** A text with limits in UTF-16 units, which the reference client counts; the schema library counts characters. */
const units = (min: number, max: number) =>
  z.string().check(
    z.refine((value) => value.length >= min && value.length <= max, `must have ${min} to ${max} characters`),
    z.meta({ minLength: min, maxLength: max }),
  );
const text = (max: number) => units(2, max);
const link = (max: number) =>
  z
    .string()
    .check(
      z.maxLength(max, { abort: true }),
      z.refine(isUri, 'must be a valid uri'),
      z.meta({ format: 'uri', maxLength: max }),
    );
const image = () => units(1, 313);

/** Activity as an app may set it (protocol 7.2). Other keys are removed, and lengths are in UTF-16 units. */
export const activity = once(() =>
  z.object({
    name: z.optional(units(1, 128)),
    type: z.optional(z.literal([0, 2, 3, 5])),
    state: z.nullish(text(128)),
    state_url: z.nullish(link(256)),
    details: z.nullish(text(128)),
    details_url: z.nullish(link(256)),
    timestamps: z.optional(
      z.object({ start: z.number().check(z.gte(1)), end: z.number().check(z.gte(1)) }).partial(),
    ),
    assets: z.optional(
      z
        .object({
          large_image: image(),
          large_text: text(128),
          large_url: link(256),
          small_image: image(),
          small_text: text(128),
          small_url: link(256),
          invite_cover_image: image(),
        })
        .partial(),
    ),
    party: z.optional(
      z
        .object({
          id: text(128),
          size: z.tuple([z.number().check(z.gte(0)), z.number().check(z.gte(0))]),
          privacy: z.literal([0, 1]),
        })
        .partial(),
    ),
    secrets: z.optional(z.object({ match: text(128), join: text(128), spectate: text(128) }).partial()),
    buttons: z.optional(
      z.array(z.object({ label: units(1, 32), url: link(512) })).check(z.minLength(1), z.maxLength(2)),
    ),
    instance: z.optional(z.boolean()),
    supported_platforms: z.optional(
      z.array(z.string().check(z.minLength(1), z.maxLength(32))).check(z.minLength(1), z.maxLength(10)),
    ),
    status_display_type: z.optional(z.literal([0, 1, 2])),
  }),
);

/** Activity as other users see it, after the transformation of protocol 7.4. */
export const activityView = once(() =>
  z.looseObject({
    application_id: z.string(),
    name: z.string(),
    type: z.int(),
    metadata: z.looseObject({}),
  }),
);
