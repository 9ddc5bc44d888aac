import type * as z from 'zod';
import { ApiError, invalidForm } from '../api/api-error.ts';
import { timestamp } from '../api/fields.ts';
import { present } from '../api/present.ts';
import type { Reading } from '../api/world.ts';
import { isUnicodeEmoji } from '../guilds/emoji/emoji-text.ts';
import { reactionEmoji } from './emoji-answer.ts';
import type { UsableEmoji } from './emoji-use.ts';
import type { pollBody } from './poll-body.ts';
import { voteKey } from './polls/records.ts';
import type { Message } from './records.ts';
import type { pollShape } from './shapes.ts';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

/** A poll in its stored form. */
export type Poll = NonNullable<Message['poll']>;

/** A new poll that starts at the time `now` (ms). @throws ApiError 50035 for an empty answer, 520004. */
export function pollOf(sent: z.output<typeof pollBody>, usable: UsableEmoji, now: number): Poll {
  const { question, answers, duration = DAY_HOURS, allow_multiselect } = sent;
  const faults = answers.flatMap(({ poll_media }, index) =>
    poll_media.text === undefined && poll_media.emoji === undefined
      ? [
          {
            path: ['poll', 'answers', index, 'poll_media'],
            code: 'BASE_TYPE_REQUIRED',
            message: 'This field is required',
          },
        ]
      : [],
  );
  if (faults.length > 0) throw invalidForm(faults);
  return {
    question: question.text,
    answers: answers.map(({ poll_media: { text: answerText, emoji } }, index) =>
      present({ id: index + 1, text: answerText, emoji: emoji && emojiText(usable, emoji) }),
    ) as Poll['answers'],
    expiry: new Date(now + duration * HOUR_MS).toISOString(),
    allow_multiselect: allow_multiselect ?? false,
    finalized: false,
  };
}

function emojiText(
  usable: UsableEmoji,
  { id, name }: { readonly id?: string | undefined; readonly name?: string | undefined },
): string {
  if (id === undefined && name !== undefined && isUnicodeEmoji(name)) return name;
  const own = id === undefined ? undefined : usable(id);
  if (own !== undefined) return `${own.name}:${own.id}`;
  throw new ApiError('CannotUseAnEmojiIncludedWithThePoll');
}

/** The poll of a message with its current results, as one user sees it. */
export function pollAnswer(
  { poll_votes: votes }: Reading,
  message: string,
  { question, answers, expiry, allow_multiselect, finalized }: Poll,
  userId: string | undefined,
): z.output<typeof pollShape> {
  return {
    question: { text: question },
    answers: answers.map(({ id, text: answerText, emoji }) => ({
      answer_id: id,
      poll_media: {
        ...(answerText === undefined ? {} : { text: answerText }),
        ...(emoji === undefined ? {} : { emoji: reactionEmoji(emoji) }),
      },
    })),
    expiry: timestamp(Date.parse(expiry)),
    allow_multiselect,
    layout_type: 1,
    results: {
      is_finalized: finalized,
      answer_counts: answers.map(({ id }) => ({
        id,
        count: votes.by('answer', voteKey(message, id)).size,
        me_voted: userId !== undefined && votes.has(message, String(id), userId),
      })),
    },
  };
}
