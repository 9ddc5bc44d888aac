import type { TextNode } from './nodes.ts';
import { listOf, type Names, numberOf, objectOf, own, textOf, userName } from './shape.ts';

/** Types of messages that an author wrote. */
const WRITTEN: readonly number[] = [0, 19, 20, 23];

/** Whether a message has no author's text of its own. */
export function isSystemMessage(message: object): boolean {
  return !WRITTEN.includes(numberOf(message, 'type') ?? 0);
}

/** Sentence of a system message by its type: `A` is the author, `B` who is mentioned, `C` the content. */
const SENTENCES: Readonly<Record<number, string>> = {
  1: 'A added B to the group.',
  2: 'A removed B from the group.',
  3: 'A started a call.',
  4: 'A changed the channel name: C.',
  5: 'A changed the channel icon.',
  6: 'A pinned a message to this channel. See all pinned messages.',
  7: 'A joined the server.',
  8: 'A boosted the server.',
  9: 'A boosted the server. It has reached level 1.',
  10: 'A boosted the server. It has reached level 2.',
  11: 'A boosted the server. It has reached level 3.',
  12: 'A has added C to this channel. Its most important updates will show up here.',
  14: 'This server no longer qualifies for Server Discovery.',
  15: 'This server qualifies for Server Discovery again.',
  16: 'This server has failed the requirements of Server Discovery for a week.',
  17: 'This server has failed the requirements of Server Discovery for three weeks.',
  18: 'A started a thread: C. See all threads.',
  21: 'A started this thread from a message.',
  22: 'Invite people: setting up the server is easier together.',
  24: 'AutoMod has acted on a message of A.',
  25: 'A bought a role subscription.',
  26: 'A can be upgraded to a paid subscription.',
  27: 'A started the stage: C.',
  28: 'A ended the stage: C.',
  29: 'A is now a speaker.',
  31: 'A changed the stage topic: C.',
  32: 'A upgraded an application for this server.',
  36: 'A turned on security actions for this server.',
  37: 'A turned off security actions for this server.',
  38: 'A reported a raid in this server.',
  39: 'A reported a false alarm in this server.',
  44: 'A bought a product of the server.',
  46: 'The poll of A has ended.',
};

/** Types of system messages that have a sentence of their own. */
export const SYSTEM_TYPES: readonly number[] = Object.keys(SENTENCES).map(Number);

/** What a system message says; one of an unknown type names its type and its content. */
export function systemText(message: object, names: Names): readonly TextNode[] {
  const type = numberOf(message, 'type') ?? 0;
  const author = objectOf(message, 'author');
  const content = textOf(message, 'content');
  const sentence =
    own<string>(SENTENCES, String(type)) ??
    `A wrote a system message of type ${type}${content === '' ? '' : ': C'}.`;
  const [mentioned] = listOf(message, 'mentions');
  const parts: Readonly<Record<string, string>> = {
    A: userName(names, author),
    B: mentioned === undefined ? 'somebody' : userName(names, mentioned),
    C: content === '' ? 'nothing' : content,
  };
  return sentence.split(/\b([ABC])\b(?![a-z])/).flatMap((part): TextNode[] => {
    if (part === '') return [];
    const value = parts[part];
    return value === undefined
      ? [{ type: 'text', text: part }]
      : [{ type: 'strong', content: [{ type: 'text', text: value }] }];
  });
}

/** Fields of an embed by name, as system messages have them. */
function fieldsOf(embed: object | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    listOf(embed, 'fields').map((field) => [textOf(field, 'name'), textOf(field, 'value')]),
  );
}

/** Result of a poll. */
export interface PollResult {
  readonly question: string;
  /** The winner, with its emoji; undefined without votes and in a tie. */
  readonly winner: string | undefined;
  readonly votes: number;
  readonly total: number;
}

/** Result in a system message of type 46. */
export function pollResultOf(message: object): PollResult | undefined {
  const embed = listOf(message, 'embeds').find((one) => textOf(one, 'type') === 'poll_result');
  if (embed === undefined) return undefined;
  const fields = fieldsOf(embed);
  const emoji = fields['victor_answer_emoji_name'] ?? '';
  const emojiPart = fields['victor_answer_emoji_id'] === undefined ? emoji : `:${emoji}:`;
  const winner = [emojiPart, fields['victor_answer_text'] ?? ''].filter((part) => part !== '').join(' ');
  return {
    question: fields['poll_question_text'] ?? '',
    winner: fields['victor_answer_id'] === undefined ? undefined : winner,
    votes: Number(fields['victor_answer_votes'] ?? 0) || 0,
    total: Number(fields['total_votes'] ?? 0) || 0,
  };
}

/** Finding of AutoMod in a system message of type 24. */
export interface AutomodAlert {
  readonly content: string;
  readonly rule: string;
  readonly keyword: string;
  readonly channel: string;
}

export function automodAlertOf(message: object): AutomodAlert | undefined {
  const embed = listOf(message, 'embeds').find((one) => textOf(one, 'type') === 'auto_moderation_message');
  if (embed === undefined) return undefined;
  const fields = fieldsOf(embed);
  return {
    content: textOf(embed, 'description'),
    rule: fields['rule_name'] ?? '',
    keyword: fields['keyword'] ?? '',
    channel: fields['channel_id'] ?? '',
  };
}
