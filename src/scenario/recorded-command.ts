import { messageOf } from '../base/local-error.ts';
import { lastConstantPart } from './recorded-message.ts';
import {
  ACTS_OF_USERS,
  type Arguments,
  type Known,
  type RecordedStep,
  recordedStep,
  textIn,
  userOf,
} from './recorded-step.ts';
import type { SeenInteraction } from './run.ts';
import type { Stage } from './stage.ts';

/** A command that a user may use in a channel, as `interaction.commands` lists it. */
interface Offered {
  readonly application: { readonly id: string; readonly name: string };
  readonly type: number;
  readonly name: string;
  readonly options: readonly Option[];
}

interface Option {
  readonly type: number;
  readonly name: string;
  readonly options?: readonly Option[];
}

/** Types of options: integers and numbers, switches, and what has options itself. */
const NUMBERS: readonly number[] = [4, 10];
const SWITCH = 5;
const OUTER: readonly number[] = [1, 2];

/** The arguments of a used command: its numbers and switches are no texts, and its application is named where several have it. */
export async function knownCommand(stage: Stage, args: Arguments, result: unknown): Promise<Arguments> {
  const { channel, application } = Object(result) as SeenInteraction;
  const offered = await offeredIn(stage, channel.id, args);
  const own = offered.find((one) => one.application.id === application.id);
  if (own === undefined) return args;
  const { app: _, ...rest } = args;
  return {
    ...rest,
    options: typedOptions(args, own.options),
    ...(offered.length > 1 ? { app: application.name } : {}),
  };
}

/** The step of an act that was refused; undefined where it names what a scenario cannot name. */
export async function refusedStep(
  stage: Stage,
  operation: string,
  args: Arguments,
  error: unknown,
  known: Known,
): Promise<RecordedStep | undefined> {
  if (!ACTS_OF_USERS.has(operation) || NEVER_REFUSED.includes(operation)) return undefined;
  const user = userOf(args);
  const channel = textIn(args, 'channel');
  if (user !== undefined && !known.users.has(user)) return undefined;
  if (channel !== undefined && !channel.startsWith('@') && !known.channels.has(channel)) return undefined;
  let { app: _, ...rest } = args as { readonly app?: unknown } & Arguments;
  let words = lastConstantPart(messageOf(error).replace(/^\w*: /, ''));
  if (operation === 'interaction.use') {
    const first = channel ?? (await firstChannel(stage));
    if (first === undefined) return undefined;
    rest = { ...rest, channel: first };
    const [one, other] = await offeredIn(stage, first, args);
    if (one === undefined) words = `no bot offers ${String(args['command'])}`;
    else
      rest = {
        ...rest,
        options: typedOptions(args, one.options),
        ...(other && { app: one.application.name }),
      };
  }
  const recorded = recordedStep(operation, rest, {}, known);
  if (recorded === undefined || words === '') return undefined;
  if (recorded.on !== undefined && !known.made.has(recorded.on)) return undefined;
  return { ...recorded, step: { ...recorded.step, refused: words } as RecordedStep['step'], makes: [] };
}

/** Acts whose steps can expect no refusal: they only end or show something. */
const NEVER_REFUSED: readonly string[] = ['voice.leave', 'voice.speak'];

/** Commands of the name that an act uses, in a channel. */
async function offeredIn(stage: Stage, channel: string, args: Arguments): Promise<readonly Offered[]> {
  const [typed = ''] = (textIn(args, 'command') ?? '').split(' ', 1);
  const command = typed.startsWith('/') ? typed.slice(1) : textIn(args, 'command');
  const user = textIn(args, 'user');
  const all = (await stage
    .call('interaction.commands', { channel, ...(user === undefined ? {} : { user }) })
    .catch(() => [])) as readonly Offered[];
  return all.filter(({ name, type }) => name === command && (type === 1) === typed.startsWith('/'));
}

async function firstChannel(stage: Stage): Promise<string | undefined> {
  const all = (await stage.call('channel.list', {})) as readonly {
    readonly id: string;
    readonly type: string;
  }[];
  return all.find(({ type }) => type === 'text')?.id;
}

/** The options of a use, with numbers and switches as such. */
function typedOptions(args: Arguments, declared: readonly Option[]): Readonly<Record<string, unknown>> {
  const [, ...words] = (textIn(args, 'command') ?? '').split(' ');
  let options = declared;
  for (const word of words)
    options = options.find(({ name, type }) => name === word && OUTER.includes(type))?.options ?? [];
  return Object.fromEntries(
    Object.entries((args['options'] ?? {}) as Readonly<Record<string, unknown>>).map(([key, value]) => {
      const { type = 0 } = options.find(({ name }) => name === key) ?? {};
      if (NUMBERS.includes(type) && String(Number(value)) === value) return [key, Number(value)];
      if (type === SWITCH && (value === 'true' || value === 'false')) return [key, value === 'true'];
      return [key, value];
    }),
  );
}
