import * as z from 'zod';
import { parseUrl } from '../../../platform/url.ts';
import { atMost, integer, list, maybe, moment, timestamp } from '../api/fields.ts';
import { present } from '../api/present.ts';

const url = (schemes: RegExp) =>
  atMost(2048).refine((value) => schemes.test(value) && parseUrl(value) !== undefined, {
    params: { code: 'URL_TYPE_INVALID_URL', message: 'Not a well formed URL.' },
  });
const link = () => url(/^https?:\/\//i);
const picture = () => url(/^(https?|attachment):\/\//i);

const image = z
  .object({ url: maybe(picture()) })
  .transform(({ url }) => (url === undefined ? undefined : { url }));

/** An embed as it is sent; comes out as it is kept and given back. */
const embed = z
  .object({
    title: maybe(atMost(256)),
    description: maybe(atMost(4096)),
    url: maybe(link()),
    timestamp: maybe(moment().transform(timestamp)),
    color: maybe(integer(0, 0xff_ff_ff)),
    footer: maybe(z.object({ text: atMost(2048), icon_url: maybe(picture()) })),
    image: maybe(image),
    thumbnail: maybe(image),
    author: maybe(z.object({ name: atMost(256), url: maybe(link()), icon_url: maybe(picture()) })),
    fields: maybe(
      list(
        z.object({
          name: atMost(256),
          value: atMost(1024),
          inline: maybe(z.boolean()).transform((is) => is ?? false),
        }),
        0,
        25,
      ),
    ),
  })
  .transform((sent) => ({ type: 'rich', ...present(sent) }));

/** Most characters in the embeds of one message. */
const MOST_CHARACTERS = 6000;

/** Up to ten embeds, which together are not longer than they may be. */
export const embeds = list(embed, 0, 10).refine(
  (all) => all.reduce((sum, one) => sum + lengthOf(one), 0) <= MOST_CHARACTERS,
  {
    params: {
      code: 'MAX_EMBED_SIZE_EXCEEDED',
      message: `Embed size exceeds maximum size of ${MOST_CHARACTERS}`,
    },
  },
);

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
