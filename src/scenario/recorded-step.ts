import { timeOf } from '../emulator/kernel/snowflake.ts';
import type { ScenarioAct, ScenarioChange, ScenarioStep, ScenarioTree } from './generated.ts';
import { SAVED } from './read.ts';
import type { SeenInteraction } from './run.ts';

/** Acts of users, and changes of the clock, that are steps of their own. */
const ACTS = [
  'channel.say',
  'channel.type',
  'message.edit',
  'message.delete',
  'message.react',
  'message.unreact',
  'poll.vote',
  'interaction.use',
  'interaction.click',
  'interaction.choose',
  'interaction.submit',
  'voice.join',
  'voice.leave',
  'voice.speak',
  'clock.advance',
  'clock.freeze',
  'clock.run',
  'clock.lock',
  'clock.unlock',
  'fault.add',
  'fault.remove',
] as const;

/** Other changes, which become steps with `operate`. */
const OPERATED = [
  ...['emulator.apply', 'emulator.reset', 'emulator.allow', 'clock.set', 'clock.reset', 'overlay.set'],
  ...['guild.set', 'guild.onboard', 'guild.ask-to-join', 'guild.withdraw-request', 'guild.search-index'],
  ...['event.interest', 'relationship.set', 'user.switch', 'user.log-in', 'user.log-out'],
  ...['user.ban', 'user.unban', 'user.unlink', 'user.remove-app', 'webhook.set', 'webhook.remove'],
  ...['invite.accept', 'invite.hold-job', 'invite.advance-job', 'invite.fail-job'],
  ...['lobby.join', 'lobby.leave', 'lobby.join-call', 'lobby.leave-call', 'lobby.say'],
  ...['lobby.edit-message', 'lobby.delete-message', 'activity.launch', 'activity.invite'],
  ...['subscription.start', 'subscription.set', 'subscription.renew', 'subscription.refund'],
  ...['voice.set', 'voice.mute', 'voice.deafen', 'voice.network', 'gateway.reconnect', 'gateway.cut'],
];

/** Acts after which expectations look with the eyes of their user. */
export const ACTS_OF_USERS: ReadonlySet<string> = new Set(
  ACTS.filter((name) => !/^(?:clock|fault)\.|^message\.edit$/.test(name)),
);

/** Operations that a recording makes steps of. */
export const RECORDED: readonly string[] = [...ACTS, ...OPERATED];

/** A step that is recorded; `makes` are the ids by which later steps may need it, `on` the id that it is about. */
export interface RecordedStep {
  readonly step: ScenarioStep;
  readonly makes: readonly string[];
  readonly on?: string | undefined;
}

/** Users and channels by id and by name. */
export interface Names {
  readonly users: ReadonlyMap<
    string,
    { readonly id: string; readonly username: string; readonly bot: boolean; readonly me: boolean }
  >;
  readonly channels: ReadonlyMap<string, string>;
  /** Id of the logged-in user. */
  readonly me: string | undefined;
  /** Whether `bot` names the only one. */
  readonly oneBot: boolean;
}

/** What an act may be about. */
export interface Known extends Names {
  /** Ids that recorded steps make, or state. */
  readonly made: ReadonlySet<string>;
  /** Time at which the recording began. */
  readonly begun: number;
}

/** Arguments of an operation. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A text among the arguments. */
export function textIn(args: Arguments, name: string): string | undefined {
  const value = args[name];
  return typeof value === 'string' ? value : undefined;
}

/** Who acts; undefined for the logged-in user. */
export function userOf(args: Arguments): string | undefined {
  return textIn(args, 'user') ?? textIn(args, 'author');
}

/** What must become of an interaction again; whether an answer comes at once or later is up to the bot. */
const TOLD: ReadonlySet<string> = new Set(['modal', 'premium', 'launched', 'failed']);

/** The step of an act; undefined where scenarios have none for it. */
export function recordedStep(
  operation: string,
  args: Arguments,
  result: unknown,
  known: Known,
): RecordedStep | undefined {
  const { users, channels } = known;
  const text = (name: string): string => textIn(args, name) ?? '';
  const nameOf = (user: string | undefined): { readonly as?: string } =>
    user === undefined ? {} : { as: users.get(user)?.username ?? user };
  const as = nameOf(userOf(args));
  const place = (channel: string): string => {
    if (channel.startsWith('@')) return channel;
    return channels.get(channel) ?? channel;
  };
  const made = Object(result) as Partial<SeenInteraction>;
  const ids = [made.id].filter((id) => id !== undefined);
  const becomes = TOLD.has(made.state ?? '') ? { becomes: made.state as 'failed' } : {};
  // No step sends a file.
  if (Object.keys((args['files'] ?? {}) as object).length > 0) return undefined;
  const plain = (step: ScenarioAct | ScenarioChange): RecordedStep => ({ step, makes: [] });
  const about = (on: string, step: ScenarioAct, makes: readonly string[] = []): RecordedStep => ({
    step,
    makes,
    on,
  });
  switch (operation) {
    case 'channel.say': {
      const reply = textIn(args, 'reply');
      if (reply !== undefined) return about(reply, { ...as, reply: text('text'), on: '' }, ids);
      return { step: { ...as, say: text('text'), in: place(text('channel')) }, makes: ids };
    }
    case 'channel.type':
      return plain({ ...as, type: place(text('channel')) });
    case 'message.edit':
      return about(text('id'), { edit: text('text'), on: '' });
    case 'message.delete':
      return about(text('id'), { ...as, delete: true, on: '' });
    case 'message.react':
      return about(text('message'), { ...as, react: text('emoji'), on: '' });
    case 'message.unreact':
      return about(text('message'), { ...as, unreact: text('emoji'), on: '' });
    case 'poll.vote':
      return about(text('message'), { ...as, vote: args['answers'] as readonly string[], on: '' });
    case 'interaction.use': {
      const options = args['options'] as Record<string, string> | undefined;
      const named = textIn(args, 'channel');
      const app = textIn(args, 'app');
      // A private channel is another one each time.
      const channel = named?.startsWith('@') === true ? named : (made.channel?.id ?? named);
      const target = textIn(args, 'target');
      const isUser = target !== undefined && users.has(target);
      const step: ScenarioAct = {
        ...as,
        slash: text('command'),
        ...(options === undefined || Object.keys(options).length === 0 ? {} : { options }),
        ...(channel === undefined ? {} : { in: place(channel) }),
        ...(app === undefined ? {} : { app }),
        ...(target !== undefined && isUser ? { target: users.get(target)?.username ?? target } : {}),
        ...becomes,
      };
      return target === undefined || isUser ? { step, makes: ids } : about(target, { ...step, on: '' }, ids);
    }
    case 'interaction.click':
      return about(text('message'), { ...as, click: text('button'), on: '', ...becomes }, ids);
    case 'interaction.choose': {
      const step = {
        ...as,
        choose: args['values'] as readonly string[],
        select: text('select'),
        on: '',
        ...becomes,
      };
      return about(text('message'), step, ids);
    }
    case 'interaction.submit': {
      const submit = (args['fields'] ?? {}) as Record<string, string>;
      return about(text('id'), { ...as, submit, on: '', ...becomes }, ids);
    }
    case 'voice.join':
      return plain({ ...as, join: place(text('channel')) });
    case 'voice.leave':
      return plain({ ...as, leave: true });
    case 'voice.speak':
      return plain({ ...as, speak: args['on'] === true });
    case 'clock.advance':
      return plain({ advance: text('by') });
    case 'clock.freeze':
    case 'clock.run':
    case 'clock.lock':
    case 'clock.unlock':
      return plain({ time: operation.slice('clock.'.length) as 'freeze' | 'run' | 'lock' | 'unlock' });
    case 'fault.add':
      return plain(args as ScenarioChange & { readonly fault: string });
    case 'fault.remove':
      return textIn(args, 'id') === undefined ? plain({ fault: 'none' }) : undefined;
    default:
      return isRepeatable(operation, args, known)
        ? {
            step: { operate: operation, ...(isEmpty(args) ? {} : { args }) },
            makes: ids.filter((id) => !leavesOf(args).includes(id)),
          }
        : undefined;
  }
}

/**
 * Whether an operation can be called like this again. TOML has no null, braces name what was saved, and an id that came
 * into being meanwhile is another one the next time, unless it is that of a recorded step.
 */
function isRepeatable(operation: string, args: Arguments, { made, begun }: Known): boolean {
  const values = leavesOf(args);
  if (values.includes(null)) return false;
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.some((text) => text.search(SAVED) !== -1)) return false;
  // A patch states ids, and is about nothing.
  if (operation === 'emulator.apply') return true;
  return texts.every((text) => !/^\d{17,19}$/.test(text) || made.has(text) || timeOf(text) < begun);
}

/** Ids that are there once a step was played. */
export function idsOf({ makes, step }: RecordedStep): readonly string[] {
  return 'operate' in step && step.operate === 'emulator.apply'
    ? [...makes, ...leavesOf(step.args).map(String)]
    : makes;
}

function isEmpty(args: Arguments): boolean {
  return Object.keys(args).length === 0;
}

function leavesOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}

/** The value with the names of what was saved in the place of their ids. */
function withNames(value: unknown, saved: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return saved.has(value) ? `{${saved.get(value)}}` : value;
  if (Array.isArray(value)) return value.map((one) => withNames(one, saved));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withNames(one, saved)]));
}

/** The tree, in which steps that others are about have a name. */
export function namedTree(name: string, steps: readonly RecordedStep[]): ScenarioTree {
  const saved = new Map<string, string>();
  const maker = new Map(steps.flatMap((one) => one.makes.map((id) => [id, one] as const)));
  const names = new Map<RecordedStep, string>();
  for (const { on, step } of steps) {
    const ids = 'args' in step ? leavesOf(step.args).map(String) : [on ?? ''];
    for (const id of ids) {
      const made = maker.get(id);
      if (made === undefined || saved.has(id)) continue;
      const word =
        'expect' in made.step
          ? 'answer'
          : 'slash' in made.step
            ? 'used'
            : 'say' in made.step
              ? 'said'
              : 'made';
      const own = names.get(made) ?? `${word}${names.size + 1}`;
      names.set(made, own);
      saved.set(id, own);
    }
  }
  const step = steps.map((one): ScenarioStep => {
    const save = names.get(one);
    const on = one.on === undefined ? undefined : saved.get(one.on);
    return {
      ...one.step,
      ...('args' in one.step ? { args: withNames(one.step.args, saved) } : {}),
      ...(on === undefined ? {} : { on }),
      ...(save === undefined ? {} : { save }),
    } as ScenarioStep;
  });
  return { name, step };
}
