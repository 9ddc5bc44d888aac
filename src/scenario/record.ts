import { HIDDEN } from '../journal/secret-names.ts';
import { proseWithoutSecrets } from '../journal/without-secrets.ts';
import { partsOf } from './acts.ts';
import type { ScenarioStep } from './generated.ts';
import { reactionsOf, textsIn } from './messages.ts';
import {
  type Arguments,
  idsOf,
  type Names,
  namedTree,
  type RecordedStep,
  recordedStep,
  textIn,
} from './recorded-step.ts';
import type { Seen } from './run.ts';
import type { Stage } from './stage.ts';
import { scenarioText } from './toml-text.ts';

/** State of a message when it was last seen. */
interface Known {
  readonly texts: readonly string[];
  readonly reactions: readonly string[];
}

/** Longest wait for a bot before the next act (`emulator.settle`). */
const SETTLE = { within: '1s' };

/** Makes a scenario of what users do, and of what bots answer, on a bridge with the emulator. */
export class Recorder {
  readonly #stage: Stage;
  readonly #steps: RecordedStep[] = [];
  readonly #left: string[] = [];
  /** Messages by id, as they were last seen. */
  readonly #known = new Map<string, Known>();
  /** Channel of each message that was seen. */
  readonly #channels = new Map<string, string>();
  /** Messages that were there before, or that a user has deleted: nothing is expected of them. */
  readonly #old = new Set<string>();
  /** Channels in which something was done, with who did it last. */
  readonly #places = new Map<string, string | undefined>();
  /** Time of the emulator's clock at the first act: ids that were made before are there when a scenario begins. */
  #begun: number | undefined;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Before an act: notes what bots have done since the one before. `channel` is where it will be, if that is known. */
  async before(operation: string, args: Arguments): Promise<void> {
    if (this.#begun === undefined) {
      const { now } = (await this.#stage.call('clock.now', {})) as { readonly now: string };
      this.#begun = Date.parse(now);
    }
    await this.#expectNew();
    const { channel } = args;
    if (typeof channel !== 'string' || operation.startsWith('voice.')) return;
    const user = textIn(args, 'user') ?? textIn(args, 'author');
    const found = await this.#view(channel, user).catch(() => undefined);
    if (found === undefined) return;
    if (!this.#places.has(found.id)) for (const { message } of found.messages) this.#old.add(message.id);
    this.#places.set(found.id, user);
  }

  /** After an act that was not refused. */
  async note(operation: string, args: Arguments, result: unknown): Promise<void> {
    const names = await this.#names();
    const made = new Set(this.#steps.flatMap(idsOf));
    const recorded = recordedStep(operation, args, result, { ...names, made, begun: this.#begun ?? 0 });
    if (recorded === undefined || (recorded.on !== undefined && !made.has(recorded.on))) {
      const why =
        recorded === undefined ? 'no step can express it' : 'it is about something older than the recording';
      this.#left.push(`Left out, for ${why}: ${operation}.`);
      return;
    }
    this.#steps.push(recorded);
    const { channel, message } = Object(result) as {
      readonly channel?: unknown;
      readonly message?: { readonly id?: unknown };
    };
    if (operation === 'message.delete') this.#old.add(String(args['id']));
    if (operation === 'channel.say') for (const id of recorded.makes) this.#known.set(id, UNSEEN);
    if (operation === 'message.react') this.#react(String(args['message']), String(args['emoji']));
    // An interaction may name no channel; its result does.
    const id = operation.startsWith('interaction.') ? textIn(Object(channel) as Arguments, 'id') : undefined;
    if (id === undefined) return;
    if (!this.#places.has(id)) {
      const { messages } = await this.#view(id, textIn(args, 'user'));
      const own = typeof message?.id === 'string' ? BigInt(message.id) : undefined;
      for (const { message: one } of messages)
        if (own === undefined || BigInt(one.id) < own) this.#old.add(one.id);
    }
    this.#places.set(id, textIn(args, 'user'));
  }

  /** Number of steps so far, without what bots have done since the last act. */
  get steps(): number {
    return this.#steps.length;
  }

  /** The scenario, as the text of a file. */
  async end(name: string): Promise<{ readonly text: string; readonly steps: number; readonly left: number }> {
    await this.#expectNew();
    const tree = namedTree(
      name,
      this.#steps.map((one) => ({ ...one, step: shareable(one.step) as ScenarioStep })),
    );
    const isHidden = JSON.stringify(tree).includes(HIDDEN);
    const remarks = isHidden ? [...this.#left, HIDDEN_REMARK] : this.#left;
    return { text: scenarioText(tree, remarks), steps: tree.step.length, left: this.#left.length };
  }

  #react(message: string, emoji: string): void {
    const { texts, reactions } = this.#known.get(message) ?? UNSEEN;
    this.#known.set(message, { texts, reactions: [...reactions, emoji] });
  }

  async #view(
    channel: string,
    user: string | undefined,
  ): Promise<{ readonly id: string; readonly messages: readonly Seen[] }> {
    const args = { channel, limit: 100, ...(user === undefined ? {} : { user }) };
    const view = (await this.#stage.call('channel.view', args)) as {
      readonly channel: { readonly id: string };
      readonly messages: readonly Seen[];
    };
    return { id: view.channel.id, messages: view.messages };
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
      oneBot: users.filter(({ bot }) => bot).length === 1,
    };
  }

  /** Expects what is new in the channels in which something was done. */
  async #expectNew(): Promise<void> {
    if (this.#steps.length === 0) return;
    await this.#stage.call('emulator.settle', SETTLE);
    const names = await this.#names();
    for (const [channel, user] of this.#places) {
      const { messages } = await this.#view(channel, user);
      const order = messages.toSorted((a, b) => (BigInt(a.message.id) < BigInt(b.message.id) ? -1 : 1));
      for (const seen of order) if (!this.#old.has(seen.message.id)) this.#expect(seen, channel, user, names);
      this.#expectDeleted(
        channel,
        order.map(({ message }) => message.id),
      );
    }
  }

  /** Expects that the messages are deleted that were seen in a channel and are not among its last ones, by ascending id. */
  #expectDeleted(channel: string, last: readonly string[]): void {
    const oldest = BigInt(last[0] ?? 0);
    for (const id of this.#known.keys()) {
      if (this.#channels.get(id) !== channel || BigInt(id) < oldest || last.includes(id)) continue;
      this.#known.delete(id);
      if (!this.#old.has(id)) this.#steps.push({ step: { expect: 'deleted', on: '' }, makes: [], on: id });
    }
  }

  #expect(seen: Seen, channel: string, user: string | undefined, names: Names): void {
    const { message, ephemeral } = seen;
    this.#channels.set(message.id, channel);
    const before = this.#known.get(message.id);
    const now = stateOf(seen);
    this.#known.set(message.id, now);
    const author = names.users.get(message.author.id);
    if (before === undefined) {
      if (author?.bot !== true) return void this.#old.add(message.id);
      const step: ScenarioStep = {
        expect: 'message',
        ...(names.channels.has(channel) ? { in: names.channels.get(channel) ?? '' } : {}),
        ...(user === undefined ? {} : { to: names.users.get(user)?.username ?? user }),
        from: names.oneBot ? 'bot' : author.username,
        ...likeness(now.texts),
        ...buttonOf(seen),
        ...(ephemeral ? { only_to: true } : {}),
      };
      this.#steps.push({ step, makes: [message.id] });
      return;
    }
    if (before !== UNSEEN && before.texts.join('\n') !== now.texts.join('\n')) {
      const fresh = now.texts.filter((text) => !before.texts.includes(text));
      const how = likeness(fresh);
      if (Object.keys(how).length > 0 && author?.bot === true)
        this.#steps.push({ step: { expect: 'message', on: '', ...how }, makes: [], on: message.id });
    }
    for (const reaction of now.reactions.filter((one) => !before.reactions.includes(one)))
      this.#steps.push({ step: { expect: 'message', on: '', reaction }, makes: [], on: message.id });
  }
}

const UNSEEN: Known = { texts: [], reactions: [] };

function stateOf({ message }: Seen): Known {
  return {
    texts: textsIn(message).filter((text) => text !== ''),
    reactions: reactionsOf(message),
  };
}

const HIDDEN_REMARK = `Tokens and other secrets are ${HIDDEN}: put in what the bot needs.`;
/** Names of options, fields and arguments whose values are secrets. Others, such as `code`, are what a bot is asked. */
const SECRET_NAME = /token|secret|passw|passphrase/i;

/** A value of a step without secrets: people commit and share the file. */
function shareable(value: unknown, isSecret = false): unknown {
  if (typeof value === 'string') return isSecret && value !== '' ? HIDDEN : proseWithoutSecrets(value);
  if (Array.isArray(value)) return value.map((one) => shareable(one, isSecret));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, shareable(one, isSecret || SECRET_NAME.test(key))]),
  );
}

/** Parts of a text that differ each time, ids and times in any form, and secrets, which the file does not have. */
const VARYING =
  /\[hidden\]|\d{15,}|<t:-?\d+(?::\w)?>|\d{4}-\d\d-\d\d(?:[T ][\d:.]+Z?)?|\d{1,2}:\d\d(?::\d\d)?|\n/;

/** The longest part of the first text that is the same each time. */
function likeness([text = '']: readonly string[]): { readonly contains?: string } {
  const [longest = ''] = proseWithoutSecrets(text)
    .split(VARYING)
    .toSorted((a, b) => b.length - a.length);
  const contains = longest.trim().slice(0, 1000);
  return contains === '' ? {} : { contains };
}

function buttonOf({ message }: Seen): { readonly button?: string } {
  const first = partsOf(message.components ?? []).find((part) => part['type'] === 2);
  const label = first?.['label'] ?? first?.['custom_id'];
  return typeof label === 'string' ? { button: label } : {};
}
