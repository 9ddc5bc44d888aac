import { RowTimers } from '../../api/row-timers.ts';
import type { Reading, World, Writing } from '../../api/world.ts';
import { mayView } from '../../guilds/channels/access.ts';
import type { EmulatorClock } from '../../kernel/clock.ts';
import { SettingError } from '../../kernel/errors.ts';
import type { Poll } from '../polls.ts';
import { MESSAGE_TYPES, type Message } from '../records.ts';
import { hasRoomForMessage, writeNotice } from '../write.ts';
import { voteKey } from './records.ts';

/** Ends polls at their expiry, by the clock of the emulator. */
export function pollTimers(world: World, clock: EmulatorClock): RowTimers<'messages'> {
  return new RowTimers(world, clock, {
    name: 'the time of polls',
    table: 'messages',
    rows: ({ messages }) => messages.by('poll', 'open'),
    due: ({ poll }) => (poll === undefined || poll.finalized ? undefined : Date.parse(poll.expiry)),
    fire: (message) => world.transaction((tables) => void endPoll(world, tables, message, clock.now())),
  });
}

/** Votes in polls. */
export class Polls {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * Sets a user's votes to the given answers, named by number or text. All other votes of the user are removed, so an
   * empty list removes all votes. Returns the numbers of the answers. @throws SettingError
   */
  vote(messageId: string, userId: string, choices: readonly string[]): readonly number[] {
    const { tables } = this.#world;
    const message = tables.messages.get(messageId);
    const poll = message?.poll;
    if (message === undefined || poll === undefined) {
      throw new SettingError('message', `there is no poll ${JSON.stringify(messageId.slice(0, 20))}`);
    }
    if (poll.finalized) throw new SettingError('message', 'the poll is over');
    const user = tables.users.get(userId);
    if (user === undefined || user.bot)
      throw new SettingError('user', 'must be a human user: bots do not vote');
    const channel = tables.channels.get(message.channel);
    if (channel !== undefined && !mayView(tables, channel, userId)) {
      throw new SettingError('user', `${user.username} cannot see the channel of the poll`);
    }
    const answers = new Set(choices.map((one) => answerOf(poll, one)));
    if (answers.size > 1 && !poll.allow_multiselect) {
      throw new SettingError('answers', 'the poll takes one answer of each');
    }
    return this.#world.transaction(({ poll_votes: votes }) => {
      for (const { id } of poll.answers) {
        const key = `${messageId} ${id} ${userId}`;
        const is = votes.has(messageId, String(id), userId);
        if (answers.has(id) && !is) votes.insert({ message: messageId, answer: id, user: userId });
        if (!answers.has(id) && is) votes.remove(key);
      }
      return [...answers];
    });
  }
}

/** The number of an answer, named by number or text. @throws SettingError */
function answerOf({ answers }: Poll, choice: string): number {
  const found =
    answers.find(({ id }) => String(id) === choice) ?? answers.find(({ text }) => text === choice);
  if (found !== undefined) return found.id;
  const known = answers.map(({ id, text, emoji }) => `${id} (${text ?? emoji})`).join(', ');
  throw new SettingError(
    'answers',
    `the poll has no answer ${JSON.stringify(choice.slice(0, 60))}, but ${known}`,
  );
}

/**
 * Ends the poll of a message at the time `now` (ms), within the current transaction, and posts the result in the
 * channel.
 */
export function endPoll(
  world: Pick<World, 'ids' | 'tables'>,
  tables: Writing,
  message: Message,
  now: number,
): Message {
  const poll = message.poll as Poll;
  const isEarly = now < Date.parse(poll.expiry);
  const over = { ...poll, finalized: true, expiry: isEarly ? new Date(now).toISOString() : poll.expiry };
  const ended = tables.messages.update(message.id, { poll: over });
  // The poll ends even when there is no room for the message with its result.
  if (!hasRoomForMessage(tables)) return ended;
  const { author, webhook, channel } = message;
  writeNotice(world, tables, now, {
    channel,
    author,
    webhook,
    type: MESSAGE_TYPES.pollResult,
    embeds: [resultOf(tables, message.id, poll)],
    about: { kind: 'poll', channel, message: message.id },
  });
  return ended;
}

/** Result of a poll, as an embed in the platform's form; a tie has no winner. */
function resultOf({ poll_votes: votes }: Reading, message: string, { question, answers }: Poll) {
  const counted = answers.map((answer) => ({
    ...answer,
    count: votes.by('answer', voteKey(message, answer.id)).size,
  }));
  const maxVotes = Math.max(...counted.map(({ count }) => count));
  const [victor, ...others] = counted.filter(({ count }) => count === maxVotes);
  const hasWon = maxVotes > 0 && others.length === 0 && victor !== undefined;
  const [, name, id] = /^(\w{2,32}):(\d{1,20})$/.exec(victor?.emoji ?? '') ?? [];
  const fields: readonly (readonly [name: string, value: string | undefined])[] = [
    ['poll_question_text', question],
    ['victor_answer_votes', String(maxVotes)],
    ['total_votes', String(counted.reduce((sum, { count }) => sum + count, 0))],
    ...(hasWon
      ? ([
          ['victor_answer_id', String(victor.id)],
          ['victor_answer_text', victor.text],
          ['victor_answer_emoji_id', id],
          ['victor_answer_emoji_name', name ?? victor.emoji],
        ] as const)
      : []),
  ];
  return {
    type: 'poll_result',
    fields: fields.flatMap(([key, value]) =>
      value === undefined ? [] : [{ name: key, value, inline: false }],
    ),
  };
}
