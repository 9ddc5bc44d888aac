import { timeOf } from '../emulator/kernel/snowflake.ts';
import { HIDDEN } from '../journal/secret-names.ts';
import { knownCommand, refusedStep } from './recorded-command.ts';
import { expectedOf, type Look, type LookFields, lookOf, UNSEEN } from './recorded-message.ts';
import { HIDDEN_REMARK, shareable } from './recorded-secrets.ts';
import {
  ACTS_OF_USERS,
  type Arguments,
  idsOf,
  type Names,
  namedTree,
  type RecordedStep,
  recordedStep,
  type Known as StepFacts,
  textIn,
  userOf,
} from './recorded-step.ts';
import type { Seen } from './run.ts';
import type { Stage } from './stage.ts';
import { scenarioText } from './toml-text.ts';

/** A message that was seen. */
interface Known {
  readonly look: Look;
  readonly channel: string;
  /** Ids of users who have seen it. */
  readonly viewers: readonly string[];
}

/** A channel in which something was done. */
interface Place {
  /** How steps name it; undefined where only its id names it. */
  readonly name: string | undefined;
  /** Ids of users who have acted there, the last one first. */
  readonly viewers: readonly string[];
}

/** What one user sees of a channel. */
interface View {
  readonly channel: { readonly id: string };
  readonly viewer: { readonly id: string };
  readonly messages: readonly Seen[];
}

/** A recorded scenario. */
export interface RecordedScenario {
  /** The text of a file. */
  readonly text: string;
  readonly steps: number;
  /** Number of the steps that expect something. */
  readonly expectations: number;
  /** Number of what no step can express. */
  readonly left: number;
}

/** Longest wait for a bot before the next act (`emulator.settle`). */
const SETTLE = { within: '5s' };
/** Messages of a channel that are looked at. */
const LIMIT = 100;
/** A reaction that took longer than this gets a time of its own; one that took longer than the other cannot be waited for (ms). */
const QUICK_MS = 1000;
const MAX_MS = 8000;

/** Makes a scenario of what users do, and of what bots answer, on a bridge with the emulator. */
export class Recorder {
  readonly #stage: Stage;
  readonly #steps: RecordedStep[] = [];
  readonly #left: string[] = [];
  readonly #known = new Map<string, Known>();
  /** Messages that were there before, that a user has deleted, or that answer what is no step: nothing is expected of them. */
  readonly #old = new Set<string>();
  readonly #places = new Map<string, Place>();
  /** Who acted last: whose eyes an expectation uses that names nobody. */
  #actor: string | undefined;
  /** Time of the emulator's clock at the first act: ids that were made before are there when a scenario begins. */
  #begun: number | undefined;
  /** Time of the emulator's clock after the last act. */
  #acted = 0;
  /** Whether the last act is a step, so that what bots do can be expected. */
  #isExpected = false;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Before an act: notes what bots have done since the one before. */
  async before(operation: string, args: Arguments): Promise<void> {
    const isFirst = this.#begun === undefined;
    this.#begun ??= await this.#now();
    await this.#enterUnseen(args);
    await this.#expectNew();
    const { channel } = args;
    if (typeof channel !== 'string' || operation.startsWith('voice.')) return;
    const view = await this.#view(channel, userOf(args));
    if (view === undefined) return;
    // A clock that was ahead may have dated them later.
    if (isFirst) for (const { message } of view.messages) this.#old.add(message.id);
    this.#enter(view, channel);
  }

  /** After an act that was not refused. */
  async note(operation: string, args: Arguments, result: unknown): Promise<void> {
    const names = await this.#names();
    const known = this.#knownBy(names);
    const more = operation === 'interaction.use' ? await knownCommand(this.#stage, args, result) : args;
    const recorded = recordedStep(operation, more, result, known);
    this.#acted = await this.#now();
    const isStep = recorded !== undefined && (recorded.on === undefined || known.made.has(recorded.on));
    this.#isExpected = isStep;
    if (operation === 'message.delete') this.#old.add(String(args['id']));
    if (operation === 'message.react') this.#react(String(args['message']), String(args['emoji']));
    if (isStep) this.#add(operation, args, recorded, names);
    else
      this.#leave(
        operation,
        recorded === undefined ? 'no step can express it' : 'it is about something older than the recording',
      );
    const { channel } = Object(result) as { readonly channel?: unknown };
    if (operation === 'channel.say') {
      const { id } = Object(result) as { readonly id?: string };
      const viewers = this.#places.get(String(channel))?.viewers ?? [];
      if (id !== undefined) this.#known.set(id, { look: UNSEEN, channel: String(channel), viewers });
    }
    // An interaction may name no channel; its result does.
    const id = operation.startsWith('interaction.') ? textIn(Object(channel) as Arguments, 'id') : undefined;
    const view = id === undefined ? undefined : await this.#view(id, userOf(args));
    if (view !== undefined) this.#enter(view, textIn(args, 'channel'));
  }

  /** After an act that was refused: what the platform must not let a user do is a step as well. */
  async refuse(operation: string, args: Arguments, error: unknown): Promise<void> {
    const names = await this.#names();
    const known = this.#knownBy(names);
    const refused = await refusedStep(this.#stage, operation, args, error, known);
    if (refused === undefined) return this.#leave(operation, 'it was refused');
    this.#add(operation, args, refused, names);
  }

  /** Number of steps so far, without what bots have done since the last act. */
  get steps(): number {
    return this.#steps.length;
  }

  /** The scenario, with the path of a fixture as the file names it. */
  async end(name: string, fixture?: string): Promise<RecordedScenario> {
    await this.#expectNew();
    const steps = this.#steps.map((one) => ({ ...one, step: shareable(one.step) }));
    const tree = namedTree(name, steps);
    const isHidden = JSON.stringify(tree).includes(HIDDEN);
    const remarks = isHidden ? [...this.#left, HIDDEN_REMARK] : this.#left;
    return {
      text: scenarioText(tree, remarks, fixture),
      steps: tree.step.length,
      expectations: tree.step.filter((step) => 'expect' in step).length,
      left: this.#left.length,
    };
  }

  #add(operation: string, args: Arguments, step: RecordedStep, { users, me }: Names): void {
    this.#steps.push(step);
    if (!ACTS_OF_USERS.has(operation)) return;
    const user = userOf(args);
    this.#actor = user === undefined ? me : (users.get(user)?.id ?? user);
  }

  /** What the next step may be about. */
  #knownBy(names: Names): StepFacts {
    return { ...names, made: new Set(this.#steps.flatMap(idsOf)), begun: this.#begun ?? 0 };
  }

  #leave(operation: string, why: string): void {
    this.#left.push(`Left out, for ${why}: ${operation}.`);
  }

  #react(message: string, emoji: string): void {
    const known = this.#known.get(message);
    if (known === undefined) return;
    const { look } = known;
    this.#known.set(message, { ...known, look: { ...look, reactions: [...look.reactions, emoji] } });
  }

  async #now(): Promise<number> {
    return Date.parse(((await this.#stage.call('clock.now', {})) as { readonly now: string }).now);
  }

  /** What a user sees of a channel; undefined where the user sees none. */
  async #view(channel: string, user: string | undefined): Promise<View | undefined> {
    const args = { channel, limit: LIMIT, ...(user === undefined ? {} : { user }) };
    return (await this.#stage.call('channel.view', args).catch(() => undefined)) as View | undefined;
  }

  /** Notes that a user has acted in a channel, which the act may have named by the other end of a private one. */
  #enter({ channel: { id }, viewer }: View, named: string | undefined): void {
    const { name, viewers = [] } = this.#places.get(id) ?? {};
    this.#places.set(id, {
      name: named?.startsWith('@') === true ? named : name,
      viewers: [viewer.id, ...viewers.filter((one) => one !== viewer.id)],
    });
  }

  /** A message that nobody has seen may be in a channel in which nobody has acted yet. */
  async #enterUnseen(args: Arguments): Promise<void> {
    const message = textIn(args, 'message') ?? textIn(args, 'id') ?? textIn(args, 'target') ?? '';
    if (!/^\d{17,19}$/.test(message) || this.#known.has(message)) return;
    const user = userOf(args);
    const seen = (await this.#stage
      .call('message.view', { message, ...(user === undefined ? {} : { user }) })
      .catch(() => undefined)) as
      | (Seen & Pick<View, 'viewer' | 'channel'> & { readonly channel: { readonly guild_id: string | null } })
      | undefined;
    if (seen === undefined) return;
    const isPrivate = seen.channel.guild_id === null && seen.message.author.id !== seen.viewer.id;
    this.#enter({ ...seen, messages: [] }, isPrivate ? `@${seen.message.author.username}` : undefined);
  }

  async #names(): Promise<Names> {
    const [users, channels] = (await Promise.all([
      this.#stage.call('user.list', {}),
      this.#stage.call('channel.list', {}),
    ])) as [
      readonly {
        readonly id: string;
        readonly username: string;
        readonly bot: boolean;
        readonly me: boolean;
      }[],
      readonly { readonly id: string; readonly name: string }[],
    ];
    const count = (name: string): number => channels.filter((one) => one.name === name).length;
    return {
      users: new Map(users.flatMap((one) => [[one.id, one] as const, [one.username, one] as const])),
      // A name that several channels have means none of them.
      channels: new Map(
        channels.flatMap(({ id, name }) =>
          count(name) === 1 ? [[id, `#${name}`] as const, [name, `#${name}`] as const] : [[id, id] as const],
        ),
      ),
      me: users.find(({ me }) => me)?.id,
      oneBot: users.filter(({ bot }) => bot).length === 1,
    };
  }

  /** Expects what is new in the channels in which something was done, as all see it who have acted there. */
  async #expectNew(): Promise<void> {
    if (this.#places.size === 0) return;
    await this.#stage.call('emulator.settle', SETTLE);
    const names = await this.#names();
    for (const [channel, { viewers }] of this.#places) {
      const views = (await Promise.all(viewers.map((user) => this.#view(channel, user)))).filter(
        (view) => view !== undefined,
      );
      const seen = new Map<string, { readonly seen: Seen; readonly viewers: string[] }>();
      for (const { viewer, messages } of views)
        for (const one of messages) {
          const same = seen.get(one.message.id);
          if (same === undefined) seen.set(one.message.id, { seen: one, viewers: [viewer.id] });
          else same.viewers.push(viewer.id);
        }
      for (const one of [...seen.values()].toSorted((a, b) => order(a.seen.message.id, b.seen.message.id)))
        if (!this.#isOld(one.seen.message.id)) this.#expect(one.seen, one.viewers, channel, names);
      this.#expectDeleted(channel, views, names);
    }
  }

  #isOld(id: string): boolean {
    return this.#old.has(id) || timeOf(id) < (this.#begun ?? 0);
  }

  /** Expects that the messages are deleted that a user has seen in a channel, and that are not among its last ones. */
  #expectDeleted(channel: string, views: readonly View[], names: Names): void {
    for (const [id, known] of this.#known) {
      if (
        known.channel !== channel ||
        views.some(({ messages }) => messages.some((one) => one.message.id === id))
      )
        continue;
      const viewer = views.find(
        (view) =>
          known.viewers.includes(view.viewer.id) &&
          (view.messages.length < LIMIT || BigInt(id) > BigInt(view.messages[0]?.message.id ?? 0)),
      )?.viewer.id;
      if (viewer === undefined) continue;
      this.#known.delete(id);
      if (this.#old.has(id) || !this.#isExpected) continue;
      const to = known.viewers.includes(this.#actor ?? '') ? {} : { to: nameOf(viewer, names) };
      this.#steps.push({ step: { expect: 'deleted', on: '', ...to }, makes: [], on: id });
    }
  }

  #expect({ message, ...more }: Seen, viewers: readonly string[], channel: string, names: Names): void {
    const seen = { message, ...more };
    const known = this.#known.get(message.id);
    const look = lookOf(seen);
    this.#known.set(message.id, { look, channel, viewers });
    const author = names.users.get(message.author.id);
    if (known === undefined && (author?.bot !== true || !this.#isExpected))
      return void this.#old.add(message.id);
    if (!this.#isExpected) return;
    const isConstant = (id: string): boolean =>
      (names.users.has(id) || names.channels.has(id)) && timeOf(id) < (this.#begun ?? 0);
    const isBySaid = known?.look === UNSEEN;
    const fields =
      isBySaid || author?.bot !== true ? [] : expectedOf(look, known?.look ?? UNSEEN, isConstant);
    const reactions = look.reactions
      .filter((one) => known?.look.reactions.includes(one) !== true)
      .map((reaction): LookFields => ({ reaction }));
    const edited = message['edited_timestamp'];
    const came =
      known === undefined ? timeOf(message.id) : typeof edited === 'string' ? Date.parse(edited) : 0;
    const took = came - this.#acted;
    if (took > MAX_MS && fields.length > 0) {
      this.#old.add(message.id);
      return this.#leave(
        `a message of ${author?.username ?? ''}`,
        `it came ${Math.round(took / 1000)} s after the act, longer than an expectation waits`,
      );
    }
    const within = took > QUICK_MS ? { within: `${2 * Math.ceil(took / 1000)}s` } : {};
    const viewer = viewers.includes(this.#actor ?? '') ? this.#actor : viewers[0];
    const about = (one: LookFields, shared: LookFields): void => {
      const to = viewer === this.#actor ? {} : { to: nameOf(viewer, names) };
      const step = { expect: 'message', on: '', ...to, ...one, ...shared } as const;
      this.#steps.push({ step, makes: [], on: message.id });
    };
    if (known !== undefined) {
      for (const one of fields) about(one, within);
      for (const one of reactions) about(one, {});
      return;
    }
    const place = names.channels.get(channel) ?? this.#places.get(channel)?.name;
    const [first = {}, ...others] = fields;
    const step = {
      expect: 'message',
      ...(place === undefined ? {} : { in: place }),
      ...(viewer === this.#actor && viewer === names.me ? {} : { to: nameOf(viewer, names) }),
      from: names.oneBot ? 'bot' : (author?.username ?? ''),
      ...first,
      ...(more.ephemeral ? { only_to: true } : {}),
      ...within,
    } as const;
    this.#steps.push({ step, makes: [message.id] });
    for (const one of [...others, ...reactions]) about(one, {});
  }
}

function nameOf(user: string | undefined, { users }: Names): string {
  return users.get(user ?? '')?.username ?? user ?? '';
}

function order(a: string, b: string): number {
  return BigInt(a) < BigInt(b) ? -1 : 1;
}
