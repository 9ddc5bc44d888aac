import { amount } from '../base/text.ts';
import { emojiText } from './plain.ts';
import { isTrue, listOf, numberOf, objectOf, textOf } from './shape.ts';

export function votesText(count: number): string {
  return amount(count, 'vote');
}

/** A poll with its counts. */
export function pollView(poll: object) {
  const results = objectOf(poll, 'results');
  const counts = listOf(results, 'answer_counts');
  const answers = listOf(poll, 'answers', 10).map((answer) => {
    const id = numberOf(answer, 'answer_id') ?? 0;
    const counted = counts.find((one) => numberOf(one, 'id') === id);
    const media = objectOf(answer, 'poll_media');
    const emoji = objectOf(media, 'emoji');
    return {
      id,
      emoji,
      label: textOf(media, 'text'),
      text: [emoji === undefined ? '' : emojiText(emoji), textOf(media, 'text')]
        .filter((part) => part !== '')
        .join(' '),
      votes: Math.max(0, numberOf(counted, 'count') ?? 0),
      isMine: isTrue(counted, 'me_voted'),
    };
  });
  return {
    question: textOf(objectOf(poll, 'question'), 'text'),
    isMultiple: isTrue(poll, 'allow_multiselect'),
    isOver: isTrue(results, 'is_finalized'),
    total: answers.reduce((sum, { votes }) => sum + votes, 0),
    answers,
  };
}
