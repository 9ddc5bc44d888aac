import { ExternalAccounts } from './accounts/external-accounts.ts';
import { People } from './accounts/people.ts';
import { FirstSight, publicCopies } from './applications/applications.ts';
import type { Application, ApplicationRecord, ConsentPolicy } from './applications/records.ts';
import { AutoMod } from './automod/automod.ts';
import { Bans } from './bans/bans.ts';
import { Links } from './bans/links.ts';
import { startByClock } from './by-clock.ts';
import type { Change } from './change.ts';
import { permissionsIn } from './channels/access.ts';
import { Archiving } from './channels/archiving.ts';
import { type Channel, type ChannelLookup, lookUpChannel, visibleChannels } from './channels/channels.ts';
import { Client } from './client/client.ts';
import { EmulatorClock, type MachineClock, systemClock } from './clock.ts';
import { answerOnboarding } from './community/answering.ts';
import type { OnboardingAnswers } from './community/records.ts';
import { FileAddresses } from './files/addresses.ts';
import { type Fixture, fixtureOf, rowsOf, type StateRows } from './fixture/fixture.ts';
import { applyPatch, asPatchError } from './fixture/patch.ts';
import { type StateImport, Transfer } from './fixture/transfer.ts';
import { followChanges } from './follow-change.ts';
import { authorizedGuildAnswer } from './guilds/answers.ts';
import { setGuild } from './guilds/guilds.ts';
import { isIn } from './guilds/membership.ts';
import type { Guild } from './guilds/records.ts';
import type { ListenOptions, TokenEndpoint } from './http/server.ts';
import { listenOnLoopback, missingOf } from './http/server.ts';
import { ChannelInvites } from './invites/channel-invites.ts';
import { IdleLobbies } from './lobbies/idle.ts';
import { Lobbies } from './lobbies/lobbies.ts';
import { type Log, silentLog } from './log.ts';
import { Messages } from './messages/messages.ts';
import { AuthorizationServer } from './oauth2/authorization-server.ts';
import { installerOf } from './oauth2/installer.ts';
import type { OAuth2 } from './oauth2/oauth2.ts';
import { WebConsent } from './oauth2/pages/web-consent.ts';
import { StateKeeper } from './oauth2/storage/keeper.ts';
import { memoryStore, type Store } from './oauth2/storage/store.ts';
import { webhookMakerOf } from './oauth2/webhook-maker.ts';
import { PeopleQueue } from './people/queue.ts';
import type { Platform } from './platform.ts';
import { Polls } from './polls/polls.ts';
import { Invitations } from './presence/invitations.ts';
import { Presences } from './presence/presences.ts';
import type { ScheduledEvents } from './scheduled-events/events.ts';
import { MessageIndex } from './search/message-index.ts';
import { ApplicationStore } from './store/store.ts';
import type { User } from './users/records.ts';
import { Calls } from './voice/calls.ts';
import { VoiceConnection } from './voice/connection.ts';
import { Playback } from './voice/playback.ts';
import type { VoiceSettings } from './voice/records.ts';
import { mergeVoiceSettings, setVoiceText } from './voice/settings.ts';
import { startTimes } from './voice/start-time.ts';
import { Webhooks } from './webhooks/webhooks.ts';
import { type Reading, World } from './world.ts';

/** The offline service. It answers synchronously from memory; what must survive a restart is awaited. */
export interface Emulator {
  /** The time that all of it goes by. */
  readonly clock: EmulatorClock;
  /** The tables behind it, to look things up. */
  readonly tables: Reading;
  /** Subscribes to changes; the returned function ends it. A listener that throws is logged, not propagated. */
  onChange(listener: (change: Change) => void): () => void;

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
  readonly store: ApplicationStore;
  /** Activities by session; whoever opens sessions sets and drops them. */
  readonly presences: Presences;
  readonly invitations: Invitations;
  readonly channelInvites: ChannelInvites;
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
  /** What applications are told over HTTP. */
  readonly webhooks: Webhooks;

  /** The state in the shape of a fixture, with client secrets left out. */
  show(): Fixture;
  /** Applies a merge-style patch as one step. @throws FixtureError and changes nothing when the result is not valid. */
  apply(patch: unknown): Promise<readonly Change[]>;
  /** Goes back to the fixture the emulator was started with, or that was loaded since; grants and tokens stay. */
  reset(): readonly Change[];
  /** Takes another fixture, and goes there at once; grants and tokens stay. */
  load(fixture: Fixture | StateRows): readonly Change[];

  /**
   * The whole state as text: every table, client secrets and the bytes of files included. Grants, tokens and what waits are
   * not part of it. @throws FixtureError where it is too large for one text.
   */
  exportState(): string;
  /** The same in parts, as it is now, whatever changes while they are written. */
  exportParts(): Iterable<string>;
  /**
   * Becomes an exported state as one step; grants and tokens stay, but for users and applications that are no more.
   * `file` names the text in errors. @throws FixtureError, with the state as it was.
   */
  importState(text: string, file: string): readonly Change[];
  /** The same for a text that comes in parts: nothing becomes different before its end. */
  importParts(file: string): StateImport;

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
  };
  readonly log?: Log;
}

/**
 * Starts an emulator. The storage is read first; when it cannot be, the log says so and nothing is granted.
 * Neither broken storage nor a full disk rejects.
 */
export async function createEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { storage = memoryStore(), clock: machine = systemClock, consent = {}, log = silentLog } = options;
  const clock = new EmulatorClock(machine);
  const world = new World(rowsOf(options.fixture), log, [startTimes(clock)]);
  const { tables } = world;
  const firstSight = new FirstSight(tables);
  const keeper = new StateKeeper(storage, machine, log);
  const state = await keeper.load();
  const endpoints = new Set<TokenEndpoint>();
  const findApplication = (clientId: string) => firstSight.find(clientId);
  const findUser = (id: string) => tables.users.get(id);
  const published = publicCopies();
  const bans = new Bans(world, clock);
  const listApplications = () => [...tables.applications, ...firstSight.list()];

  const requests = new PeopleQueue({
    clock,
    timeoutMs: consent.timeoutMs ?? 120_000,
    added: (request) => world.tell({ type: 'request-added', request }),
    settled: (request, settlement) => world.tell({ type: 'request-settled', request, settlement }),
  });
  const oauth2 = new AuthorizationServer({
    me: () => world.me(),
    user: (id) => (bans.isBanned(id) ? undefined : findUser(id)),
    application: findApplication,
    guild: (id) => {
      const guild = tables.guilds.get(id);
      return guild === undefined ? undefined : authorizedGuildAnswer(guild);
    },
    webhooks: webhookMakerOf({ world, clock }, (clientId) => findApplication(clientId)?.record),
    installer: installerOf(world, clock, (clientId) => findApplication(clientId)?.record),
    tell: (change) => world.tell(change),
    save: (next, revoked) => keeper.save(next, revoked),
    state,
    clock,
    machine,
    log,
    policy: consent.policy ?? 'ask',
    queue: requests,
    promptsPerMinute: consent.promptsPerMinute ?? 3,
    pauseMs: consent.pauseMs,
  });
  const external = new ExternalAccounts({
    world,
    clock,
    application: findApplication,
    introspect: (token) => oauth2.introspect(token),
    uses: (userId, clientId) => oauth2.holds(userId, clientId),
    isAuthorized: (userId) => oauth2.authorizedBy(userId).length > 0,
    isBanned: (userId) => bans.isBanned(userId),
  });
  const webhooks = new Webhooks(world, clock);
  const links = new Links({ world, bans, oauth2, external, people: requests });
  const web = new WebConsent({ machine, oauth2, people: requests });
  const transfer = new Transfer(world, options.fixture);
  const { fileStore } = transfer;
  const messageIndex = new MessageIndex(world);
  const archiving = new Archiving(world, clock);
  world.subscribeRows((transaction) => {
    messageIndex.follow(transaction);
    archiving.follow(transaction);
  });
  const store = new ApplicationStore(world, clock);
  const channelInvites = new ChannelInvites(world, clock);
  const automod = new AutoMod(world, clock);
  world.subscribeRows((transaction) => automod.follow(transaction));
  await automod.patterns.loading;
  const platform: Platform = {
    world,
    oauth2,
    external,
    web,
    webhooks,
    clock,
    people: requests,
    files: new FileAddresses(clock),
    fileStore,
    messageIndex,
    automod,
    log,
    application: findApplication,
  };
  const idleLobbies = new IdleLobbies(world, clock);
  const connection = new VoiceConnection(world, clock);
  const calls = new Calls(world, connection, clock);
  const messages = new Messages(
    world,
    clock,
    (file) => {
      const [endpoint] = endpoints;
      const channel = tables.messages.get(file.message)?.channel;
      // Nobody fetches what nothing serves.
      return endpoint === undefined || channel === undefined
        ? `attachment://${file.filename}`
        : platform.files.of(endpoint.url, channel, file);
    },
    automod,
  );
  followChanges({ world, connection, bans, links, web, requests, oauth2, external, webhooks });
  bans.start();
  const byClock = startByClock(world, clock);
  archiving.start();
  links.start();
  idleLobbies.start();

  const setVoiceState = (voice: VoiceSettings): VoiceSettings => {
    world.transaction((writing) => writing.voice.set(voice));
    return tables.voice.value;
  };

  return {
    clock,
    tables,
    oauth2,
    bans,
    links,
    requests,
    webhooks,
    scheduledEvents: byClock.scheduledEvents,
    calls,
    voiceConnection: connection,
    playback: new Playback(world),
    polls: new Polls(world, clock),
    messages,
    messageIndex,
    people: new People(world),
    external,
    client: new Client(world),
    store,
    presences: new Presences(world, clock),
    invitations: new Invitations(world, clock),
    lobbies: new Lobbies(platform, messages),
    channelInvites,
    onChange: (listener) => world.subscribe(listener),

    me: () => world.me(),
    user: findUser,
    application: (clientId) => {
      const known = findApplication(clientId);
      return known === undefined ? undefined : published(known.record);
    },
    applications: () => listApplications().map((record) => ({ ...record, secret: null, bot_token: null })),

    guild: (id) => (isIn(tables, id, tables.me.value) ? tables.guilds.get(id) : undefined),
    guilds: () => [...tables.guilds].filter(({ id }) => isIn(tables, id, tables.me.value)),
    channels: (guildId) => visibleChannels(tables, guildId),
    channel: (id) => lookUpChannel(tables, id),
    permissions: (channelId) => {
      const channel = tables.channels.get(channelId);
      return channel === undefined ? 0n : permissionsIn(tables, channel, tables.me.value, clock.now());
    },
    setGuild: (id, key, value) => setGuild(world, id, key, value),
    onboard: (guild, user, options) => answerOnboarding(world, { guild, user, options, now: clock.now() }),

    voiceSettings: () => tables.voice.value,
    setVoiceSettings: (patch) => setVoiceState(mergeVoiceSettings(tables.voice.value, patch)),
    setVoice: (key, value) => setVoiceState(setVoiceText(tables.voice.value, key, value)),
    selectedVoiceChannel: () => calls.selected(),
    selectVoiceChannel: (channelId) => {
      if (channelId !== null) return calls.join(world.me().id, channelId);
      calls.leave(world.me().id);
      return null;
    },

    show: () => fixtureOf(tables, { applications: firstSight.list() }),
    apply: async (patch) => {
      // Nothing waits in here, so that two patches at the same time do not undo each other.
      try {
        const changes = world.changes((writing) =>
          applyPatch(writing, patch, { applications: firstSight.list() }),
        );
        // Whoever waits for it finds every rule in force.
        return await Promise.resolve(automod.patterns.loading).then(() => changes);
      } catch (error) {
        throw asPatchError(error);
      }
    },
    reset: () => {
      firstSight.clear();
      return transfer.reset();
    },
    load: (next) => transfer.load(next),

    exportState: () => transfer.text(),
    exportParts: () => transfer.parts(),
    importState: (text, file) => transfer.takeText(text, file),
    importParts: (file) => transfer.take(file),

    signInAddress: () => {
      const [endpoint] = endpoints;
      if (endpoint === undefined) return undefined;
      return `http://127.0.0.1:${endpoint.port}/sign-in?key=${web.browsers.invite()}`;
    },
    missing: () => missingOf(endpoints),
    listen: async (options) => {
      const endpoint = await listenOnLoopback({ ...options, platform, log });
      endpoints.add(endpoint);
      return endpoint;
    },
    close: async () => {
      requests.withdrawAll('the emulator is closing');
      webhooks.close();
      bans.close();
      byClock.close();
      archiving.close();
      idleLobbies.close();
      channelInvites.jobs.close();
      store.subscriptions.close();
      await Promise.all([...endpoints].map((endpoint) => endpoint.close()));
      messageIndex.close();
      fileStore.close();
      await keeper.close();
    },
  };
}
