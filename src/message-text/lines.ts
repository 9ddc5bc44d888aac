import { printable } from '../base/text.ts';
import { componentLines } from './component-lines.ts';
import { areSeparators } from './components.ts';
import { commandText, excerpt } from './context.ts';
import { emojiText, indented, plainText, plainTextOf, type Reading, sizeText } from './plain.ts';
import { pollView, votesText } from './poll.ts';
import {
  type DrawnMessage,
  hasFlag,
  isTrue,
  listOf,
  type Names,
  numberOf,
  objectOf,
  textOf,
  userName,
} from './shape.ts';
import { automodAlertOf, isSystemMessage, pollResultOf, systemText } from './system.ts';
import { momentText } from './time.ts';

/** Maximum number of lines of one message; what is cut is counted. */
const MAX_LINES = 400;
/** Time zone and language of printed moments, so that a line is the same on every machine. */
const LOCALE = { language: 'en', zone: 'UTC' };

/**
 * A message as lines of plain text that are safe to display: who wrote it and when, what it says, and its parts in the
 * order in which a client draws them.
 */
export function messageLines(drawn: DrawnMessage, names: Names, now: number): readonly string[] {
  const { message, ephemeral } = drawn;
  const reading: Reading = { names, now, locale: LOCALE };
  const body = [
    ...contextLines(message, reading),
    ...contentLines(message, reading),
    ...pollLines(message, reading),
    ...reactionLines(message),
    ...threadLines(message),
    ...(ephemeral || hasFlag(message, 'ephemeral') ? ['(ephemeral: nobody else sees it)'] : []),
  ];
  const lines = [headLine(message, reading), ...body.flatMap((part) => indented(part, '  ').split('\n'))];
  const cut = lines.length - MAX_LINES;
  return [
    ...lines.slice(0, MAX_LINES).map((line) => printable(line.replaceAll('\t', ' ')).trimEnd()),
    ...(cut > 0 ? [`  … ${cut} more lines`] : []),
  ];
}

function headLine(message: object, { names }: Reading): string {
  const author = objectOf(message, 'author');
  const marks = [
    ...(isTrue(author, 'bot')
      ? [textOf(message, 'webhook_id') !== '' && textOf(message, 'application_id') === '' ? 'webhook' : 'bot']
      : []),
    ...(textOf(message, 'edited_timestamp') === '' ? [] : ['edited']),
    ...(isTrue(message, 'pinned') ? ['pinned'] : []),
    ...(isTrue(message, 'tts') ? ['spoken'] : []),
    ...(hasFlag(message, 'crosspost') ? ['followed'] : []),
  ];
  const suffix = marks.length === 0 ? '' : ` [${marks.join(', ')}]`;
  const [date = '', time = ''] = textOf(message, 'timestamp').split('T');
  return `${userName(names, author)}${suffix}  ${date} ${time.slice(0, 8)} UTC  ${textOf(message, 'id')}`;
}

/** What led to the message: the command, or the message that it replies to. */
function contextLines(message: object, reading: Reading): string[] {
  const command = commandText(message, reading.names);
  const replied = objectOf(message, 'referenced_message');
  const isReply = numberOf(message, 'type') === 19;
  return [
    ...(command === undefined ? [] : [`↳ ${command}`]),
    ...(isReply
      ? [
          replied === undefined
            ? '↳ reply to a message that was deleted'
            : `↳ reply to ${excerpt(replied, reading)}`,
        ]
      : []),
  ];
}

function contentLines(message: object, reading: Reading): string[] {
  if (isSystemMessage(message)) return systemLines(message, reading);
  const content = textOf(message, 'content');
  const components = listOf(message, 'components');
  return [
    ...(hasFlag(message, 'loading')
      ? [`${userName(reading.names, objectOf(message, 'author'))} is thinking…`]
      : []),
    ...(content === '' ? [] : [plainTextOf(content, reading)]),
    ...listOf(message, 'message_snapshots').flatMap((one) => {
      const inside = objectOf(one, 'message');
      return inside === undefined
        ? []
        : ['forwarded:', ...contentLines(inside, reading).map((line) => indented(line, '│ '))];
    }),
    ...listOf(message, 'attachments').map(fileLine),
    ...listOf(message, 'embeds').map((embed) => indented(embedLines(embed, reading).join('\n'), '│ ')),
    ...listOf(message, 'sticker_items').map((sticker) => `[sticker: ${textOf(sticker, 'name')}]`),
    ...(areSeparators(components) ? [] : componentLines(components, reading)),
  ];
}

function systemLines(message: object, reading: Reading): string[] {
  const sentence = plainText(systemText(message, reading.names), reading);
  const result = pollResultOf(message);
  const alert = automodAlertOf(message);
  return [
    `→ ${sentence}`,
    ...(result === undefined
      ? []
      : [
          `│ ${result.question}`,
          `│ ${result.winner ?? 'no winner'}: ${result.votes} of ${result.total} votes`,
        ]),
    ...(alert === undefined
      ? []
      : [
          `│ ${alert.content}`,
          `│ rule ${alert.rule}${alert.keyword === '' ? '' : `, keyword ${alert.keyword}`}`,
        ]),
    ...(numberOf(message, 'type') === 21 && objectOf(message, 'referenced_message') !== undefined
      ? [`│ ${excerpt(objectOf(message, 'referenced_message') as object, reading)}`]
      : []),
  ];
}

/** Name and size of a file in one line. */
function fileLine(file: object): string {
  const size = numberOf(file, 'size');
  const spoiler = ((numberOf(file, 'flags') ?? 0) & 8) !== 0 ? 'spoiler ' : '';
  const description = textOf(file, 'description');
  const about = description === '' ? '' : `: ${description}`;
  return `[${spoiler}file ${textOf(file, 'title') || textOf(file, 'filename') || 'without a name'}${size === undefined ? '' : `, ${sizeText(size)}`}${about}]`;
}

function embedLines(embed: object, reading: Reading): string[] {
  const url = textOf(embed, 'url');
  const author = textOf(objectOf(embed, 'author'), 'name');
  const title = textOf(embed, 'title');
  const description = textOf(embed, 'description');
  const pictures = ['image', 'thumbnail'].flatMap((name) => {
    const address = textOf(objectOf(embed, name), 'url');
    return address === '' ? [] : [`[${name}: ${address.slice(0, 200)}]`];
  });
  const footer = [
    textOf(objectOf(embed, 'footer'), 'text'),
    momentText(textOf(embed, 'timestamp'), reading.now, reading.locale),
  ];
  return [
    ...(author === '' ? [] : [author]),
    ...(title === '' ? [] : [`${plainTextOf(title, reading)}${url === '' ? '' : ` <${url.slice(0, 200)}>`}`]),
    ...(description === '' ? [] : [plainTextOf(description, reading)]),
    ...listOf(embed, 'fields', 25).map(
      (field) =>
        `${plainTextOf(textOf(field, 'name'), reading)}: ${plainTextOf(textOf(field, 'value'), reading)}`,
    ),
    ...pictures,
    ...(footer.some((part) => part !== '') ? [footer.filter((part) => part !== '').join(' · ')] : []),
  ];
}

function pollLines(message: object, reading: Reading): string[] {
  const poll = objectOf(message, 'poll');
  if (poll === undefined) return [];
  const { question, isMultiple, isOver, total, answers } = pollView(poll);
  const end = momentText(textOf(poll, 'expiry'), reading.now, reading.locale);
  return [
    `Poll: ${question}${isMultiple ? ' (several answers)' : ''}`,
    ...answers.map(
      ({ id, text, votes, isMine }) =>
        `  ${id}. ${text} – ${votesText(votes)}${isMine ? ' (with yours)' : ''}`,
    ),
    `  ${votesText(total)}, ${isOver ? 'ended' : `ends ${end}`}`,
  ];
}

function reactionLines(message: object): string[] {
  const reactions = listOf(message, 'reactions').map((one) => {
    const emoji = objectOf(one, 'emoji') ?? {};
    return `${emojiText(emoji)} ${numberOf(one, 'count') ?? 0}${isTrue(one, 'me') ? ' (with yours)' : ''}`;
  });
  return reactions.length === 0 ? [] : [`Reactions: ${reactions.join(' · ')}`];
}

function threadLines(message: object): string[] {
  const thread = objectOf(message, 'thread');
  return thread === undefined
    ? []
    : [`Thread: ${textOf(thread, 'name')}, messages: ${numberOf(thread, 'message_count') ?? 0}`];
}
