import * as z from 'zod';

/**
 * Text of a component or an embed. The platform sends null for many missing fields, such as the description of a
 * picture.
 */
const text = z.nullish(z.string());
/** Picture or file, with the attachment that its address names. */
const mediaShape = z.looseObject({
  id: text,
  url: z.string(),
  proxy_url: text,
  attachment_id: text,
  content_type: text,
});
const imageShape = z.optional(mediaShape.extend({ url: text }));

/** Embed of a message in a response. */
export const embedShape = z.looseObject({
  type: z.string(),
  title: text,
  description: text,
  url: text,
  timestamp: text,
  color: z.nullish(z.int()),
  footer: z.optional(z.looseObject({ text, icon_url: text })),
  image: imageShape,
  thumbnail: imageShape,
  author: z.optional(z.looseObject({ name: text, url: text, icon_url: text })),
  fields: z.optional(
    z.array(z.looseObject({ name: z.string(), value: z.string(), inline: z.nullish(z.boolean()) })),
  ),
});

const emojiShape = z.looseObject({
  id: z.nullish(z.string()),
  name: z.nullish(z.string()),
  animated: z.nullish(z.boolean()),
});

/** Component of a message or a modal in a response, including its nested components. */
export const componentShape = z
  .looseObject({
    type: z.int(),
    id: z.nullish(z.int()),
    style: z.nullish(z.int()),
    label: text,
    description: text,
    custom_id: text,
    content: text,
    url: text,
    sku_id: text,
    placeholder: text,
    value: text,
    values: z.optional(z.array(z.string())),
    min_values: z.nullish(z.int()),
    max_values: z.nullish(z.int()),
    min_length: z.nullish(z.int()),
    max_length: z.nullish(z.int()),
    accent_color: z.nullish(z.int()),
    spacing: z.nullish(z.int()),
    channel_types: z.optional(z.array(z.int())),
    emoji: z.optional(emojiShape),
    media: z.optional(mediaShape),
    file: z.optional(mediaShape),
    /** Name and size of `file`. */
    name: text,
    size: z.nullish(z.int()),
    items: z.optional(z.array(z.looseObject({ media: mediaShape, description: text }))),
    options: z.optional(
      z.array(
        z.looseObject({
          label: z.string(),
          value: z.string(),
          description: text,
          emoji: z.optional(emojiShape),
        }),
      ),
    ),
    default_values: z.optional(z.array(z.looseObject({ id: z.string(), type: z.string() }))),
    get components() {
      return z.optional(z.array(componentShape));
    },
    get accessory() {
      return z.optional(componentShape);
    },
    get component() {
      return z.optional(componentShape);
    },
  })
  .meta({ id: 'Component' });
