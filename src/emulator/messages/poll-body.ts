import * as z from 'zod';
import { choice, integer, list, maybe, snowflake, text, textUpTo } from '../api/fields.ts';

const MAX_DURATION_HOURS = 768;
const MAX_ANSWER_CHARS = 55;

const media = z.object({
  text: maybe(text(1, MAX_ANSWER_CHARS)),
  emoji: maybe(z.object({ id: maybe(snowflake()), name: maybe(textUpTo(32)), animated: maybe(z.boolean()) })),
});

/** A poll in a request. */
export const pollBody = z.object({
  question: z.object({ text: text(1, 300) }),
  answers: list(z.object({ poll_media: media }), 1, 10),
  /** In hours. */
  duration: maybe(integer(1, MAX_DURATION_HOURS)),
  allow_multiselect: maybe(z.boolean()),
  layout_type: maybe(choice(1)),
});
