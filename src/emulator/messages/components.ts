import * as z from 'zod';
import { choice, fault, integer, list, maybe, set, snowflake, text, textUpTo } from '../api/fields.ts';
import { misplaced } from './misplaced-component.ts';

// Schemas of a message's components in a request. The output has their stored form: with defaults, without null.

const id = maybe(integer(0, 2 ** 31 - 1));
const customId = () => text(1, 100);
const off = () => maybe(z.boolean()).transform((is) => is ?? false);
const emoji = maybe(
  z.object({ id: maybe(snowflake()), name: maybe(textUpTo(32)), animated: maybe(z.boolean()) }),
);

const media = z.object({
  url: textUpTo(2048).refine(
    (value) => /^(https?|attachment):\/\//i.test(value),
    fault('URL_TYPE_INVALID_URL', 'Not a well formed URL.'),
  ),
});

const button = z.object({
  type: z.literal(2),
  id,
  style: choice(1, 2, 3, 4, 5, 6),
  label: maybe(textUpTo(80)),
  custom_id: maybe(customId()),
  url: maybe(textUpTo(512)),
  sku_id: maybe(snowflake()),
  emoji,
  disabled: maybe(z.boolean()),
});

const selects = {
  id,
  custom_id: customId(),
  placeholder: maybe(textUpTo(150)),
  min_values: maybe(integer(0, 25)).transform((min) => min ?? 1),
  max_values: maybe(integer(1, 25)).transform((max) => max ?? 1),
  disabled: maybe(z.boolean()),
  /** Used in modals only. */
  required: maybe(z.boolean()).transform(() => undefined),
};
const option = z.object({
  label: text(1, 100),
  value: text(1, 100),
  description: maybe(textUpTo(100)),
  emoji,
  default: maybe(z.boolean()),
});
const defaults = maybe(list(z.object({ id: snowflake(), type: choice('user', 'role', 'channel') }), 0, 25));
const select = [
  z.object({ type: z.literal(3), ...selects, options: list(option, 1, 25) }),
  z.object({ type: z.literal(5), ...selects, default_values: defaults }),
  z.object({ type: z.literal(6), ...selects, default_values: defaults }),
  z.object({ type: z.literal(7), ...selects, default_values: defaults }),
  z.object({
    type: z.literal(8),
    ...selects,
    default_values: defaults,
    channel_types: maybe(set(integer(0, 16), 0, 20)),
  }),
] as const;

const textDisplay = z.object({ type: z.literal(10), id, content: text(1, 4000) });
const thumbnail = z.object({
  type: z.literal(11),
  id,
  media,
  description: maybe(text(1, 1024)).transform((value) => value ?? null),
  spoiler: off(),
});
const row = z.object({
  type: z.literal(1),
  id,
  components: list(
    z.discriminatedUnion('type', [
      button,
      ...select,
      misplaced(1, 4, 9, 10, 11, 12, 13, 14, 17, 18, 19, 21, 22, 23),
    ]),
    1,
    5,
  ),
});
const section = z.object({
  type: z.literal(9),
  id,
  components: list(textDisplay, 1, 3),
  accessory: z.discriminatedUnion('type', [button, thumbnail]),
});
const gallery = z.object({
  type: z.literal(12),
  id,
  items: list(
    z.object({
      media,
      description: maybe(text(1, 1024)).transform((value) => value ?? null),
      spoiler: off(),
    }),
    1,
    10,
  ),
});
/** A file component may only show files of its own message. */
const attached = z.object({
  url: textUpTo(2048).refine(
    (value) => /^attachment:\/\/./i.test(value),
    fault('URL_TYPE_INVALID_SCHEME', "Scheme must be one of ('attachment',)."),
  ),
});
const file = z.object({ type: z.literal(13), id, file: attached, spoiler: off() });
const separator = z.object({
  type: z.literal(14),
  id,
  spacing: maybe(choice(1, 2)).transform((value) => value ?? 1),
  divider: maybe(z.boolean()).transform((is) => is ?? true),
});
const inContainer = [row, section, textDisplay, gallery, file, separator] as const;
const container = z.object({
  type: z.literal(17),
  id,
  accent_color: maybe(integer(0, 0xff_ff_ff)).transform((color) => color ?? null),
  spoiler: off(),
  components: list(
    z.discriminatedUnion('type', [
      ...inContainer,
      misplaced(2, 3, 4, 5, 6, 7, 8, 11, 17, 18, 19, 21, 22, 23),
    ]),
    1,
    40,
  ),
});

/** The components of a message. */
export const components = list(
  z.discriminatedUnion('type', [
    ...inContainer,
    container,
    misplaced(2, 3, 4, 5, 6, 7, 8, 11, 18, 19, 21, 22, 23),
  ]),
  0,
  40,
);
