import type { Bans } from '../accounts/bans/bans.ts';
import type { Links } from '../accounts/bans/links.ts';
import type { RequestQueue } from '../accounts/consent/queue.ts';
import type { ExternalAccounts } from '../accounts/external-accounts.ts';
import type { OAuth2 } from '../accounts/oauth2/oauth2.ts';
import { UserAccounts } from '../accounts/user-accounts.ts';
import { Lookup } from '../api/lookup.ts';
import type { Signal } from '../api/signals.ts';
import type { Derivation, Reading, Transaction, World } from '../api/world.ts';
import { publicCopies, type SeenApplications } from '../applications/applications.ts';
import { ApplicationStore } from '../applications/monetization/store.ts';
import type { Application, ApplicationRecord } from '../applications/records.ts';
import type { Webhooks } from '../applications/webhooks/webhooks.ts';
import { permissionsIn } from '../guilds/channels/access.ts';
import {
  type Channel,
  type ChannelLookup,
  findChannel,
  visibleChannels,
} from '../guilds/channels/channels.ts';
import { Client } from '../guilds/client/client.ts';
import { ScheduledEvents } from '../guilds/events/events.ts';
import { setGuild } from '../guilds/guilds.ts';
import { ChannelInvites } from '../guilds/invites/accept.ts';
import { isIn } from '../guilds/members/membership.ts';
import { answerOnboarding } from '../guilds/onboarding/answer-onboarding.ts';
import type { OnboardingAnswers } from '../guilds/onboarding/records.ts';
import type { Guild } from '../guilds/records.ts';
import { Calls } from '../guilds/voice/calls.ts';
import type { VoiceConnection } from '../guilds/voice/connection.ts';
import { Playback } from '../guilds/voice/playback.ts';
import { mergeVoiceSettings, setVoiceText } from '../guilds/voice/settings.ts';
import type { VoiceSettings } from '../guilds/voice/settings-schema.ts';
import type { Activities } from '../interactions/activities/activities.ts';
import type { Interactions } from '../interactions/interactions.ts';
import { UserActions } from '../interactions/player/user-actions.ts';
import type { EmulatorClock } from '../kernel/clock.ts';
import type { Recovery } from '../kernel/state/event-queue.ts';
import { Lobbies } from '../lobbies/lobbies.ts';
import { Messages } from '../messages/messages.ts';
import { Polls } from '../messages/polls/polls.ts';
import type { MessageIndex } from '../messages/search/message-index.ts';
import type { Gateway } from '../serve/gateway/gateway.ts';
import { type ListenOptions, listenOnLoopback, missingOf, type TokenEndpoint } from '../serve/http/server.ts';
import type { Invitations } from '../users/presence/invitations.ts';
import { Presences } from '../users/presence/presences.ts';
import type { User } from '../users/records.ts';
import type { composePlatform } from './compose-platform.ts';
import { type Fixture, fixtureOf } from './fixture/fixture.ts';
import { applyPatch, asPatchError } from './fixture/patch.ts';
import type { Transfer } from './fixture/transfer.ts';

/** The parts that an emulator exposes, and the function that stops the emulator's services. */
type Parts = Awaited<ReturnType<typeof composePlatform>> & {
  readonly stopServices: () => Promise<void>;
};

/**
 * The offline service: its parts, and the operations that involve several parts. It replies synchronously from memory;
 * only operations whose result must survive a restart are asynchronous.
 */
export class Emulator {
  /** The clock of all parts. */
  readonly clock: EmulatorClock;
  /** Read access to the tables. */
  readonly tables: Reading;
  /** Finds records by id or name. */
  readonly lookup: Lookup;
  readonly oauth2: OAuth2;
  readonly bans: Bans;
  /** Ends authorizations without the user's action, such as after a ban. */
  readonly links: Links;
  /** Requests that wait for the operator. */
  readonly requests: RequestQueue;
  /** Delivery of events to applications over HTTP. */
  readonly webhooks: Webhooks;
  /** The WebSocket gateway for bots and games. */
  readonly gateway: Gateway;
  /** Users who are interested in scheduled events. */
  readonly scheduledEvents: ScheduledEvents;
  readonly calls: Calls;
  readonly voiceConnection: VoiceConnection;
  readonly playback: Playback;
  readonly polls: Polls;
  readonly messages: Messages;
  /** The search index of messages; tests may choose its progress. */
  readonly messageIndex: MessageIndex;
  readonly accounts: UserAccounts;
  /** Provisional accounts of games. */
  readonly external: ExternalAccounts;
  readonly client: Client;
  /** Running activities and their participants. */
  readonly activities: Activities;
  readonly store: ApplicationStore;
  /** Activities by session. Only the owner of a session sets and removes the session's activities. */
  readonly presences: Presences;
  readonly invitations: Invitations;
  /** Actions of other users' games in lobbies. */
  readonly lobbies: Lobbies;
  readonly channelInvites: ChannelInvites;
  /** Actions of the user at the client, who uses the features of applications. */
  readonly userActions: UserActions;
  /** Interactions of users with applications. */
  readonly interactions: Interactions;
  /** Export, import and reset of the whole state with its files. */
  readonly transfer: Transfer;

  readonly #world: World;
  readonly #parts: Parts;
  readonly #seenApplications: SeenApplications;
  readonly #published = publicCopies();

  constructor(parts: Parts) {
    const { platform, world, clock, connection, endpoints } = parts;
    this.#parts = parts;
    this.#world = world;
    this.#seenApplications = parts.seenApplications;
    this.clock = clock;
    this.tables = world.tables;
    this.lookup = new Lookup({
      tables: world.tables,
      application: (clientId) => parts.seenApplications.find(clientId)?.record,
      applications: () => [...world.tables.applications, ...parts.seenApplications.list()],
    });
    this.oauth2 = parts.oauth2;
    this.bans = parts.bans;
    this.links = parts.links;
    this.requests = platform.requests;
    this.webhooks = platform.webhooks;
    this.gateway = platform.gateway;
    this.scheduledEvents = new ScheduledEvents(world);
    this.calls = new Calls(world, connection, clock);
    this.voiceConnection = connection;
    this.playback = new Playback(world);
    this.polls = new Polls(world);
    this.messages = new Messages(platform, (file) => {
      const [endpoint] = endpoints;
      const channel = world.tables.messages.get(file.message)?.channel;
      // Without a running server, the file has no URL that can be fetched.
      return endpoint === undefined || channel === undefined
        ? `attachment://${file.filename}`
        : platform.files.of(endpoint.url, channel, file);
    });
    this.messageIndex = platform.messageIndex;
    this.accounts = new UserAccounts(world);
    this.external = platform.external;
    this.client = new Client(world);
    this.activities = platform.activities;
    this.store = new ApplicationStore(world, clock);
    this.presences = new Presences(world, clock);
    this.invitations = platform.invitations;
    this.lobbies = new Lobbies(platform, this.messages);
    this.channelInvites = new ChannelInvites(world, clock);
    this.userActions = new UserActions(platform, () => [...endpoints][0]?.url ?? '');
    this.interactions = platform.interactions;
    this.transfer = parts.transfer;
  }

  /** See {@link World.subscribe}. */
  subscribe<Meaning>(
    derivation: Derivation<Meaning>,
    listener: (meaning: Meaning) => void,
    recovery: Recovery,
  ): () => void {
    return this.#world.subscribe(derivation, listener, recovery);
  }

  /** See {@link World.subscribeSignals}. */
  subscribeSignals(listener: (signal: Signal) => void, recovery: Recovery): () => void {
    return this.#world.subscribeSignals(listener, recovery);
  }

  me(): User {
    return this.#world.me();
  }

  user(id: string): User | undefined {
    return this.tables.users.get(id);
  }

  /** The application with an id. Any snowflake is an application unless the fixture is strict. */
  application(clientId: string): Application | undefined {
    const known = this.#seenApplications.find(clientId);
    return known === undefined ? undefined : this.#published(known.record);
  }

  /** Applications of the fixture, and applications that have connected. The secrets are left out. */
  applications(): readonly ApplicationRecord[] {
    return [...this.tables.applications, ...this.#seenApplications.list()].map((record) => ({
      ...record,
      secret: null,
      bot_token: null,
    }));
  }

  /** A guild that the logged-in user is a member of. */
  guild(id: string): Guild | undefined {
    return isIn(this.tables, id, this.tables.me.value) ? this.tables.guilds.get(id) : undefined;
  }

  /** Guilds that the logged-in user is a member of. */
  guilds(): readonly Guild[] {
    return [...this.tables.guilds].filter(({ id }) => isIn(this.tables, id, this.tables.me.value));
  }

  /** Channels that the logged-in user may view, of one guild or of all guilds, in the order of the fixture. */
  channels(guildId?: string): readonly Channel[] {
    return visibleChannels(this.tables, guildId);
  }

  channel(id: string): ChannelLookup {
    return findChannel(this.tables, id);
  }

  /** The logged-in user's permissions in a channel, as a bit field. */
  permissions(channelId: string): bigint {
    const channel = this.tables.channels.get(channelId);
    if (channel === undefined) return 0n;
    return permissionsIn(this.tables, channel, this.tables.me.value, this.clock.now());
  }

  /** Sets a field of a guild. @throws SettingError naming the key. */
  setGuild(id: string, key: 'name' | 'icon', value: string | null): Guild {
    return setGuild(this.#world, id, key, value);
  }

  /** Stores a member's onboarding answers by ids or titles. @throws SettingError */
  onboard(guild: string, user: string, options: readonly string[]): OnboardingAnswers {
    return answerOnboarding(this.#world, { guild, user, options, now: this.clock.now() });
  }

  voiceSettings(): VoiceSettings {
    return this.tables.voice.value;
  }

  /**
   * Merges a partial object into the settings and returns all settings. Unknown keys are ignored. @throws SettingError
   * that names the field.
   */
  setVoiceSettings(patch: unknown): VoiceSettings {
    return this.#setVoice(mergeVoiceSettings(this.tables.voice.value, patch));
  }

  /**
   * Sets one voice setting: its dotted key and its value as typed on the command line. @throws SettingError that names
   * the key.
   */
  setVoice(key: string, value: string): VoiceSettings {
    return this.#setVoice(setVoiceText(this.tables.voice.value, key, value));
  }

  #setVoice(voice: VoiceSettings): VoiceSettings {
    this.#world.transaction((writing) => writing.voice.set(voice));
    return this.tables.voice.value;
  }

  selectedVoiceChannel(): Channel | null {
    return this.calls.selected();
  }

  /**
   * Joins a voice channel, or leaves the current one for null. @throws SettingError for a channel that is unknown, not
   * viewable or full, or that has no voice.
   */
  selectVoiceChannel(channelId: string | null): Channel | null {
    const { id } = this.me();
    if (channelId !== null) return this.calls.join(id, channelId);
    this.calls.leave(id);
    return null;
  }

  /** The state as a fixture, without client secrets. */
  toFixture(): Fixture {
    return fixtureOf(this.tables, { applications: this.#seenApplications.list() });
  }

  /** Applies a merge patch atomically. If the result is invalid, nothing changes. @throws FixtureError */
  async apply(patch: unknown): Promise<Transaction['events']> {
    // No `await` may come before the change: otherwise two concurrent patches could undo each other.
    try {
      const changes = this.#world.changes((writing) =>
        applyPatch(writing, patch, { applications: this.#seenApplications.list() }),
      );
      // Every AutoMod rule must be active when this promise resolves.
      await this.#parts.platform.automod.patterns.loading;
      return changes;
    } catch (error) {
      throw asPatchError(error);
    }
  }

  /** Returns to the fixture that was loaded last. Grants and tokens stay. */
  reset(): Transaction['events'] {
    this.#seenApplications.clear();
    return this.transfer.reset();
  }

  /** See {@link Transfer.text}. */
  exportState(): string {
    return this.transfer.text();
  }

  /** See {@link Transfer.takeText}. */
  importState(text: string, file: string): Transaction['events'] {
    return this.transfer.takeText(text, file);
  }

  /** A URL at which a browser signs in. It is valid once and for ten minutes. Undefined while no server is running. */
  signInAddress(): string | undefined {
    const { endpoints, platform } = this.#parts;
    const [endpoint] = endpoints;
    if (endpoint === undefined) return undefined;
    return `http://127.0.0.1:${endpoint.port}/sign-in?key=${platform.web.browsers.invite()}`;
  }

  /** Requests to parts of the HTTP API that the emulator lacks, with their counts, in the order of first occurrence. */
  missing(): ReadonlyMap<string, number> {
    return missingOf(this.#parts.endpoints);
  }

  /** Starts the API server on 127.0.0.1. */
  async listen(options: ListenOptions): Promise<TokenEndpoint> {
    const { platform, endpoints } = this.#parts;
    const endpoint = await listenOnLoopback({
      ...options,
      platform,
      routes: async () => (await import('./reference.ts')).platformRoutes(),
      log: platform.log,
    });
    endpoints.add(endpoint);
    return endpoint;
  }

  /** Loads the code of the HTTP API, in the next turn: an answer that is ready now is sent before. */
  loadApi(): void {
    setImmediate(() => {
      for (const endpoint of this.#parts.endpoints) endpoint.load();
    });
  }

  /** Withdraws open requests, stops the servers and waits for the storage. */
  close(): Promise<void> {
    return this.#parts.stopServices();
  }
}
