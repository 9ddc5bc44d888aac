import { LocalError } from '../../base/local-error.ts';
import { printable, printableLines } from '../../base/text.ts';
import { componentLines } from './components.ts';
import { fieldLines, fieldNames } from './fields.ts';
import { type Acting, commandLine } from './quoted.ts';
import type { EmbedView, InteractionView, MessageView } from './views.ts';

/**
 * Result of an interaction for the user; its last lines are the possible next commands. Throws `LocalError`
 * FOOTBRIDGE_INTERACTION if the application did not answer.
 */
export function interactionText(interaction: InteractionView, as: string | undefined): string {
  const failure = failureOf(interaction);
  if (failure !== undefined) throw failure;
  return printableLines(`${[headOf(interaction), ...answerLines(interaction, { as })].join('\n')}\n`);
}

/** Error for an interaction that the application did not answer; undefined for an answered interaction. */
export function failureOf({ application, used, state, reason, id }: InteractionView): LocalError | undefined {
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
export function interactionLine(interaction: InteractionView): string {
  return printable(`${interaction.id}  ${headOf(interaction)} ${stateText(interaction)}`);
}

const VERBS: Readonly<Record<InteractionView['type'], string>> = {
  command: 'used',
  component: 'used',
  autocomplete: 'is writing',
  modal: 'submitted',
};

function headOf({ type, user, used, channel, application }: InteractionView): string {
  const where = channel.name === null ? 'in private' : `in #${channel.name}`;
  return `${user.username} ${VERBS[type]} ${used} of ${application.name} ${where}:`;
}

function stateText({ state, message, is_update, reason, user }: InteractionView): string {
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

function answerLines(interaction: InteractionView, acting: Acting): readonly string[] {
  const { state, id, message, is_update, application, follow_ups, user } = interaction;
  const name = application.name;
  const further = follow_ups.flatMap((one) => [
    `${name} wrote besides${forWhom(one, user.username)}:`,
    ...messageLines(one, acting),
  ]);
  const hint = `See it later with: footbridge emulator interactions ${id}`;
  switch (state) {
    case 'deferred':
      return [
        is_update === true ? `${name} has seen it, and will change the message.` : `${name} is thinking.`,
        hint,
        ...further,
      ];
    case 'answered': {
      if (message === undefined) return [`${name} answered, and deleted the answer.`, ...further];
      const did = is_update === true ? 'changed the message' : `answered${forWhom(message, user.username)}`;
      return [`${name} ${did}:`, ...messageLines(message, acting), ...further];
    }
    case 'modal':
      return [
        `${name} opened a modal: ${interaction.modal?.title ?? ''}`,
        ...fieldLines(interaction.modal?.components ?? []).map(indented),
        `Submit it with: ${submitCommand(interaction, acting)}`,
      ];
    case 'choices':
      return choiceLines(interaction);
    case 'premium':
      return [`${name} says that this has to be bought first.`];
    case 'launched':
      return [
        `${name} launched its activity${interaction.instance === undefined ? '' : `, ${interaction.instance}`}.`,
      ];
    default:
      return [stateText(interaction)];
  }
}

function forWhom({ ephemeral }: MessageView, username: string): string {
  return ephemeral ? `, for ${username} alone` : '';
}

function choiceLines({ choices = [], application }: InteractionView): readonly string[] {
  if (choices.length === 0) return [`${application.name} offers nothing.`];
  return choices.map(({ name, value }) => indented(name === String(value) ? name : `${name}  ${value}`));
}

function submitCommand({ id, modal }: InteractionView, acting: Acting): string {
  const names = fieldNames(modal?.components ?? []);
  return commandLine('submit', acting, [id, ...names.map((field) => `${field}=…`)]);
}

function messageLines(message: MessageView, acting: Acting): readonly string[] {
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

function embedLines({ title, description, url, author, footer, image, fields = [] }: EmbedView): string[] {
  const lines = [
    author?.name,
    title,
    url,
    ...(description?.split('\n') ?? []),
    ...fields.map(({ name, value }) => `${name}: ${value}`),
    image?.url,
    footer?.text,
  ];
  return lines.flatMap((line) => (line === undefined ? [] : [`| ${line}`]));
}

function indented(line: string): string {
  return `  ${line}`;
}
