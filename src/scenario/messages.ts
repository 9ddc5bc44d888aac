import { holds } from '../base/holds.ts';
import { partsOf } from './acts.ts';
import { StepFailure } from './place.ts';
import { channelName, type Run, type Seen, type SeenMessage } from './run.ts';
import type { Expectations } from './schema.ts';
import { type Unmet, until } from './until.ts';

/** Channel and viewer of an expectation. @throws StepFailure */
export async function whereOf(
  run: Run,
  place: string | undefined,
  to: string | undefined,
): Promise<{ readonly channel: string; readonly user: string | undefined }> {
  const channel = place === undefined ? run.channel : channelName(place);
  if (channel === undefined)
    throw new StepFailure('no step has named a channel yet', { remedy: 'Say where, with in.' });
  return { channel, user: await viewerOf(run, to) };
}

/** Id of the user who sees what is expected: by default who acted last. @throws StepFailure */
async function viewerOf(run: Run, to: string | undefined): Promise<string | undefined> {
  return to === undefined ? run.actor : (await run.user(to, 'to')).id;
}

/** Messages of a channel after an id that no step knows, as a user sees them. @throws StepFailure */
export async function newMessages(
  run: Run,
  { channel, user }: { readonly channel: string; readonly user: string | undefined },
  after: bigint,
): Promise<readonly Seen[]> {
  const messages = await run.view(channel, user, 'in');
  return messages.filter(({ message }) => BigInt(message.id) > after && !run.known.has(message.id));
}

type MessageStep = Expectations['message'];

/** Waits for a message that no other step knows. @throws StepFailure */
export async function newMessage(run: Run, step: MessageStep): Promise<void> {
  const where = await whereOf(run, step.in, step.to);
  const author = step.from === undefined ? undefined : (await run.user(step.from, 'from')).id;
  await until(run, step.within, async () => {
    let fresh: readonly Seen[];
    try {
      fresh = await newMessages(run, where, run.begun);
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error;
      // The bot may still make the channel.
      return { what: `nothing came in ${step.in ?? 'there'}`, actual: error.message, field: 'in' };
    }
    const own = fresh.filter(({ message }) => author === undefined || message.author.id === author);
    const hit = own.find((seen) => differenceOf(seen, step) === undefined);
    if (hit !== undefined) {
      noteFound(run, step, hit.message);
      return undefined;
    }
    const last = own.at(-1);
    if (last !== undefined) return differenceOf(last, step);
    return {
      what: `no message came in ${step.in ?? 'there'}${step.from === undefined ? '' : ` from ${step.from}`}`,
      actual: linesOf(fresh) || (run.became === 'modal' ? 'the interaction opened a modal' : 'nothing new'),
      ...(fresh.length === 0 ? {} : { field: 'from' }),
    };
  });
}

/** Waits until a saved message is as expected. @throws StepFailure */
export async function changedMessage(run: Run, step: MessageStep, on: string): Promise<void> {
  const { id } = run.message(on);
  const user = await viewerOf(run, step.to);
  await until(run, step.within, async () => {
    const seen = await run.seen(id, user);
    if (seen === undefined)
      return { what: `${on} is not there any longer`, actual: 'no message', field: 'on' };
    const difference = differenceOf(seen, step);
    if (difference === undefined) noteFound(run, step, seen.message);
    return difference;
  });
}

/** Notes that an expectation has found a message, and saves it. */
function noteFound(run: Run, { save }: MessageStep, { id, channel_id }: SeenMessage): void {
  run.known.add(id);
  run.save(save, { message: { id, channel: channel_id }, id });
}

/** First way in which a message is not as expected. */
function differenceOf(seen: Seen, step: MessageStep): Unmet | undefined {
  const { message, ephemeral } = seen;
  const { is, contains, matches, button, disabled, reaction, only_to, with: fields } = step;
  const texts = allTextsIn(message);
  if (is !== undefined && message.content !== is)
    return {
      what: 'the message says something else',
      actual: JSON.stringify(message.content),
      expected: JSON.stringify(is),
      field: 'is',
    };
  const missing = [contains ?? []].flat().find((part) => !texts.some((text) => text.includes(part)));
  if (missing !== undefined)
    return {
      what: 'the message says something else',
      actual: quoted(texts),
      expected: `contains ${JSON.stringify(missing)}`,
      field: 'contains',
    };
  if (matches !== undefined && !texts.some((text) => new RegExp(matches, 'u').test(text)))
    return {
      what: 'the message says something else',
      actual: quoted(texts),
      expected: `matches ${matches}`,
      field: 'matches',
    };
  if (button !== undefined) {
    const wrong = wrongButton(message, button, disabled);
    if (wrong !== undefined) return wrong;
  }
  if (reaction !== undefined) {
    const names = reactionsOf(message);
    if (!names.includes(reaction))
      return {
        what: 'the message has no such reaction',
        actual: listed(names),
        expected: reaction,
        field: 'reaction',
      };
  }
  if (only_to !== undefined && ephemeral !== only_to)
    return {
      what: ephemeral ? 'only that user sees the message' : 'everyone sees the message',
      actual: `only_to = ${ephemeral}`,
      expected: `only_to = ${only_to}`,
      field: 'only_to',
    };
  if (fields !== undefined && !holds(message, fields))
    return {
      what: 'the message has other fields',
      actual: JSON.stringify(pick(message, fields)),
      expected: JSON.stringify(fields),
      field: 'with',
    };
  return undefined;
}

/** How a message lacks a button of this label, or has it in another state. */
function wrongButton(message: SeenMessage, button: string, disabled: boolean | undefined): Unmet | undefined {
  const all = buttonsOf(message);
  const own = all.filter(({ label }) => label === button);
  if (own.length === 0)
    return {
      what: 'the message has no such button',
      actual: listed(all.map(({ label }) => label)),
      expected: button,
      field: 'button',
    };
  if (disabled === undefined || own.some(({ isDisabled }) => isDisabled === disabled)) return undefined;
  return {
    what: `the button ${JSON.stringify(button)} is ${disabled ? 'not ' : ''}disabled`,
    actual: `disabled = ${!disabled}`,
    expected: `disabled = ${disabled}`,
    field: 'disabled',
  };
}

/** The fields of a message that others have as well, for a report. */
function pick(message: SeenMessage, fields: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.keys(fields).map((key) => [key, message[key]]));
}

const TEXT_FIELDS: ReadonlySet<string> = new Set([
  'content',
  'title',
  'description',
  'name',
  'value',
  'label',
  'text',
  'placeholder',
]);

/** Texts in embeds and components, in their order. */
export function textsOf(parts: readonly object[]): readonly string[] {
  return parts.flatMap((part) =>
    Object.entries(part).flatMap(([key, value]): readonly string[] => {
      if (typeof value === 'string') return TEXT_FIELDS.has(key) && value !== '' ? [value] : [];
      if (Array.isArray(value))
        return textsOf(value.filter((one) => typeof one === 'object' && one !== null));
      return typeof value === 'object' && value !== null ? textsOf([value]) : [];
    }),
  );
}

/** Content of a message, which may be empty, and the texts of its embeds and components. */
function textsIn({ content, embeds = [], components = [] }: SeenMessage): readonly string[] {
  return [content, ...textsOf([...embeds, ...components])];
}

/** The same, and the texts of its poll. */
export function allTextsIn(message: SeenMessage): readonly string[] {
  return [...textsIn(message), ...textsOf([Object(message['poll'])])];
}

/** The buttons of a message, by their labels, or custom ids where they have none. */
export function buttonsOf({
  components = [],
}: SeenMessage): readonly { readonly label: string; readonly isDisabled: boolean }[] {
  return partsOf(components).flatMap((part) =>
    part['type'] === 2
      ? [{ label: String(part['label'] ?? part['custom_id']), isDisabled: part['disabled'] === true }]
      : [],
  );
}

/** Emojis of the reactions to a message, as steps name them: the character, or NAME:ID. */
export function reactionsOf({ reactions = [] }: SeenMessage): readonly string[] {
  return reactions.map(({ emoji }) => (emoji.id === null ? emoji.name : `${emoji.name}:${emoji.id}`));
}

/** Texts for a report, one a line. */
export function quoted(texts: readonly string[]): string {
  return (
    texts
      .filter((text) => text !== '')
      .map((text) => JSON.stringify(text))
      .join('\n') || 'no text'
  );
}

/** A message in one line. */
export function lineOf({ message }: Seen): string {
  const [first = message.content] = textsIn(message).filter((text) => text !== '');
  return `${message.author.username}: ${JSON.stringify(first)}`;
}

/** Messages, one a line; the same ones in a row are one line with their number. */
export function linesOf(all: readonly Seen[]): string {
  const lines = all.map(lineOf);
  return lines
    .flatMap((line, index) => {
      if (line === lines[index - 1]) return [];
      const end = lines.findIndex((other, at) => at > index && other !== line);
      const times = (end === -1 ? lines.length : end) - index;
      return [times === 1 ? line : `${line} (${times} times)`];
    })
    .join('\n');
}

/** Names without repetitions, the last ten. */
export function listed(names: readonly string[]): string {
  return [...new Set(names)].slice(-10).join(', ') || 'nothing';
}
