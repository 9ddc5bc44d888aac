import * as z from 'zod';
import { fault, integer, list, maybe, textUpTo } from '../../api/fields.ts';
import { present } from '../../api/present.ts';
import { executeBody, webAddress } from './execute.ts';

/**
 * Maximum length of a text (characters) and of a list (items) in this format, where the limits of an embed do not
 * apply.
 */
const MAX_TEXT_CHARS = 152_133;
const MAX_ITEMS = 1521;

const anyText = () => maybe(textUpTo(MAX_TEXT_CHARS));
const address = () => maybe(webAddress());

const attachment = z.object({
  title: anyText(),
  title_link: address(),
  text: anyText(),
  pretext: anyText(),
  color: maybe(
    textUpTo(7).refine(
      (value) => /^#(([0-9a-f]{2}){3}|[0-9a-f]{3})$/i.test(value),
      fault('STRING_TYPE_REGEX', 'String value did not match validation regex.'),
    ),
  ),
  ts: maybe(integer(0, 2 ** 40)),
  footer: anyText(),
  footer_icon: address(),
  author_name: anyText(),
  author_link: address(),
  author_icon: address(),
  image_url: address(),
  thumb_url: address(),
  fields: maybe(
    list(z.object({ name: anyText(), value: anyText(), inline: maybe(z.boolean()) }), 0, MAX_ITEMS),
  ),
});

type Attachment = z.output<typeof attachment>;

/** Reads a color; `#f80` equals `#ff8800`. */
function colorOf(color: string): number {
  const digits = color.slice(1);
  return Number.parseInt(digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits, 16);
}

function embedOf(sent: Attachment): unknown {
  const { title, title_link, text, pretext, color, ts, footer, author_name } = sent;
  const paragraphs = [pretext, text].filter((one) => one !== undefined && one !== '');
  return present({
    title,
    url: title_link,
    description: paragraphs.length === 0 ? undefined : paragraphs.join('\n'),
    color: color === undefined ? undefined : colorOf(color),
    timestamp: ts === undefined ? undefined : new Date(ts * 1000).toISOString(),
    footer: footer === undefined ? undefined : { text: footer, icon_url: sent.footer_icon },
    author:
      author_name === undefined
        ? undefined
        : { name: author_name, url: sent.author_link, icon_url: sent.author_icon },
    image: sent.image_url === undefined ? undefined : { url: sent.image_url },
    thumbnail: sent.thumb_url === undefined ? undefined : { url: sent.thumb_url },
    fields: sent.fields?.map(({ name = '', value = '', inline }) => ({ name, value, inline })),
  });
}

const message = executeBody.pick({ content: true, username: true, avatar_url: true, embeds: true });

/**
 * Schema of a message in Slack's webhook format. It transforms the message into the format of the platform's own
 * webhooks.
 */
export const slackBody = z
  .object({
    text: maybe(textUpTo(2000)),
    username: anyText(),
    icon_url: address(),
    attachments: maybe(list(attachment, 0, MAX_ITEMS)),
  })
  .transform(
    ({ text, username, icon_url, attachments }) =>
      present({
        content: text,
        username,
        avatar_url: icon_url,
        embeds: attachments?.map(embedOf),
      }) as z.input<typeof message>,
  )
  .pipe(message);
