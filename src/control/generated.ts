// Generated from the declarations of the operations: `npm run gen` writes it. Do not edit.
// biome-ignore-all format: one line an operation is easier to search
import type { JournalEntry } from '../journal/entry.ts';

/** Arguments of an operation without any. */
export type NoArgs = Readonly<Record<never, never>>;

/** A message that an application answered with, as whoever used it sees it: `ephemeral` where nobody else does. */
export interface PlayedMessage {
  id: string;
  channel_id: string;
  content: string;
  flags: number;
  embeds: Record<string, unknown>[];
  components: Record<string, unknown>[];
  attachments: { id: string; filename: string; url: string; [key: string]: unknown }[];
  ephemeral: boolean;
  [key: string]: unknown;
}

/** An interaction with its current result. Private channels have no name. `used` is a command such as `/berth book`, or the custom id of a component or a modal. `state`: `deferred`: the final answer or edit is still to come; `failed`: no answer within 3 seconds of the clock, or no usable one, with the `reason`; `waiting`: no answer yet, because the clock stands still. `message` is the written message or, with `is_update`, the edited message of the component; absent where it was deleted. `modal` is the opened modal: `interaction.submit` with the id of this interaction submits it. `instance` is the id of the launched activity. `follow_ups` are the follow-up messages of the application, oldest first. */
export interface PlayedInteraction {
  id: string;
  type: 'command' | 'component' | 'autocomplete' | 'modal';
  application: { id: string; name: string };
  user: { id: string; username: string };
  channel: { id: string; name: string | null };
  used: string;
  state: 'waiting' | 'deferred' | 'answered' | 'modal' | 'choices' | 'premium' | 'launched' | 'failed';
  reason?: string;
  message?: PlayedMessage;
  is_update?: boolean;
  modal?: { custom_id: string; title: string; components: Record<string, unknown>[] };
  choices?: { name: string; value: string | number }[];
  instance?: string;
  follow_ups: PlayedMessage[];
}

/** Arguments and result of every operation, as `footbridge emulator …` and the console call them. */
export interface Operations {
  /** Requests that wait for the user. */
  'requests.list': { args: NoArgs; result: ({ id: string; clientId: string; applicationName: string; requestedAt: number; expiresAt: number; expiresIn: number; kind: 'authorization'; userId: string; scopes: { name: string; description: string }[]; peer: { pid?: number; program?: string; sessionId?: string; transport: string; entrance?: string; verified: false } } | { id: string; clientId: string; applicationName: string; requestedAt: number; expiresAt: number; expiresIn: number; kind: 'command'; cmd: string; what: string; details: string[]; pid: number | null; entrance?: string })[] };
  /** The last 100 requests that no longer wait and revocations, and who decided. `wishes` are the requested scopes, or the command; `by` is who decided, or why nobody did; `revokedAt` is when a revocation ended it. Ends with the bridge. */
  'requests.history': { args: NoArgs; result: { id: string; kind: 'authorization' | 'command'; clientId: string; applicationName: string; wishes: string[]; program: string | null; pid: number | null; entrance: string | null; outcome: 'allowed' | 'denied' | 'timed-out' | 'withdrawn' | 'revoked'; always: boolean; by: string | null; where: 'control' | 'console' | 'terminal' | 'notification' | null; revokedAt: number | null; requestedAt: number; endedAt: number }[] };
  /** Allow a waiting request. `always` stores the answer for the next request. */
  'requests.approve': { args: { id: string; always?: boolean }; result: { id: string; answer: 'allow' | 'deny'; applicationName: string | null; stored: boolean; reason?: string } };
  /** Deny a waiting request. */
  'requests.deny': { args: { id: string }; result: { id: string; answer: 'allow' | 'deny'; applicationName: string | null } };
  /** Revoke all that the user allowed an application: deletes its grants and tokens, ends its sessions. The result lists what was removed with it, and whether a restart restores it. */
  'grants.revoke': { args: { id: string }; result: { revoked: string; stored: boolean; reason?: string; comesBack?: boolean; userId: string; username: string | null; clientId: string; applicationName: string | null; otherGrants: string[]; tokens: number; sessions: number } };
  /** Ask an application to start linking (AUTHORIZE_REQUEST). `linked` where the accounts are linked already, so that no app was asked; `sessions` is the number of asked apps. */
  'link.ask': { args: { app: string }; result: { application: string; linked: boolean; sessions: number } };
  /** Warnings about activities, where the rules of the fixture ask for them. */
  'activity.doubts': { args: NoArgs; result: Record<string, unknown>[] };
  /** Let a user invite the logged-in user to their game (ACTIVITY_INVITE). `sessions` is the number of connected apps that got it; `message` the id of the invitation. */
  'activity.invite': { args: { user: string; app: string }; result: { user: string; application: string; message: string; sessions: number } };
  /** Let a user ask to join what the logged-in user plays (ACTIVITY_JOIN_REQUEST). `sessions` is the number of connected apps that got it. */
  'activity.request-join': { args: { user: string; app: string }; result: { user: string; application: string; sessions: number; [key: string]: unknown } };
  /** Let the user join a party of an application (ACTIVITY_JOIN). */
  'activity.join': { args: { app: string; secret?: string }; result: { application: string; sessions: number } };
  /** Let the user watch a game of an application (ACTIVITY_SPECTATE). */
  'activity.spectate': { args: { app: string; secret?: string }; result: { application: string; sessions: number } };
  /** The whole state, without client secrets. With `format` `toml` the result is `{toml}`, a fixture file; otherwise the keys of a fixture. */
  'emulator.show': { args: { format?: 'json' | 'toml' }; result: { toml?: string; [key: string]: unknown } };
  /** Wait until bots and apps have reacted to what has happened. Timers that are due have run, clients of the gateway have read their events, requests, interactions and webhooks are answered, and nothing has come for `quiet`, by default 50ms. Without a bot or an app it returns at once. `within` is the longest wait of the machine, by default 5s; then `settled` is false and `waiting` says for whom. */
  'emulator.settle': { args: { within?: string; quiet?: string }; result: { settled: boolean; waiting: string[] } };
  /** The logged-in user, guilds and channels. */
  'summary': { args: NoArgs; result: { user: { id: string; username: string }; loggedIn: boolean; guilds: string[]; channels: { text: string[]; voice: string[] } } };
  /** Unsupported requests to the HTTP API, with their counts. */
  'emulator.missing': { args: NoArgs; result: { what: string; times: number }[] };
  /** Violations of strict mode so far, oldest first. Empty while strict mode is off. At most 1,000; `where` is a request without its query, or an interaction. */
  'emulator.violations': { args: NoArgs; result: { rule: 'unknown-field' | 'unknown-route' | 'not-offered' | 'deprecated' | 'unregistered-command' | 'second-acknowledgement' | 'no-answer' | 'unhandled-refusal'; what: string; where: string; at: string }[] };
  /** Allow what breaks a rule of strict mode, so far and from now on. `where` is a route such as `GET /users/{id}`, in which `{…}` and `*` stand for any one part, or an interaction as `emulator.violations` has it; absent: everywhere. `removed` is the number of violations that it removed. */
  'emulator.allow': { args: { rule: 'unknown-field' | 'unknown-route' | 'not-offered' | 'deprecated' | 'unregistered-command' | 'second-acknowledgement' | 'no-answer' | 'unhandled-refusal'; where?: string }; result: { removed: number } };
  /** Apply a patch; every difference sends its events. The patch is written as a fixture is. */
  'emulator.apply': { args: { patch: Record<string, unknown> }; result: { changes: string[] } };
  /** The whole state as text, with client secrets; grants and tokens are not in it. `state` is a text for `emulator.import`, or a file for `fixture`. */
  'emulator.export': { args: NoArgs; result: { state: string } };
  /** Switch to an exported state; grants and tokens stay. `lost` is how many files of the state have no bytes. */
  'emulator.import': { args: { state: string }; result: { changes: number; lost?: number } };
  /** Make the present state, and the clock, what a reset returns to. */
  'emulator.seed': { args: NoArgs; result: { seeded: boolean } };
  /** Back to the seed, which is the fixture until emulator.seed; grants and tokens stay. With `quiet` true, bots, apps and webhooks are told nothing. With `whole` true, injected faults and waiting requests end, violations of strict mode are forgotten, and the clock is that of the seed. */
  'emulator.reset': { args: { quiet?: boolean; whole?: boolean }; result: { changes: string[] } };
  /** Use a command of an application, as the logged-in user or another user. `command` is `/tide`, `/berth book` with its subcommand, or the name of a command for users or messages, used on `target`. The default channel is the first that both the user and the application see. `wait` is the maximum time for a deferred answer, in seconds of the machine. */
  'interaction.use': { args: { app: string; command: string; user?: string; channel?: string; options?: Record<string, string | number | boolean | readonly string[]>; files?: Record<string, { filename: string; content_type?: string; data: string } | { filename: string; problem: string } | readonly ({ filename: string; content_type?: string; data: string } | { filename: string; problem: string })[]>; target?: string; wait?: number }; result: PlayedInteraction };
  /** Ask an application for the choices of a command option that is being typed. The choices for an option that is being typed; `options` has the text typed so far, and the other options. */
  'interaction.autocomplete': { args: { app: string; command: string; user?: string; channel?: string; option: string; options?: Record<string, string | number | boolean | readonly string[]> }; result: PlayedInteraction };
  /** The commands of applications that a user may use in a channel. `type` is 1 for a typed command, 2 for users, 3 for messages, 4 for an entry point; `options` as the HTTP API has them. */
  'interaction.commands': { args: { channel: string; user?: string }; result: { application: { id: string; name: string }; id: string; type: number; name: string; description: string; options: { type: number; name: string; description: string; [key: string]: unknown }[] }[] };
  /** What a select of users, roles or channels offers a user in a channel for a typed text. At most 25; `value` is what `interaction.choose` takes. */
  'interaction.suggest': { args: { channel: string; kind: 'user' | 'role' | 'mentionable' | 'channel'; text?: string; user?: string }; result: { kind: 'user' | 'role' | 'channel'; value: string; label: string; description?: string }[] };
  /** Click a button of a message, by its custom id or label. `button` is its custom id or label. With the `revision` of `channel.view`, a message that has changed since is refused with FOOTBRIDGE_STALE. */
  'interaction.click': { args: { message: string; button: string; user?: string; wait?: number; revision?: string }; result: PlayedInteraction };
  /** Choose from a select of a message, by its custom id. `select` is its custom id; `values` are values of its options, or ids or names of users, roles and channels. With the `revision` of `channel.view`, a message that has changed since is refused with FOOTBRIDGE_STALE. */
  'interaction.choose': { args: { message: string; select: string; values: readonly string[]; user?: string; wait?: number; revision?: string }; result: PlayedInteraction };
  /** Fill in the modal that an interaction opened, by the custom ids of its fields, and submit it. `id` is that of the interaction that opened the modal; `fields` by their custom ids. Absent fields keep their values. */
  'interaction.submit': { args: { id: string; fields?: Record<string, string | number | boolean | readonly string[]>; files?: Record<string, { filename: string; content_type?: string; data: string } | { filename: string; problem: string } | readonly ({ filename: string; content_type?: string; data: string } | { filename: string; problem: string })[]>; user?: string; wait?: number }; result: PlayedInteraction };
  /** Current result of an interaction. */
  'interaction.show': { args: { id: string }; result: PlayedInteraction };
  /** Recent interactions of users with applications, oldest first. The newest 50. */
  'interaction.list': { args: NoArgs; result: PlayedInteraction[] };
  /** A channel as a user sees it in their client, with its last messages. Default: the logged-in user. `messages` are in the form of the HTTP API for this user, the oldest first, with the ephemeral ones that only this user sees; `users`, `roles` and `channels` name the ids in them. `before` is the id of a message, for older ones. `wait` waits so many milliseconds until `revision` is no longer `after`. */
  'channel.view': { args: { channel: string; user?: string; before?: string; limit?: number; after?: string; wait?: number }; result: { revision: string; viewer: { id: string; username: string }; channel: { id: string; name: string; type: number; guild_id: string | null; topic: string | null }; users: Record<string, { name: string; color: number | null; avatar: string; bot: boolean }>; roles: Record<string, { name: string; color: number | null }>; channels: Record<string, { name: string; type: number }>; messages: { revision: string; ephemeral: boolean; message: { id: string; channel_id: string; content: string; [key: string]: unknown } }[]; typing: string[]; may: { say: boolean; react: boolean; attach: boolean }; more: boolean } };
  /** A message as a user sees it in their client. Default: the logged-in user. In the form of the HTTP API for this user, with the names of the ids in it. */
  'message.view': { args: { message: string; user?: string }; result: { revision: string; ephemeral: boolean; message: { id: string; channel_id: string; content: string; [key: string]: unknown }; viewer: { id: string; username: string }; channel: { id: string; name: string; type: number; guild_id: string | null; topic: string | null }; users: Record<string, { name: string; color: number | null; avatar: string; bot: boolean }>; roles: Record<string, { name: string; color: number | null }>; channels: Record<string, { name: string; type: number }> } };
  /** The profile of a user: status, activities and, in a guild, name and roles. `member`, `nick`, `roles` and `timed_out_until`, the end of the last timeout, are about `guild`. */
  'user.view': { args: { user?: string; guild?: string }; result: { id: string; username: string; global_name: string | null; bot: boolean; avatar: string; status: 'online' | 'idle' | 'dnd' | 'offline'; activities: { name: string; type: number; [key: string]: unknown }[]; member: boolean; nick: string | null; timed_out_until: string | null; roles: { id: string; name: string; color: number | null }[]; voice: { channel: string; name: string } | null } };
  /** A stored picture, sound or video, by the address that a message has of it. `address` is the URL of an attachment, or a path such as `/emojis/ID.png`, `/stickers/ID.png` or `/avatars/USER.png`. `type` follows from the bytes; any other kind of file is refused. `data` is in base64. */
  'file.read': { args: { address: string }; result: { type: string; size: number; data: string } };
  /** The voice settings of the logged-in user. */
  'voice.get': { args: NoArgs; result: { input: { device_id: string; volume: number; available_devices: { id: string; name: string }[] }; output: { device_id: string; volume: number; available_devices: { id: string; name: string }[] }; mode: { type: 'PUSH_TO_TALK' | 'VOICE_ACTIVITY'; auto_threshold: boolean; threshold: number; shortcut: { type: number; code: number; name: string }[]; delay: number }; automatic_gain_control: boolean; echo_cancellation: boolean; noise_suppression: boolean; qos: boolean; silence_warning: boolean; deaf: boolean; mute: boolean } };
  /** Change one voice setting. Keys are for example `mute` and `input.volume`. The result is all voice settings. */
  'voice.set': { args: { key: string; value: string | number | boolean }; result: { input: { device_id: string; volume: number; available_devices: { id: string; name: string }[] }; output: { device_id: string; volume: number; available_devices: { id: string; name: string }[] }; mode: { type: 'PUSH_TO_TALK' | 'VOICE_ACTIVITY'; auto_threshold: boolean; threshold: number; shortcut: { type: number; code: number; name: string }[]; delay: number }; automatic_gain_control: boolean; echo_cancellation: boolean; noise_suppression: boolean; qos: boolean; silence_warning: boolean; deaf: boolean; mute: boolean } };
  /** Move a user into a voice channel, from any other. */
  'voice.join': { args: { user: string; channel: string }; result: { user: string; channel: string } };
  /** Disconnect a user from their voice channel. */
  'voice.leave': { args: { user: string }; result: { user: string; left: boolean } };
  /** Set whether a user in a voice channel is speaking. */
  'voice.speak': { args: { user: string; on: boolean }; result: { user: string; speaking: boolean } };
  /** Let a user in a voice channel mute themselves, or unmute. For the logged-in user it is the voice setting `mute`. */
  'voice.mute': { args: { user: string; on: boolean }; result: { user: string; muted: boolean } };
  /** Let a user in a voice channel deafen themselves, or hear again. For the logged-in user it is the voice setting `deaf`. */
  'voice.deafen': { args: { user: string; on: boolean }; result: { user: string; deafened: boolean } };
  /** Interrupt the network of the voice connection, or restore it. */
  'voice.network': { args: { state: 'drop' | 'restore' }; result: { network: 'up' | 'down'; connection: string } };
  /** Turn the overlay over a process on or off, lock or unlock it. */
  'overlay.set': { args: { pid: number; enabled?: boolean; locked?: boolean }; result: { pid: number; enabled: boolean; locked: boolean } };
  /** The last messages of a text channel, or of the private one with @USER, the newest last. Each message is in the form of a fixture, with the username of its author. */
  'channel.read': { args: { channel: string; limit?: number }; result: { id: string; channel: string; author: string | null; content: string; username: string | null; [key: string]: unknown }[] };
  /** Write a message in a text channel, or a private one to @USER, as the logged-in user or another user. `reply` is the id of the message that it answers; `files` have their bytes in base64 as `data`. The result is the message in the form of a fixture. */
  'channel.say': { args: { channel: string; text: string; author?: string; reply?: string; files?: readonly ({ filename: string; content_type?: string; data: string } | { filename: string; problem: string })[] }; result: { id: string; channel: string; author: string | null; content: string; [key: string]: unknown } };
  /** Change the text of a message. */
  'message.edit': { args: { id: string; text: string }; result: { id: string; channel: string; author: string | null; content: string; [key: string]: unknown } };
  /** Delete a message. With `user`: as that user may, who can also dismiss an ephemeral message of theirs. With the `revision` of `channel.view`, a message that has changed since is refused with FOOTBRIDGE_STALE. */
  'message.delete': { args: { id: string; user?: string; revision?: string }; result: { deleted: string } };
  /** Vote in a poll, as the logged-in user or another user; replaces earlier votes. Answers of a poll by number or text; none removes the vote. With the `revision` of `channel.view`, a message that has changed since is refused with FOOTBRIDGE_STALE. */
  'poll.vote': { args: { message: string; answers: readonly string[]; user?: string; revision?: string }; result: { user: string; answers: number[] } };
  /** Set the state of the search index of a guild. `not_indexed` until the next search; `indexing`, with `documents` done, until another state is set; `ready`. */
  'guild.search-index': { args: { id: string; state: 'not_indexed' | 'indexing' | 'ready'; documents?: number }; result: { state: 'not_indexed' | 'indexing' | 'ready' | 'too_large'; documents_indexed: number } };
  /** React to a message, as the logged-in user or another user. `emoji` is the character, or `name:id`. With the `revision` of `channel.view`, a message that has changed since is refused with FOOTBRIDGE_STALE. */
  'message.react': { args: { message: string; emoji: string; user?: string; revision?: string }; result: { message: string; emoji: string; user: string } };
  /** Take back a reaction to a message, of the logged-in user or another user. The result is the same where there was no such reaction. */
  'message.unreact': { args: { message: string; emoji: string; user?: string; revision?: string }; result: { message: string; emoji: string; user: string } };
  /** Show that a user types in a text channel, for ten seconds or until their next message. */
  'channel.type': { args: { channel: string; user?: string }; result: { channel: string; user: string } };
  /** The channels and threads of all guilds, or those that a user sees. With `user`: the channels that this user sees, and the private ones, whose `guild` is null. `parent` is the category of a channel, and the channel of a thread; `voice` says who is in a voice channel. */
  'channel.list': { args: { user?: string }; result: { id: string; name: string; type: string; guild: string | null; guild_name: string | null; parent: string | null; position: number; archived?: boolean; voice?: { user: string; username: string; mute: boolean; deaf: boolean; speaking: boolean }[] }[] };
  /** Change a guild's name or icon. The result is the guild as a fixture writes it. */
  'guild.set': { args: { id: string; field: 'name' | 'icon'; value: string }; result: { id: string; name: string; icon: string | null; [key: string]: unknown } };
  /** Set whether a user is interested in an event of a guild, or in one of its exceptions. `id` is the id of an event of a guild; `exception` the id of an exception of it. */
  'event.interest': { args: { id: string; user: string; on: boolean; exception?: string }; result: { event: string; user: string; interested: boolean } };
  /** Answer the onboarding questions of a guild as a member, who gets the roles of the answers. `options` are ids or titles of answers; the result has ids. */
  'guild.onboard': { args: { guild: string; user: string; options: readonly string[] }; result: { guild: string; user: string; options: string[]; roles: string[] } };
  /** Have a user ask to join a guild whose moderators let members in one by one. Each answer is `QUESTION=ANSWER`. With `started` the user has not submitted the request; the same operation without it submits it. `pending` is true for a user who is a member of the guild meanwhile, because the guild has a preview. */
  'guild.ask-to-join': { args: { guild: string; user: string; answers?: readonly string[]; started?: boolean }; result: { id: string; guild: string; user: string; status: string; pending: boolean } };
  /** Have a user withdraw the request to join a guild. */
  'guild.withdraw-request': { args: { guild: string; user: string }; result: { id: string; guild: string; user: string } };
  /** Make a user a friend with a presence, such as online; "none" ends the friendship. The result is the relationship as a fixture writes it, or whether one was removed. */
  'relationship.set': { args: { user: string; status: 'online' | 'idle' | 'dnd' | 'offline' | 'none'; type?: 'friend' | 'blocked' | 'incoming' | 'outgoing' | 'implicit' }; result: { user: string; type?: number; status?: string; removed?: boolean; [key: string]: unknown } };
  /** Have a user accept an invite, and get the roles that it gives. `joined` is false for a user who was a member before. */
  'invite.accept': { args: { user: string; code: string }; result: { user: string; code: string; guild: { id: string; name: string }; joined: boolean } };
  /** Do not read the files of target users of an invite by itself: neither the present file nor later ones. */
  'invite.hold-job': { args: { code: string }; result: { code: string; state: 'processing' | 'completed' | 'failed' | null; total: number; processed: number; error: string | null } };
  /** Read a number of further target users from the file of an invite. */
  'invite.advance-job': { args: { code: string; users: number }; result: { code: string; state: 'processing' | 'completed' | 'failed' | null; total: number; processed: number; error: string | null } };
  /** Make the reading of the target users of an invite fail. */
  'invite.fail-job': { args: { code: string; error: string }; result: { code: string; state: 'processing' | 'completed' | 'failed' | null; total: number; processed: number; error: string | null } };
  /** Add a user to the lobby with a secret; a lobby that does not exist is created. The result is the lobby as a fixture writes it, without its secret. */
  'lobby.join': { args: { app: string; secret: string; user: string }; result: { id: string; application: string; metadata: Record<string, string> | null; idle_timeout_seconds: number; linked_channel: string | null; [key: string]: unknown } };
  /** Remove a user from a lobby. */
  'lobby.leave': { args: { lobby: string; user: string }; result: { left: string } };
  /** Add a member to the call of a lobby; no voice is carried. The user has to be in the lobby. The result is the voice state. */
  'lobby.join-call': { args: { lobby: string; user: string; mute?: boolean; deaf?: boolean }; result: { lobby: string; user: string; self_mute: boolean; self_deaf: boolean } };
  /** Remove a user from the call of a lobby. */
  'lobby.leave-call': { args: { lobby: string; user: string }; result: { left: boolean } };
  /** Write a message in a lobby, as one of its members. The user has to be in the lobby. The result is the message. */
  'lobby.say': { args: { lobby: string; user: string; text: string }; result: { id: string; lobby: string; author: string | null; content: string; [key: string]: unknown } };
  /** Change the content of a lobby message. */
  'lobby.edit-message': { args: { id: string; text: string }; result: { id: string; lobby: string; author: string | null; content: string; [key: string]: unknown } };
  /** Delete a message of a lobby. */
  'lobby.delete-message': { args: { id: string }; result: { deleted: string } };
  /** Subscribe a user to a SKU, for the user or for a guild. `sku` and `guild` are ids. */
  'subscription.start': { args: { user: string; sku: string; guild?: string }; result: { id: string; user: string; skus: string[]; renewal_skus: string[] | null; entitlements: string[]; current_period_start: string; current_period_end: string; status: 'active' | 'inactive' | 'ending'; canceled_at: string | null } };
  /** Set the status of a subscription. */
  'subscription.set': { args: { id: string; status: 'active' | 'ending' | 'inactive' }; result: { id: string; user: string; skus: string[]; renewal_skus: string[] | null; entitlements: string[]; current_period_start: string; current_period_end: string; status: 'active' | 'inactive' | 'ending'; canceled_at: string | null } };
  /** Renew a subscription for another period. */
  'subscription.renew': { args: { id: string }; result: { id: string; user: string; skus: string[]; renewal_skus: string[] | null; entitlements: string[]; current_period_start: string; current_period_end: string; status: 'active' | 'inactive' | 'ending'; canceled_at: string | null } };
  /** Refund a subscription: it becomes inactive, and its entitlements are revoked. */
  'subscription.refund': { args: { id: string }; result: { id: string; user: string; skus: string[]; renewal_skus: string[] | null; entitlements: string[]; current_period_start: string; current_period_end: string; status: 'active' | 'inactive' | 'ending'; canceled_at: string | null } };
  /** The users of the emulator. `me` is true for the logged-in user, and for the user of the last log-in while nobody is logged in. */
  'user.list': { args: NoArgs; result: { id: string; username: string; global_name: string | null; bot: boolean; me: boolean; status: 'online' | 'idle' | 'dnd' | 'offline' }[] };
  /** Log another user in; every session is closed. `id` is an id or a username. */
  'user.switch': { args: { id: string }; result: { user: { id: string; username: string }; loggedIn: boolean } };
  /** Log a user in; default: the previous one. */
  'user.log-in': { args: { id?: string }; result: { user: { id: string; username: string }; loggedIn: boolean } };
  /** Log the user out; every session is closed, and none opens until a user is logged in. */
  'user.log-out': { args: NoArgs; result: { user: { id: string; username: string }; loggedIn: boolean } };
  /** Grants of apps. */
  'grants.list': { args: NoArgs; result: { id: string; userId: string; username: string | null; clientId: string; applicationName: string | null; transport: string; scopes: string[]; expandedScopes: string[]; always: boolean; decidedBy: { kind: string; via?: string; program?: string; [key: string]: unknown }; grantedAt: number; [key: string]: unknown }[] };
  /** A URL that signs a browser in, valid once. */
  'sign-in': { args: NoArgs; result: { address: string } };
  /** An id_token of the built-in issuer, which every application accepts as proof of an external identity. Send the result as an external identity of the type OIDC. */
  'id-token': { args: { app: string; subject: string; name?: string; nonce?: string }; result: { issuer: string; id_token: string } };
  /** Ban a user from the platform: every link of theirs with an application ends. `until` is in ISO 8601; default: permanent. The result lists the applications that lost their tokens. */
  'user.ban': { args: { user: string; until?: string }; result: { user: { id: string; username: string | null }; applications: { id: string; name: string | null }[]; identities: { external_user_id: string; user: string; status: string; [key: string]: unknown }[]; stored: boolean; reason?: string; comesBack?: boolean; until: string | null } };
  /** Lift the ban of a user; no link is restored. */
  'user.unban': { args: { user: string }; result: { user: { id: string; username: string | null } } };
  /** Unlink a user from an application, as the application itself can. */
  'user.unlink': { args: { user: string; app: string }; result: { user: { id: string; username: string | null }; applications: { id: string; name: string | null }[]; identities: { external_user_id: string; user: string; status: string; [key: string]: unknown }[]; stored: boolean; reason?: string; comesBack?: boolean } };
  /** Have a user remove an application in their settings. */
  'user.remove-app': { args: { user: string; app: string }; result: { user: { id: string; username: string | null }; applications: { id: string; name: string | null }[]; identities: { external_user_id: string; user: string; status: string; [key: string]: unknown }[]; stored: boolean; reason?: string; comesBack?: boolean } };
  /** Set the webhook of an application, at a URL on this machine that is verified first. `events` are names such as `APPLICATION_DEAUTHORIZED`; default: all. */
  'webhook.set': { args: { app: string; url: string; events?: readonly ('APPLICATION_AUTHORIZED' | 'APPLICATION_DEAUTHORIZED' | 'ENTITLEMENT_CREATE' | 'ENTITLEMENT_DELETE' | 'ENTITLEMENT_UPDATE' | 'GAME_DIRECT_MESSAGE_CREATE' | 'GAME_DIRECT_MESSAGE_DELETE' | 'GAME_DIRECT_MESSAGE_UPDATE' | 'LOBBY_MESSAGE_CREATE' | 'LOBBY_MESSAGE_DELETE' | 'LOBBY_MESSAGE_UPDATE' | 'QUEST_USER_ENROLLMENT')[] }; result: { application: string; url: string; types: string[]; status: string } };
  /** Remove the webhook of an application. */
  'webhook.remove': { args: { app: string }; result: { application: string; removed: boolean } };
  /** All past and current deliveries to applications, oldest first. The result is every delivery with its attempts. */
  'webhooks.list': { args: NoArgs; result: { id: string; application: string; url: string; type: string; state: string; attempts: { at: string; headers: Record<string, string>; outcome: { kind: 'answered'; status: number } | { kind: 'failed'; reason: string } }[]; body: unknown }[] };
  /** Send a delivery again. */
  'webhook.redeliver': { args: { id: string }; result: { id: string; application: string; url: string; type: string; state: string; attempts: { at: string; headers: Record<string, string>; outcome: { kind: 'answered'; status: number } | { kind: 'failed'; reason: string } }[]; body: unknown } };
  /** Sessions of bots and games at the gateway, connected or cut, oldest first. `seq` is the number of the session’s last event; a session that is `cut` may be resumed. */
  'gateway.sessions': { args: NoArgs; result: { application: string; user: string; shard: [number, number]; intents: number; seq: number; state: 'connected' | 'cut' }[] };
  /** Ask the clients of an application to reconnect (opcode 7). `asked` is the number of connections. */
  'gateway.reconnect': { args: { app: string }; result: { application: string; asked: number } };
  /** Drop the connections of an application without a close frame; its sessions can be resumed. `cut` is the number of connections. */
  'gateway.cut': { args: { app: string }; result: { application: string; cut: number } };
  /** Launch the activity of an application in a channel, or let a user join it. `address` is the page to open in a browser, valid once; null for users other than the logged-in one. The default channel is their voice channel, or the first channel that they see. */
  'activity.launch': { args: { app: string; channel?: string; user?: string }; result: { application: string; instance: string; channel: string; users: string[]; address: string | null } };
  /** Remove a user from an activity, which ends with its last user. */
  'activity.leave': { args: { instance: string; user?: string }; result: { instance: string; left: string } };
  /** The time of the emulator. */
  'clock.now': { args: NoArgs; result: { now: string; frozen: boolean; ahead_ms: number } };
  /** Set the time of the emulator; everything due until then happens. `to` is in ISO 8601. */
  'clock.set': { args: { to: string }; result: { now: string; frozen: boolean; ahead_ms: number } };
  /** Advance the time of the emulator, such as by 2h; everything due until then happens. `by` is a duration such as `2h`, `1d12h` or `500ms`. */
  'clock.advance': { args: { by: string }; result: { now: string; frozen: boolean; ahead_ms: number } };
  /** Stop the time of the emulator. */
  'clock.freeze': { args: NoArgs; result: { now: string; frozen: boolean; ahead_ms: number } };
  /** Let the time of the emulator continue. */
  'clock.run': { args: NoArgs; result: { now: string; frozen: boolean; ahead_ms: number } };
  /** Advance the time of the emulator to the next thing that is due within a duration. Tests call it while they wait, so that no test sleeps. `skipped_ms` is 0 where nothing is due within that time, and while the clock is frozen or locked. */
  'clock.skip': { args: { within: string }; result: { now: string; frozen: boolean; ahead_ms: number; skipped_ms: number } };
  /** Let tests that wait skip no time. */
  'clock.lock': { args: NoArgs; result: { now: string; frozen: boolean; ahead_ms: number } };
  /** Let tests that wait skip time again. */
  'clock.unlock': { args: NoArgs; result: { now: string; frozen: boolean; ahead_ms: number } };
  /** Use the time of the machine again. */
  'clock.reset': { args: NoArgs; result: { now: string; frozen: boolean; ahead_ms: number } };
  /** Make something go wrong on purpose, such as fault=delay=200 command=GET_GUILDS. `fault` is as the command line has it, such as `delay=200`. The result is the fault with its `id`. */
  'fault.add': { args: { fault: string; command?: string; route?: string; webhook?: boolean; gateway?: boolean; application?: string; count?: number; probability?: number; seed?: number }; result: { id: string; fault: string; where: string; application: string | null; left: number | null; probability: number; seed: number; struck: number } };
  /** What goes wrong on purpose. */
  'fault.list': { args: NoArgs; result: { id: string; fault: string; where: string; application: string | null; left: number | null; probability: number; seed: number; struck: number }[] };
  /** Let something go right again; without an id, everything. `removed` are the ids. */
  'fault.remove': { args: { id?: string }; result: { removed: string[] } };
  /** What passed the bridge; wait=MS waits so long for something after what was read. `next` is what to give as `after` next, `dropped` how many entries were gone before they could be read, `last` the number of the newest entry, and `begun` when the journal began (ms since the Unix epoch). */
  'journal.read': { args: { after?: number; limit?: number; session?: string; kinds?: readonly ('connect' | 'frame' | 'close' | 'broken' | 'warning' | 'refused' | 'end' | 'http' | 'gateway' | 'webhook' | 'fault' | 'missing' | 'violation' | 'clock')[]; wait?: number }; result: { entries: JournalEntry[]; next: number; dropped: number; last: number; begun: number } };
  /** Send an entry of the journal again by hand, as it was or edited. A frame is sent in a new session of the same application, a request over HTTP with the credentials of the application’s bot, a webhook to its URL. `command`, `args` and `event` edit a frame, `method`, `path` and `body` a request; an edited text is whole, since the journal hides secrets. `seq` of the result is the number of the new entry, null where it has not come within eight seconds. What needs the app’s own session or a token is refused. */
  'traffic.resend': { args: { seq: number; command?: string; args?: Record<string, unknown>; event?: string; method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path?: string; body?: string }; result: { seq: number | null; kind: 'frame' | 'http' | 'webhook'; application: string | null } };
  /** The web pages that may connect, and the presets there are. `ofCore` are those that the client core allows; `damaged` files that could not be read and were moved aside. */
  'origins.list': { args: NoArgs; result: { origins: { clientId: string; origin: string }[]; ofCore: { clientId: string; origin: string }[]; damaged: string[]; presets: { name: string; summary: string }[] } };
  /** Let pages of an origin speak for an app, or add a preset by its name. */
  'origins.add': { args: { preset: string } | { clientId: string; origin: string }; result: { origins: { clientId: string; origin: string }[]; stored: boolean; reason?: string } };
  /** Take such a permission back; sessions that it let in stay. */
  'origins.remove': { args: { preset: string } | { clientId: string; origin: string }; result: { origins: { clientId: string; origin: string }[]; stored: boolean; reason?: string } };
  /** The endpoints with rights of their own, and whether each is served. `why` tells the reason and the remedy where an endpoint is not served. */
  'endpoints.list': { args: NoArgs; result: { name: string; preset: 'flatpak' | 'snap' | 'path' | 'private'; path: string; rights: 'full' | 'presence' | string[]; state: 'waiting' | 'blocked' | 'serving' | 'closed'; why: string | null }[] };
  /** Read the endpoints of the configuration file again, and serve them. Sessions of endpoints that did not change stay. A mistake in the file changes nothing. */
  'endpoints.reload': { args: NoArgs; result: { name: string; preset: 'flatpak' | 'snap' | 'path' | 'private'; path: string; rights: 'full' | 'presence' | string[]; state: 'waiting' | 'blocked' | 'serving' | 'closed'; why: string | null }[] };
  /** Open a private endpoint for as long as this connection stays open. Call it at `POST /v1/operations/endpoints.open/hold`: the answer does not end, and the endpoint is closed when the connection is. `host` is the machine that the apps come from; both texts are shown where an app asks for consent. */
  'endpoints.open': { args: { name: string; rights: 'full' | 'presence' | readonly string[]; host?: string }; result: { path: string } };
  /** An address that opens the console in a browser once, within ten minutes. */
  'console.address': { args: NoArgs; result: { url: string } };
  /** The variables, folders and options with which the bridge was started. `started` is null for a bridge inside another program. Only variables that a bridge reads are listed. */
  'bridge.facts': { args: NoArgs; result: { variables: Record<string, string>; started: { folders: { config: string; data: string; log: string }; flags: Record<string, string | true> } | null } };
  /** A message as the console draws it, as a PNG. Only a private bridge offers it, of startEmulator() or "footbridge emulate"; "footbridge emulator picture" draws the messages of every bridge. It needs a Chromium, Chrome or Edge on this machine. */
  'message.picture': { args: { message: string; user?: string; part?: 'surface' | 'viewport'; theme?: 'light' | 'dark'; width?: number }; result: { png: string; width: number; height: number; browser: string; fonts: string[]; sandboxed: boolean } };
  /** Begin to record what users do and what bots answer, for a scenario. A recording that runs already begins anew. */
  'record.start': { args: NoArgs; result: { recording: true } };
  /** Whether a scenario is recorded, and how many steps it has so far. What bots have done since the last act is not among them yet. */
  'record.show': { args: NoArgs; result: { recording: boolean; steps: number } };
  /** End the recording of a scenario, and return the scenario as the text of a file. The scenario names the fixture of the bridge: by its absolute path, or as it is called from `file`, the absolute path of the file. `expectations` is the number of steps that expect something of bots, `left` that of acts that no step can express, such as a click on a message that is older. */
  'record.stop': { args: { name?: string; file?: string }; result: { text: string; steps: number; expectations: number; left: number } };
  /** What each app shows, where it goes, and why. One entry for each application, in the order in which they are shown. `activity` is what the app has set, `shown` what others see. `paused` is a time (ms since the Unix epoch), null without an end, and absent while presence is not paused. `unusedRules` have matched nothing since they were read. `problems` are settings that have no effect, with the reason. `revision` changes with each change; with `after`, the call waits up to `wait` ms for another one. */
  'presence.list': { args: { after?: number; wait?: number }; result: { revision: number; paused?: number | null; entries: { clientId: string; application: string | null; program: string | null; pid: number | null; session: string; connections: number; state: 'shown' | 'hidden' | 'waiting'; why: string; rules: string[]; shown: Record<string, unknown> | null; activity: Record<string, unknown>; since: number; changedAt: number; clients: string[] }[]; unusedRules: string[]; problems: string[] } };
  /** What others would see of an activity; nothing is shown. `program` is the name of the program that would set it. */
  'presence.test': { args: { clientId: string; program?: string; activity: Record<string, unknown> }; result: { state: 'shown' | 'hidden' | 'waiting'; why: string; rules: string[]; shown: Record<string, unknown> | null } };
  /** Show an activity of your own, as long as this connection stays open. Call it at `POST /v1/operations/presence.set/hold`: the answer does not end, and the activity is cleared when the connection is. */
  'presence.set': { args: { clientId: string; activity: Record<string, unknown> }; result: { clientId: string } };
  /** Show an activity of your own until it is cleared, also after a restart. `until` is a time in ms since the Unix epoch; null without an end. One activity is held for each application. */
  'presence.hold': { args: { clientId: string; activity: Record<string, unknown>; until: number | null }; result: { clientId: string; until: number | null; stored: boolean; reason?: string } };
  /** End the held activity of an application, or every one. */
  'presence.clear': { args: { clientId?: string }; result: { cleared: string[]; stored: boolean; reason?: string } };
  /** Hide every presence for some time, or until presence.resume. `until` is a time in ms since the Unix epoch. A pause outlives the bridge. */
  'presence.pause': { args: { until: number | null }; result: { paused: number | null; stored: boolean; reason?: string } };
  /** Show presence again. */
  'presence.resume': { args: NoArgs; result: { stored: boolean; reason?: string } };
  /** Read the rules of the configuration file again. A mistake in the file changes nothing. The result is the number of rules. */
  'presence.reload': { args: NoArgs; result: { rules: number } };
  /** The state of your voice at the chat client; wait=MS waits so long for another than version. `muted` is true while nobody hears you, for whatever reason; `mutedBy` names the reasons. `talking` is push to talk held by the bridge. `version` and `begun` are what to give back with `wait`. With `passive` you are not asked for consent again after you refused. */
  'voice.show': { args: { version?: number; begun?: number; wait?: number; passive?: boolean }; result: { muted: boolean; mutedBy: ('self' | 'deafened' | 'server' | 'stage')[]; deafened: boolean; deafenedBy: ('self' | 'server')[]; mode: 'push-to-talk' | 'voice-activity'; talking: boolean; input: number; output: number; channel: { id: string; name: string; guild: string | null } | null; users: { id: string; name: string; muted: boolean; deafened: boolean; volume: number }[]; version: number; begun: number } };
  /** Mute, deafen, talk, set volumes, join or leave; answers with the state after it. Each argument is optional, and setting what is set changes nothing. `mute` and `deafen` take true, false or "toggle". Unmuting ends the deafening, too; after the deafening the mute of before returns. `talk` holds push to talk for five minutes at most. `volume` is that of `user`, 0 to 200; `input` is 0 to 100, `output` 0 to 200. `channel` is an id or a name, null to leave. */
  'voice.change': { args: { mute?: boolean | 'toggle'; deafen?: boolean | 'toggle'; talk?: boolean; mode?: 'push-to-talk' | 'voice-activity'; input?: number; output?: number; user?: string; volume?: number; channel?: string | null }; result: { muted: boolean; mutedBy: ('self' | 'deafened' | 'server' | 'stage')[]; deafened: boolean; deafenedBy: ('self' | 'server')[]; mode: 'push-to-talk' | 'voice-activity'; talking: boolean; input: number; output: number; channel: { id: string; name: string; guild: string | null } | null; users: { id: string; name: string; muted: boolean; deafened: boolean; volume: number }[]; version: number; begun: number } };
  /** Make a world: an emulator of its own behind the same port. Without a name the bridge chooses one. `fixture` is the absolute path of a file, or the content of one. With `endpoint` true it listens for apps at once; `world.endpoint` does it later. */
  'world.add': { args: { name?: string; fixture?: string | Record<string, unknown>; consent?: 'ask' | 'allow' | 'deny'; strict?: boolean; endpoint?: boolean }; result: { name: string; api: string; gateway: string; endpoint: string | null; bots: { application: string; name: string; token: string }[]; connected: { apps: number; bots: number } } };
  /** The worlds, in the order in which they were made. */
  'world.list': { args: NoArgs; result: { name: string; api: string; gateway: string; endpoint: string | null; bots: { application: string; name: string; token: string }[]; connected: { apps: number; bots: number } }[] };
  /** The addresses and tokens of a world. */
  'world.show': { args: { name: string }; result: { name: string; api: string; gateway: string; endpoint: string | null; bots: { application: string; name: string; token: string }[]; connected: { apps: number; bots: number } } };
  /** Listen for apps of a world, and tell where. */
  'world.endpoint': { args: { name: string }; result: { endpoint: string } };
  /** Make the present state of a world, and its clock, what a reset returns to. */
  'world.seed': { args: { name: string }; result: { name: string } };
  /** Back to the seed: state, clock and faults; addresses, grants and tokens stay. Bots and apps stay connected, and are told nothing unless `events` is true. */
  'world.reset': { args: { name: string; events?: boolean }; result: { changes: string[] } };
  /** Remove a world; its bots and apps are disconnected with the reason. */
  'world.remove': { args: { name: string }; result: { removed: string } };
}

/** The arguments of an operation, which are optional where all of them are. */
export type ArgumentsOf<Name extends keyof Operations> = NoArgs extends Operations[Name]['args']
  ? readonly [args?: Operations[Name]['args']]
  : readonly [args: Operations[Name]['args']];

/** Result of an operation. */
export type AnswerOf<Name extends keyof Operations> = Operations[Name]['result'];
