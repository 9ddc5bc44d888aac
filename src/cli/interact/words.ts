import { LocalError } from '../../base/local-error.ts';
import { printable, printableLines } from '../../base/text.ts';
import { componentLines } from './components.ts';
import { fieldLines, fieldNames } from './fields.ts';
import { type Acting, commandLine } from './quoted.ts';
import type { ShownEmbed, ShownInteraction, ShownMessage } from './shown.ts';

/**
 * Result of an interaction for the user; its last lines are the possible next commands. Throws `LocalError`
 * FOOTBRIDGE_INTERACTION if the application did not answer.
 */
export function interactionText(shown: ShownInteraction, as: string | undefined): string {
  const failure = failureOf(shown);
  if (failure !== undefined) throw failure;
  return printableLines(`${[headOf(shown), ...answerLines(shown, { as })].join('\n')}\n`);
}

/** Error for an interaction without an answer; undefined for an answered one. */
export function failureOf({
  application,
  used,
  state,
  reason,
  id,
}: ShownInteraction): LocalError | undefined {
  const what = printable(`${application.name} did not answer ${used}`);
  if (state === 'failed') {
    const why = printable(reason ?? 'the reason is unknown');
    return new LocalError(
      'FOOTBRIDGE_INTERACTION',
      `${what}: ${why}. See that it runs, listens, and answers within 3 seconds.`,
    );
  }
  if (state !== 'waiting') return undefined;
  return new LocalError(
    'FOOTBRIDGE_INTERACTION',
    `${what} yet: the clock of the emulator is frozen or slow, so that its 3 seconds are not over. Check again with: footbridge emulator interactions ${id}`,
  );
}

/** One line of a list. */
export function interactionLine(shown: ShownInteraction): string {
  return printable(`${shown.id}  ${headOf(shown)} ${stateWords(shown)}`);
}

const VERBS: Readonly<Record<ShownInteraction['type'], string>> = {
  command: 'used',
  component: 'used',
  autocomplete: 'is writing',
  modal: 'submitted',
};

function headOf({ type, user, used, channel, application }: ShownInteraction): string {
  const where = channel.name === null ? 'in private' : `in #${channel.name}`;
  return `${user.username} ${VERBS[type]} ${used} of ${application.name} ${where}:`;
}

function stateWords({ state, message, is_update, reason, user }: ShownInteraction): string {
  const forOne = message?.ephemeral === true ? `, for ${user.username} alone` : '';
  switch (state) {
    case 'answered':
      if (message === undefined) return 'answered; the answer is deleted';
      return is_update === true
        ? `changed message ${message.id}`
        : `answered with message ${message.id}${forOne}`;
    case 'deferred':
      return is_update === true ? 'will change the message' : `is thinking${forOne}`;
    case 'modal':
      return 'opened a modal';
    case 'choices':
      return 'offers values';
    case 'premium':
      return 'wants something to be bought';
    case 'launched':
      return 'launched its activity';
    case 'failed':
      return `failed, ${reason ?? ''}`;
    default:
      return 'has no answer yet';
  }
}

function answerLines(shown: ShownInteraction, acting: Acting): readonly string[] {
  const { state, id, message, is_update, application, follow_ups, user } = shown;
  const name = application.name;
  const further = follow_ups.flatMap((one) => [
    `${name} wrote besides${forWhom(one, user.username)}:`,
    ...messageLines(one, acting),
  ]);
  const look = `See it later with: footbridge emulator interactions ${id}`;
  switch (state) {
    case 'deferred':
      return [
        is_update === true ? `${name} has seen it, and will change the message.` : `${name} is thinking.`,
        look,
        ...further,
      ];
    case 'answered': {
      if (message === undefined) return [`${name} answered, and deleted the answer.`, ...further];
      const did = is_update === true ? 'changed the message' : `answered${forWhom(message, user.username)}`;
      return [`${name} ${did}:`, ...messageLines(message, acting), ...further];
    }
    case 'modal':
      return [
        `${name} opened a modal: ${shown.modal?.title ?? ''}`,
        ...fieldLines(shown.modal?.components ?? []).map(indented),
        `Submit it with: ${submitCommand(shown, acting)}`,
      ];
    case 'choices':
      return choiceLines(shown);
    case 'premium':
      return [`${name} says that this has to be bought first.`];
    case 'launched':
      return [`${name} launched its activity${shown.instance === undefined ? '' : `, ${shown.instance}`}.`];
    default:
      return [stateWords(shown)];
  }
}

function forWhom({ ephemeral }: ShownMessage, username: string): string {
  return ephemeral ? `, for ${username} alone` : '';
}

function choiceLines({ choices = [], application }: ShownInteraction): readonly string[] {
  if (choices.length === 0) return [`${application.name} offers nothing.`];
  return choices.map(({ name, value }) => indented(name === String(value) ? name : `${name}  ${value}`));
}

function submitCommand({ id, modal }: ShownInteraction, acting: Acting): string {
  const names = fieldNames(modal?.components ?? []);
  return commandLine('submit', acting, [id, ...names.map((field) => `${field}=…`)]);
}

function messageLines(message: ShownMessage, acting: Acting): readonly string[] {
  const { id, content, embeds = [], attachments = [], components = [], poll } = message;
  return [
    ...(content === '' ? [] : content.split('\n')),
    ...embeds.flatMap(embedLines),
    ...attachments.map(({ filename, size, url }) => `[file] ${filename}, ${size} bytes: ${url}`),
    ...(poll === undefined ? [] : [`[poll] ${poll.question?.text ?? ''}`]),
    ...componentLines(components, id, acting),
    `(message ${id})`,
  ].map(indented);
}

function embedLines({ title, description, url, author, footer, image, fields = [] }: ShownEmbed): string[] {
  const said = [
    author?.name,
    title,
    url,
    ...(description?.split('\n') ?? []),
    ...fields.map(({ name, value }) => `${name}: ${value}`),
    image?.url,
    footer?.text,
  ];
  return said.flatMap((line) => (line === undefined ? [] : [`| ${line}`]));
}

function indented(line: string): string {
  return `  ${line}`;
}
