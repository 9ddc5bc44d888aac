import * as z from 'zod';
import { parseUrl } from '../../base/url.ts';
import {
  fault,
  filledText,
  integer,
  list,
  maybe,
  moment,
  textUpTo,
  timestamp,
  trimmedText,
} from '../api/fields.ts';
import { present } from '../api/present.ts';

const url = (isUrl: (value: string) => boolean) =>
  textUpTo(2048).refine(isUrl, fault('URL_TYPE_INVALID_URL', 'Not a well formed URL.'));
const isWebUrl = (value: string): boolean => /^https?:\/\//i.test(value) && parseUrl(value) !== undefined;
const link = () => url(isWebUrl);
/** URL of a picture, or `attachment://` with a file name of any characters. */
const picture = () => url((value) => /^attachment:\/\/./i.test(value) || isWebUrl(value));

const image = z
  .object({ url: maybe(picture()) })
  .transform(({ url }) => (url === undefined ? undefined : { url }));

/** Schema of an embed in a request; its output has the stored form. */
const embed = z
  .object({
    title: maybe(trimmedText(256)),
    description: maybe(trimmedText(4096)),
    url: maybe(link()),
    timestamp: maybe(moment().transform(timestamp)),
    color: maybe(integer(0, 0xff_ff_ff)),
    footer: maybe(z.object({ text: trimmedText(2048), icon_url: maybe(picture()) })),
    image: maybe(image),
    thumbnail: maybe(image),
    author: maybe(z.object({ name: trimmedText(256), url: maybe(link()), icon_url: maybe(picture()) })),
    fields: maybe(
      list(
        z.object({
          name: filledText(256),
          value: filledText(1024),
          inline: maybe(z.boolean()).transform((is) => is ?? false),
        }),
        0,
        25,
      ),
    ),
  })
  .transform((sent) => ({ type: 'rich', ...present(sent) }));

/** Maximum total length of all embeds of a message (characters). */
const MAX_EMBED_CHARS = 6000;

/** Up to ten embeds within the total limit; empty ones are removed. */
export const embeds = list(embed, 0, 10)
  .refine(
    (all) => all.reduce((sum, one) => sum + lengthOf(one), 0) <= MAX_EMBED_CHARS,
    fault('MAX_EMBED_SIZE_EXCEEDED', `Embed size exceeds maximum size of ${MAX_EMBED_CHARS}`),
  )
  .transform((all) => all.filter(hasVisibleContent));

/** Whether an embed has visible content. A colour, a link or a time alone is not visible content. */
function hasVisibleContent(sent: z.output<typeof embed>): boolean {
  const { title, description, footer, image, thumbnail, author, fields } = sent;
  const pictures = [image, thumbnail].some((picture) => picture !== undefined);
  return pictures || [title, description, footer?.text, author?.name, fields?.length].some(Boolean);
}

function lengthOf({ title, description, footer, author, fields }: z.output<typeof embed>): number {
  const texts = [
    title,
    description,
    footer?.text,
    author?.name,
    ...(fields ?? []).flatMap(({ name, value }) => [name, value]),
  ];
  return texts.reduce((sum, one) => sum + (one?.length ?? 0), 0);
}
