import type { Faults } from '../../faults/faults.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Bans } from '../accounts/bans/bans.ts';
import type { Links } from '../accounts/bans/links.ts';
import type { PeopleQueue } from '../accounts/consent/queue.ts';
import type { ExternalAccounts } from '../accounts/external-accounts.ts';
import type { OAuth2 } from '../accounts/oauth2/oauth2.ts';
import type { Store } from '../accounts/oauth2/storage/store.ts';
import type { People } from '../accounts/people.ts';
import type { Reading, Transaction, World } from '../api/world.ts';
import type { ApplicationStore } from '../applications/monetization/store.ts';
import type { Application, ApplicationRecord, ConsentPolicy } from '../applications/records.ts';
import type { Webhooks } from '../applications/webhooks/webhooks.ts';
import type { Channel, ChannelLookup } from '../guilds/channels/channels.ts';
import type { Client } from '../guilds/client/client.ts';
import type { ScheduledEvents } from '../guilds/events/events.ts';
import type { ChannelInvites } from '../guilds/invites/channel-invites.ts';
import type { OnboardingAnswers } from '../guilds/onboarding/records.ts';
import type { Guild } from '../guilds/records.ts';
import type { Calls } from '../guilds/voice/calls.ts';
import type { VoiceConnection } from '../guilds/voice/connection.ts';
import type { Playback } from '../guilds/voice/playback.ts';
import type { VoiceSettings } from '../guilds/voice/settings-schema.ts';
import type { Activities } from '../interactions/activities/activities.ts';
import type { Interactions } from '../interactions/interactions.ts';
import type { Player } from '../interactions/player/player.ts';
import type { ClockStatus, EmulatorClock, MachineClock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { MemoryLimits } from '../kernel/memory.ts';
import type { Lobbies } from '../lobbies/lobbies.ts';
import type { Messages } from '../messages/messages.ts';
import type { Polls } from '../messages/polls/polls.ts';
import type { MessageIndex } from '../messages/search/message-index.ts';
import type { Gateway } from '../serve/gateway/gateway.ts';
import type { ListenOptions, TokenEndpoint } from '../serve/http/server.ts';
import type { Invitations } from '../users/presence/invitations.ts';
import type { Presences } from '../users/presence/presences.ts';
import type { User } from '../users/records.ts';
import type { Fixture, StateRows } from './fixture/fixture.ts';
import type { Intake } from './fixture/intake.ts';
import type { StateImport } from './fixture/transfer.ts';

/** The offline service. It answers synchronously from memory; what must survive a restart is awaited. */
export interface Emulator {
  /** The time that all of it goes by. */
  readonly clock: EmulatorClock;
  /** The tables behind it, to look things up. */
  readonly tables: Reading;
  /** Subscribes to what commits mean, or to what is no change of the state: see `World`. */
  readonly subscribe: World['subscribe'];
  readonly subscribeSignals: World['subscribeSignals'];

  me(): User;
  user(id: string): User | undefined;
  /** Any snowflake is an application unless the fixture is strict; `undefined` otherwise. */
  application(clientId: string): Application | undefined;
  /** Those that are written down, and those that were seen, without their secrets. */
  applications(): readonly ApplicationRecord[];

  /** Guilds that the logged-in user is a member of. */
  guild(id: string): Guild | undefined;
  guilds(): readonly Guild[];
  /** Channels that the logged-in user may view, of one guild or of all, in the order of the fixture. */
  channels(guildId?: string): readonly Channel[];
  channel(id: string): ChannelLookup;
  /** The logged-in user's permissions in a channel, as a bit field. */
  permissions(channelId: string): bigint;
  /** @throws SettingError naming the key. */
  setGuild(id: string, key: 'name' | 'icon', value: string | null): Guild;
  /** A member answers the questions of a guild, by ids or titles of answers. @throws SettingError */
  onboard(guildId: string, userId: string, options: readonly string[]): OnboardingAnswers;

  voiceSettings(): VoiceSettings;
  /** Merges a partial object and returns the whole. Unknown keys are ignored. @throws SettingError naming the field. */
  setVoiceSettings(patch: unknown): VoiceSettings;
  /** Sets one field by its dotted key from text a person typed. @throws SettingError naming the key. */
  setVoice(key: string, value: string): VoiceSettings;
  selectedVoiceChannel(): Channel | null;
  /** Null leaves. @throws SettingError when the channel is unknown, not viewable, full or has no voice. */
  selectVoiceChannel(channelId: string | null): Channel | null;
  readonly calls: Calls;
  readonly voiceConnection: Pick<VoiceConnection, 'status'>;
  readonly playback: Playback;

  readonly messages: Messages;
  readonly polls: Pick<Polls, 'vote'>;
  /** What messages are found by, of which a test may choose how far it is. */
  readonly messageIndex: Pick<MessageIndex, 'force'>;
  readonly people: People;
  /** Accounts of people whom only a game knows. */
  readonly external: ExternalAccounts;
  readonly client: Client;
  /** Activities that run, and who is in them. */
  readonly activities: Activities;
  readonly store: ApplicationStore;
  /** Activities by session; whoever opens sessions sets and drops them. */
  readonly presences: Presences;
  readonly invitations: Invitations;
  readonly channelInvites: ChannelInvites;
  /** The person at the client, who uses what applications offer. */
  readonly player: Player;
  /** What people do with applications. */
  readonly interactions: Interactions;
  /** What games of other people do in lobbies. */
  readonly lobbies: Lobbies;

  readonly oauth2: OAuth2;
  readonly bans: Pick<Bans, 'isBanned' | 'unban'>;
  /** How what a person allowed applications ends without them. */
  readonly links: Pick<Links, 'ban' | 'end'>;
  /** What waits for a person. */
  readonly requests: PeopleQueue;
  /** Who is interested in what guilds have planned. */
  readonly scheduledEvents: Pick<ScheduledEvents, 'setInterest'>;
  /** Whom bots and games listen to over a WebSocket. */
  readonly gateway: Pick<Gateway, 'listen' | 'tell' | 'sessions' | 'disturb' | 'hasReceiver'>;
  /** What applications are told over HTTP. */
  readonly webhooks: Webhooks;

  /** The state in the shape of a fixture, with client secrets left out. */
  show(): Fixture;
  /** Applies a merge-style patch as one step. @throws FixtureError and changes nothing when the result is not valid. */
  apply(patch: unknown): Promise<Transaction['events']>;
  /** Goes back to the fixture the emulator was started with, or that was loaded since; grants and tokens stay. */
  reset(): Transaction['events'];
  /** The memory for reading another state, which is counted until whoever asked ends it. */
  intake(): Intake;
  /** How many bytes of memory there are for another state. */
  freeForState(): number;
  /** Takes another fixture, and goes there at once; grants and tokens stay. */
  load(fixture: Fixture | StateRows): Transaction['events'];

  /**
   * The whole state as text: every table, client secrets and the bytes of files included. Grants, tokens and what waits are
   * not part of it. @throws FixtureError where it is too large for one text.
   */
  exportState(): string;
  /**
   * The same in parts, as it is now, whatever changes while they are written. Whoever begins it takes all of them, or calls
   * `return`. @throws FixtureError from a part on where there is no memory any more for a state that has changed.
   */
  exportParts(): IterableIterator<string>;
  /**
   * Becomes an exported state as one step; grants and tokens stay, but for users and applications that are no more.
   * `file` names the text in errors. @throws FixtureError, with the state as it was.
   */
  importState(text: string, file: string): Transaction['events'];
  /** The same for a text that comes in parts: nothing becomes different before its end. */
  importParts(file: string): StateImport;
  /** How many files the state names whose bytes are not here: their addresses answer 404. */
  missingFiles(): number;

  /** An address that signs a browser in, good once and for ten minutes; undefined while nothing listens. */
  signInAddress(): string | undefined;
  /** What the HTTP API was asked for and does not offer, with how often, in the order in which it was first. */
  missing(): ReadonlyMap<string, number>;
  /** Starts the token endpoint on 127.0.0.1. */
  listen(options: ListenOptions): Promise<TokenEndpoint>;
  /** Withdraws open requests, closes the endpoint and waits for the store. */
  close(): Promise<void>;
}

/** What an emulator is made of. */
export interface EmulatorOptions {
  readonly fixture: Fixture | StateRows;
  /** Begins where another ended, and not at the fixture; that is where a reset goes. */
  readonly from?: { readonly world: StateRows; readonly clock: ClockStatus } | undefined;
  /** Default: forgets everything with the process. */
  readonly storage?: Store;
  /** The clock of the machine, which the emulator's own follows until it is set. */
  readonly clock?: MachineClock;
  readonly consent?: {
    /** Default `ask`. */
    readonly policy?: ConsentPolicy;
    /** How long a request waits for a person; default 120 000 ms. */
    readonly timeoutMs?: number;
    /** New prompts in a minute per process and per application; default 3. */
    readonly promptsPerMinute?: number;
    /** The pause after a denial, which doubles with each; default 15 000 ms, 0 is none. */
    readonly pauseMs?: number;
    /** How long a page must be visible before its Allow counts; default 600 ms, 0 is none. */
    readonly readingMs?: number;
  };
  /** What its parts may take of the heap; default follows from the heap of this process. */
  readonly memory?: MemoryLimits;
  /** Connections of the gateway at a time; default 2,000. */
  readonly gatewayPlaces?: number | undefined;
  /** Where what passes is written down; without it nothing is. */
  readonly journal?: Journal | undefined;
  /** What goes wrong on purpose; without it nothing does. */
  readonly faults?: Faults;
  readonly log?: Log;
}
