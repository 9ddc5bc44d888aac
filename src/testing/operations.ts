import type { EntryKind } from '../journal/entry.ts';
import type { FaultPlace } from './faults.ts';
import type { PlayedInteraction } from './played.ts';

type None = Readonly<Record<never, never>>;
/** An application, a user or a channel, by id or exact name. */
type Name = string;

/** What a person gives for options and fields, by their names. */
type Values = Readonly<Record<string, string | number | boolean | readonly string[]>>;
/** Files for options and fields, by their names; `data` in base64. */
type Files = Readonly<Record<string, SentFile | readonly SentFile[]>>;
interface SentFile {
  readonly filename: string;
  readonly content_type?: string;
  readonly data: string;
}

/** A command that somebody uses. */
interface Used {
  readonly app: Name;
  readonly command: string;
  readonly options?: Values;
  readonly user?: Name;
  readonly channel?: Name;
}

/** The operations of the emulator and what each takes, as `footbridge emulator …` and the console call them. */
export interface Operations {
  readonly summary: None;
  readonly 'requests.list': None;
  readonly 'requests.approve': { readonly id: string; readonly always?: boolean };
  readonly 'requests.deny': { readonly id: string };
  readonly 'grants.list': None;
  readonly 'grants.revoke': { readonly id: string };
  readonly 'link.ask': { readonly app: Name };
  readonly 'guild.set': { readonly id: string; readonly field: 'name' | 'icon'; readonly value: string };
  /** `fault` is as the command line has it, such as `delay=200`. Answers the fault with its `id`. */
  readonly 'fault.add': FaultPlace & { readonly fault: string };
  readonly 'fault.list': None;
  /** Without an id all; answers `{removed}`, the ids. */
  readonly 'fault.remove': { readonly id?: string };
  /** Answers `{entries, next, dropped, last}`; `wait` is how long to wait for something after `after` (ms). */
  readonly 'journal.read': {
    readonly after?: number;
    readonly limit?: number;
    readonly session?: string;
    readonly kinds?: readonly EntryKind[];
    readonly wait?: number;
  };
  readonly 'emulator.show': { readonly format?: 'json' | 'toml' };
  /** Answers `[{what, times}]`. */
  readonly 'emulator.missing': None;
  /** The patch is written as a fixture is. */
  readonly 'emulator.apply': { readonly patch: Readonly<Record<string, unknown>> };
  /** Answers a one-time address that signs a browser in. */
  readonly 'sign-in': None;
  /** Answers `{issuer, id_token}`, to be shown as an external identity of the type OIDC. */
  readonly 'id-token': {
    readonly app: Name;
    readonly subject: string;
    readonly name?: string;
    readonly nonce?: string;
  };
  /** `events` are names such as `APPLICATION_DEAUTHORIZED`; left out, all. Answers once the address has proved itself. */
  readonly 'webhook.set': { readonly app: Name; readonly url: string; readonly events?: readonly string[] };
  readonly 'webhook.remove': { readonly app: Name };
  readonly 'webhook.redeliver': { readonly id: string };
  /** Answers the sessions of bots and games at the gateway, oldest first. */
  readonly 'gateway.sessions': None;
  /** Asks the clients of an application to reconnect (opcode 7); answers `{application, asked}`, how many. */
  readonly 'gateway.reconnect': { readonly app: Name };
  /** Cuts the lines of an application without a word; answers `{application, cut}`, how many. Its sessions can be resumed. */
  readonly 'gateway.cut': { readonly app: Name };
  /** Answers every delivery with its attempts. */
  readonly 'webhooks.list': None;
  readonly 'emulator.reset': None;
  /** Answers `{state}`, a text for `emulator.import` or a file for `fixture`. */
  readonly 'emulator.export': None;
  readonly 'emulator.import': { readonly state: string };
  readonly 'clock.now': None;
  /** ISO 8601. */
  readonly 'clock.set': { readonly to: string };
  /** Such as `2h`, `1d12h` or `500ms`. */
  readonly 'clock.advance': { readonly by: string };
  readonly 'clock.freeze': None;
  readonly 'clock.run': None;
  readonly 'clock.reset': None;
  /** Keys such as `mute` and `input.volume`. */
  readonly 'voice.set': { readonly key: string; readonly value: string | number | boolean };
  readonly 'voice.join': { readonly user: Name; readonly channel: Name };
  readonly 'voice.leave': { readonly user: Name };
  readonly 'voice.speak': { readonly user: Name; readonly on: boolean };
  readonly 'voice.network': { readonly state: 'drop' | 'restore' };
  readonly 'channel.say': { readonly channel: Name; readonly text: string; readonly author?: Name };
  /**
   * How far the index is that messages of a guild are searched by: `not_indexed` until somebody searches; `indexing`, with so
   * many documents done, until another state is chosen; `ready`.
   */
  readonly 'guild.search-index': {
    readonly id: string;
    readonly state: 'not_indexed' | 'indexing' | 'ready';
    readonly documents?: number;
  };
  /** `id` is that of an event of a guild; `exception` that of one time of it. */
  readonly 'event.interest': {
    readonly id: string;
    readonly user: Name;
    readonly on: boolean;
    readonly exception?: string;
  };
  readonly 'message.edit': { readonly id: string; readonly text: string };
  readonly 'message.delete': { readonly id: string };
  /** Answers `{guild, user, options, roles}`, by ids. */
  readonly 'guild.onboard': {
    readonly guild: string;
    readonly user: Name;
    readonly options: readonly string[];
  };
  /** Answers of a poll by number or text, instead of those before; none takes the vote back. */
  readonly 'poll.vote': {
    readonly message: string;
    readonly answers: readonly string[];
    readonly user?: Name;
  };
  /**
   * `command` is `/tide`, `/berth book` with its subcommand, or the name of a command for users or messages, used on `target`.
   * The channel is the first that both the user and the application see, unless given. `wait` is how many seconds of the
   * machine an answer that is put off may take. This and those below answer what became of it; see {@link PlayedInteraction}.
   */
  readonly 'interaction.use': Used & {
    readonly files?: Files;
    /** A user or a message. */
    readonly target?: Name;
    readonly wait?: number;
  };
  /** What is offered for an option that is being written; `options` has what stands in it, and in the others. */
  readonly 'interaction.autocomplete': Used & { readonly option: string };
  /** By its custom id or label. */
  readonly 'interaction.click': {
    readonly message: string;
    readonly button: string;
    readonly user?: Name;
    readonly wait?: number;
  };
  /** By its custom id; `values` of its options, or ids or names of users, roles and channels. */
  readonly 'interaction.choose': {
    readonly message: string;
    readonly select: string;
    readonly values: readonly string[];
    readonly user?: Name;
    readonly wait?: number;
  };
  /** `id` is that of the interaction that opened the modal; `fields` by their custom ids. What is left out keeps what stands there. */
  readonly 'interaction.submit': {
    readonly id: string;
    readonly fields?: Values;
    readonly files?: Files;
    readonly user?: Name;
    readonly wait?: number;
  };
  /** How it is now. */
  readonly 'interaction.show': { readonly id: string };
  /** The newest 50, oldest first. */
  readonly 'interaction.list': None;
  /**
   * Answers `{application, instance, channel, users, address}`: the page to open in a browser, good once, and null for another
   * than the logged-in user. Without a channel it is where they talk, or the first they see.
   */
  readonly 'activity.launch': { readonly app: Name; readonly channel?: Name; readonly user?: Name };
  readonly 'activity.leave': { readonly instance: string; readonly user?: Name };
  /** Answers the lobby behind the secret, which is made when there is none. */
  readonly 'lobby.join': { readonly app: Name; readonly secret: string; readonly user: Name };
  readonly 'lobby.leave': { readonly lobby: string; readonly user: Name };
  /** The user has to be in the lobby. Answers the voice state; no voice is carried. */
  readonly 'lobby.join-call': {
    readonly lobby: string;
    readonly user: Name;
    readonly mute?: boolean;
    readonly deaf?: boolean;
  };
  readonly 'lobby.leave-call': { readonly lobby: string; readonly user: Name };
  /** The user has to be in the lobby. Answers the message. */
  readonly 'lobby.say': { readonly lobby: string; readonly user: Name; readonly text: string };
  readonly 'lobby.edit-message': { readonly id: string; readonly text: string };
  readonly 'lobby.delete-message': { readonly id: string };
  /** Answers `{user, code, guild, joined}`; `joined` is false for a member. */
  readonly 'invite.accept': { readonly user: Name; readonly code: string };
  /** These answer the job: `{code, state, total, processed, error}`; `state` is null where there is none yet. */
  readonly 'invite.hold-job': { readonly code: string };
  readonly 'invite.advance-job': { readonly code: string; readonly users: number };
  readonly 'invite.fail-job': { readonly code: string; readonly error: string };
  /** Ids of the SKU and the guild. All of these answer the subscription, as the fixture has it. */
  readonly 'subscription.start': { readonly user: Name; readonly sku: string; readonly guild?: string };
  readonly 'subscription.set': {
    readonly id: string;
    readonly status: 'active' | 'ending' | 'inactive';
  };
  readonly 'subscription.renew': { readonly id: string };
  readonly 'subscription.refund': { readonly id: string };
  readonly 'relationship.set': {
    readonly user: Name;
    readonly status: 'online' | 'idle' | 'dnd' | 'offline' | 'none';
    readonly type?: 'friend' | 'blocked' | 'incoming' | 'outgoing' | 'implicit';
  };
  readonly 'user.switch': { readonly id: Name };
  readonly 'user.log-in': { readonly id?: Name };
  readonly 'user.log-out': None;
  /** `until` in ISO 8601, for good unless given. Answers which applications lost their tokens. */
  readonly 'user.ban': { readonly user: Name; readonly until?: string };
  readonly 'user.unban': { readonly user: Name };
  readonly 'user.unlink': { readonly user: Name; readonly app: Name };
  readonly 'user.remove-app': { readonly user: Name; readonly app: Name };
  readonly 'overlay.set': { readonly pid: number; readonly enabled?: boolean; readonly locked?: boolean };
  readonly 'activity.doubts': None;
  readonly 'activity.request-join': { readonly user: Name; readonly app: Name };
  readonly 'activity.invite': { readonly user: Name; readonly app: Name };
  readonly 'activity.join': { readonly app: Name; readonly secret?: string };
  readonly 'activity.spectate': { readonly app: Name; readonly secret?: string };
  readonly 'origins.list': None;
  readonly 'origins.add': OriginChange;
  readonly 'origins.remove': OriginChange;
}

/** A session at the gateway; `seq` is that of its last event, and one that is `cut` waits to be resumed. */
interface GatewaySession {
  readonly application: string;
  readonly user: string;
  readonly shard: readonly [id: number, count: number];
  readonly intents: number;
  readonly seq: number;
  readonly state: 'connected' | 'cut';
}

/** What operations answer, where that is told. */
interface Answers {
  readonly 'gateway.sessions': readonly GatewaySession[];
  readonly 'interaction.use': PlayedInteraction;
  readonly 'interaction.autocomplete': PlayedInteraction;
  readonly 'interaction.click': PlayedInteraction;
  readonly 'interaction.choose': PlayedInteraction;
  readonly 'interaction.submit': PlayedInteraction;
  readonly 'interaction.show': PlayedInteraction;
  readonly 'interaction.list': readonly PlayedInteraction[];
}

/** What an operation answers. */
export type AnswerOf<Name extends keyof Operations> = Name extends keyof Answers ? Answers[Name] : unknown;

/** Pages of an origin that may speak for an application, or a preset by its name. */
type OriginChange = { readonly clientId: string; readonly origin: string } | { readonly preset: string };

/** The arguments of an operation, which may be left out where all of them may. */
export type ArgumentsOf<Name extends keyof Operations> = None extends Operations[Name]
  ? readonly [args?: Operations[Name]]
  : readonly [args: Operations[Name]];
