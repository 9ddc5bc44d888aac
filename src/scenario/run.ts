import { messageOf, systemCode } from '../base/local-error.ts';
import { didYouMean } from '../base/nearest.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { StepFailure } from './place.ts';
import { SAVED } from './read.ts';
import type { Stage } from './stage.ts';

/** A user of the emulator, as far as scenarios name it. */
interface NamedUser {
  readonly id: string;
  readonly username: string;
  readonly bot: boolean;
}

/** A message as its viewer sees it, in the form of the HTTP API. */
export interface SeenMessage {
  readonly id: string;
  readonly channel_id: string;
  readonly content: string;
  readonly author: { readonly id: string; readonly username: string };
  readonly embeds?: readonly object[];
  readonly components?: readonly object[];
  readonly reactions?: readonly { readonly emoji: { readonly id: string | null; readonly name: string } }[];
  readonly [key: string]: unknown;
}

/** The result of an interaction, as `interaction.use` and the like return it. */
export interface SeenInteraction {
  readonly id: string;
  readonly state: string;
  readonly reason?: string;
  readonly used: string;
  readonly application: { readonly id: string; readonly name: string };
  readonly channel: { readonly id: string };
  readonly message?: { readonly id: string; readonly channel_id: string };
  readonly modal?: { readonly title: string; readonly components: readonly object[] };
  readonly choices?: readonly { readonly name: string }[];
}

/** What a step has saved. */
export interface Saved {
  readonly message?: { readonly id: string; readonly channel: string };
  readonly interaction?: string;
  /** Id for `{NAME}` in the arguments of an operation. */
  readonly id?: string;
}

/** The state of the emulator, as far as ids in it have names. */
interface Named {
  readonly users?: readonly { readonly id: string; readonly username: string }[];
  readonly private_channels?: readonly { readonly id: string; readonly recipients: readonly string[] }[];
  readonly guilds?: readonly {
    readonly id: string;
    readonly name: string;
    readonly roles?: readonly { readonly id: string; readonly name: string }[];
    readonly channels?: readonly { readonly id: string; readonly name: string }[];
  }[];
}

const EPOCH = 1_420_070_400_000n;
const TIME_BITS = 22n;

/** One scenario while it is played: what it knows of the names, of what was saved, and of the traffic. */
export class Run {
  readonly #stage: Stage;
  readonly #saved = new Map<string, Saved>();
  #users: readonly NamedUser[] | undefined;
  /** Messages that acts have written, or expectations have found. */
  readonly known = new Set<string>();
  /** Messages after these ids are new for an expectation of a message, and for `none`. */
  begun = 0n;
  since = 0n;
  /** Who acted last, and where. */
  actor: string | undefined;
  channel: string | undefined;
  /** What became of the interaction of the last act; undefined where it was none. */
  became: string | undefined;
  /** Traffic since the scenario began. */
  readonly entries: JournalEntry[] = [];
  /** Entries that expectations have found. */
  readonly found = new Set<number>();
  /** Number of the last journal entry that was read. */
  #read = 0;
  /** Called at the end, latest first. */
  readonly undo: (() => Promise<unknown>)[] = [];
  readonly quiet: string;

  constructor(stage: Stage, quiet: string) {
    this.#stage = stage;
    this.quiet = quiet;
  }

  /** Calls an operation; the channel `@bot` is the private one with the only bot. @throws StepFailure that is about a field */
  async call<T>(operation: string, args: object, field?: string): Promise<T> {
    const isWithBot = 'channel' in args && args.channel === '@bot';
    const channel = isWithBot ? { channel: `@${(await this.user('bot', 'in')).username}` } : {};
    try {
      return (await this.#stage.call(operation, { ...args, ...channel })) as T;
    } catch (error) {
      throw new StepFailure(messageOf(error).replace(/^: /, ''), {}, field, systemCode(error));
    }
  }

  /** Notes where the scenario begins. What these channels have is known, also what a clock that was ahead has dated. */
  async begin(channels: readonly string[]): Promise<void> {
    await this.mark();
    this.begun = this.since;
    for (const channel of new Set(channels)) {
      const args = { channel: channelName(channel), limit: 100 };
      const read = this.call<readonly { readonly id: string }[]>('channel.read', args);
      // A step may make the channel.
      for (const { id } of await read.catch(() => [])) this.known.add(id);
    }
    this.#read = await this.#journal(0, 1).then((page) => page?.last ?? 0);
  }

  /** Lets what was written until now be nothing new for `none`. */
  async mark(): Promise<void> {
    const { now } = await this.call<{ readonly now: string }>('clock.now', {});
    this.since = (BigInt(Date.parse(now)) - EPOCH) << TIME_BITS;
  }

  /** Reads the traffic that has come since. */
  async traffic(): Promise<readonly JournalEntry[]> {
    for (;;) {
      const page = await this.#journal(this.#read, 1000);
      if (page === undefined) return this.entries;
      this.entries.push(...page.entries);
      if (page.next === this.#read || page.entries.length === 0) {
        this.#read = page.next;
        return this.entries;
      }
      this.#read = page.next;
    }
  }

  /** A part of the journal; undefined for a bridge without one. */
  async #journal(after: number, limit: number) {
    const page = this.#stage.call('journal.read', { after, limit });
    return (await page.catch(() => undefined)) as
      | { readonly entries: readonly JournalEntry[]; readonly next: number; readonly last: number }
      | undefined;
  }

  save(name: string | undefined, value: Saved): void {
    if (name !== undefined) this.#saved.set(name, value);
  }

  /** The saved message of a step. @throws StepFailure */
  message(name: string): NonNullable<Saved['message']> {
    const { message } = this.#saved.get(name) ?? {};
    if (message !== undefined) return message;
    throw new StepFailure(
      `${JSON.stringify(name)} is no message`,
      { remedy: 'Save it where a message is written or expected.' },
      'on',
    );
  }

  /** The saved interaction of a step. @throws StepFailure */
  interaction(name: string): string {
    const { interaction } = this.#saved.get(name) ?? {};
    if (interaction !== undefined) return interaction;
    throw new StepFailure(
      `${JSON.stringify(name)} is no interaction`,
      { remedy: 'Save it at the step with slash, click, choose or submit.' },
      'on',
    );
  }

  /** Names for ids: `{NAME}` for what was saved, and those of channels, users, roles and guilds. */
  async names(): Promise<ReadonlyMap<string, string>> {
    const {
      users = [],
      guilds = [],
      private_channels: direct = [],
    } = await this.call<Named>('emulator.show', {});
    const sign = (mark: string, all: readonly { readonly id: string; readonly name: string }[] = []) =>
      all.map(({ id, name }): [string, string] => [id, `${mark}${name}`]);
    const people = new Map(users.map(({ id, username }) => [id, `@${username}`]));
    return new Map([
      ...people,
      ...direct.map(({ id, recipients }): [string, string] => [
        id,
        recipients.map((one) => people.get(one) ?? one).join(' and '),
      ]),
      ...guilds.flatMap(({ roles, channels }) => [...sign('#', channels), ...sign('@', roles)]),
      ...sign('', guilds),
      ...[...this.#saved].flatMap(([name, { message, interaction, id }]) =>
        [message?.id, interaction, id].flatMap((one): [string, string][] =>
          one === undefined ? [] : [[one, `{${name}}`]],
        ),
      ),
    ]);
  }

  /** Id of a guild by name; of the only one by default. @throws StepFailure */
  async guild(name: string | undefined): Promise<string> {
    const { guilds = [] } = await this.call<Named>('emulator.show', {});
    const found = name === undefined ? guilds : guilds.filter((one) => one.name === name || one.id === name);
    const [first, second] = found;
    if (first !== undefined && second === undefined) return first.id;
    const names = guilds.map((one) => one.name);
    throw new StepFailure(
      name === undefined
        ? 'there are several guilds'
        : `there is no guild ${JSON.stringify(name)}.${didYouMean(name, names)}`,
      { remedy: `Name one of ${names.slice(0, 8).join(', ')}, with in.` },
      'in',
    );
  }

  /** A value with the ids of what was saved in the place of `{NAME}`. */
  filled(value: unknown): unknown {
    if (typeof value === 'string')
      return value.replace(SAVED, (whole, name: string) => {
        const { message, interaction, id } = this.#saved.get(name) ?? {};
        return message?.id ?? id ?? interaction ?? whole;
      });
    if (Array.isArray(value)) return value.map((one) => this.filled(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.filled(one)]));
  }

  /** A user by name; `bot` is the only bot, where no user is called that. @throws StepFailure */
  async user(name: string, field: string): Promise<NamedUser> {
    this.#users ??= await this.call<readonly NamedUser[]>('user.list', {});
    const find = (users: readonly NamedUser[]): NamedUser | undefined => {
      const found = users.find(({ username, id }) => username === name || id === name);
      if (found !== undefined || name !== 'bot') return found;
      const [bot, other] = users.filter((one) => one.bot);
      return other === undefined ? bot : undefined;
    };
    let found = find(this.#users);
    // A step may have added the user.
    if (found === undefined) {
      this.#users = await this.call<readonly NamedUser[]>('user.list', {});
      found = find(this.#users);
    }
    if (found !== undefined) return found;
    const names = this.#users.filter((one) => name !== 'bot' || one.bot).map(({ username }) => username);
    throw new StepFailure(
      name === 'bot' && names.length > 1
        ? 'several users are bots'
        : `there is no user ${JSON.stringify(name)}.${didYouMean(name, names)}`,
      { remedy: `Name one of ${names.slice(0, 8).join(', ')}.` },
      field,
    );
  }

  /** Id of the user who acts, whose eyes expectations use from now on by default; undefined for the logged-in one. */
  async acting(name: string | undefined): Promise<{ readonly user?: string }> {
    this.actor = undefined;
    if (name === undefined) return {};
    const { id } = await this.user(name, 'as');
    this.actor = id;
    return { user: id };
  }

  /** A message as a user sees it; undefined where it is not there. */
  async seen(id: string, user: string | undefined): Promise<Seen | undefined> {
    const view = this.#stage.call('message.view', { message: id, ...(user === undefined ? {} : { user }) });
    return (await view.catch(() => undefined)) as Seen | undefined;
  }

  /** What a user sees of the last messages of a channel. */
  async view(channel: string, user: string | undefined, field?: string): Promise<readonly Seen[]> {
    const args = { channel: channelName(channel), limit: 50, ...(user === undefined ? {} : { user }) };
    const { messages } = await this.call<{ readonly messages: readonly Seen[] }>('channel.view', args, field);
    return messages;
  }
}

/** A message of a channel as a user sees it. */
export interface Seen {
  readonly ephemeral: boolean;
  readonly message: SeenMessage;
}

/** Name of a channel without the sign that people write before it. */
export function channelName(text: string): string {
  return text.replace(/^#/, '');
}
