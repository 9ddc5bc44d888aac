import { ExternalAccounts } from './accounts/external-accounts.ts';
import { People } from './accounts/people.ts';
import { FirstSight, publicApplication } from './applications/applications.ts';
import type { Application, ApplicationRecord, ConsentPolicy } from './applications/records.ts';
import { Bans } from './bans/bans.ts';
import { Links } from './bans/links.ts';
import type { Change } from './change.ts';
import { permissionsIn } from './channels/access.ts';
import { type Channel, type ChannelLookup, lookUpChannel, visibleChannels } from './channels/channels.ts';
import { Client } from './client/client.ts';
import { EmulatorClock, type MachineClock, systemClock } from './clock.ts';
import { FileAddresses } from './files/addresses.ts';
import { FileStore } from './files/store.ts';
import { type Fixture, fixtureOf, rowsOf } from './fixture/fixture.ts';
import { applyPatch, asPatchError } from './fixture/patch.ts';
import { parseState, stateText } from './fixture/state-file.ts';
import { authorizedGuildAnswer } from './guilds/answers.ts';
import { setGuild } from './guilds/guilds.ts';
import { isIn } from './guilds/membership.ts';
import type { Guild } from './guilds/records.ts';
import type { ListenOptions, TokenEndpoint } from './http/server.ts';
import { listenOnLoopback } from './http/server.ts';
import { ChannelInvites } from './invites/invites.ts';
import { type Log, silentLog } from './log.ts';
import { Messages } from './messages/messages.ts';
import { AuthorizationServer } from './oauth2/authorization-server.ts';
import { installerOf } from './oauth2/installer.ts';
import type { OAuth2 } from './oauth2/oauth2.ts';
import { WebConsent } from './oauth2/pages/web-consent.ts';
import { StateKeeper } from './oauth2/storage/keeper.ts';
import { memoryStore, type Store } from './oauth2/storage/store.ts';
import { PeopleQueue } from './people/queue.ts';
import type { Platform } from './platform.ts';
import { Invitations } from './presence/invitations.ts';
import { Presences } from './presence/presences.ts';
import { MessageIndex } from './search/message-index.ts';
import { ApplicationStore } from './store/store.ts';
import type { User } from './users/records.ts';
import { Calls } from './voice/calls.ts';
import { VoiceConnection } from './voice/connection.ts';
import { Playback } from './voice/playback.ts';
import type { VoiceSettings } from './voice/records.ts';
import { mergeVoiceSettings, setVoiceText } from './voice/settings.ts';
import { eventOf } from './webhooks/events.ts';
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
  readonly people: People;
  /** Accounts of people whom only a game knows. */
  readonly external: ExternalAccounts;
  readonly client: Client;
  readonly store: ApplicationStore;
  /** Activities by session; whoever opens sessions sets and drops them. */
  readonly presences: Presences;
  readonly invitations: Invitations;
  readonly channelInvites: ChannelInvites;

  readonly oauth2: OAuth2;
  readonly bans: Pick<Bans, 'isBanned' | 'unban'>;
  /** How what a person allowed applications ends without them. */
  readonly links: Pick<Links, 'ban' | 'end'>;
  /** What waits for a person. */
  readonly requests: PeopleQueue;
  /** What applications are told over HTTP. */
  readonly webhooks: Webhooks;

  /** The state in the shape of a fixture, with client secrets left out. */
  show(): Fixture;
  /** Applies a merge-style patch as one step. @throws FixtureError and changes nothing when the result is not valid. */
  apply(patch: unknown): Promise<readonly Change[]>;
  /** Goes back to the fixture the emulator was started with, or that was loaded since; grants and tokens stay. */
  reset(): readonly Change[];
  /** Takes another fixture, and goes there at once; grants and tokens stay. */
  load(fixture: Fixture): readonly Change[];

  /** The whole state as text: every table, client secrets included. Grants, tokens and what waits are not part of it. */
  exportState(): string;
  /**
   * Becomes an exported state as one step; grants and tokens stay, but for users and applications that are no more.
   * `file` names the text in errors. @throws FixtureError, with the state as it was.
   */
  importState(text: string, file: string): readonly Change[];

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
  readonly fixture: Fixture;
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
  let home = rowsOf(options.fixture);
  const world = new World(home, log);
  const { tables } = world;
  const firstSight = new FirstSight(tables);
  const keeper = new StateKeeper(storage, machine, log);
  const state = await keeper.load();
  const endpoints = new Set<TokenEndpoint>();
  const findApplication = (clientId: string) => firstSight.find(clientId);
  const findUser = (id: string) => tables.users.get(id);
  // Every session of an application holds it: one copy for all of them.
  const copies = new WeakMap<ApplicationRecord, Application>();
  const published = (record: ApplicationRecord): Application => {
    const known = copies.get(record);
    if (known !== undefined) return known;
    const copy = publicApplication(record);
    copies.set(record, copy);
    return copy;
  };
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
  const fileStore = new FileStore((digest) => tables.attachments.by('digest', digest).size > 0);
  world.subscribeRows(({ events }) => {
    for (const event of events) {
      if (event.table === 'attachments' && event.kind === 'removed') fileStore.settle(event.before.digest);
    }
  });
  const messageIndex = new MessageIndex(tables);
  world.subscribeRows((transaction) => messageIndex.follow(transaction));
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
    log,
    application: findApplication,
  };
  const connection = new VoiceConnection(world, clock);
  const calls = new Calls(world, connection, clock);
  // The first listener, so that a request never outlives the account it was shown for.
  world.subscribe((change) => {
    connection.follow(change);
    bans.follow(change);
    links.follow(change);
    if (change.type === 'me-changed' || change.type === 'logged-out') web.dropAll();
    if (change.type === 'me-changed') requests.withdrawAll('another account is logged in');
    else if (change.type === 'logged-out') requests.withdrawAll('the user has logged out');
    else if (change.type === 'user-removed') oauth2.forget({ userId: change.user.id });
    else if (change.type === 'application-removed') oauth2.forget({ clientId: change.application.id });
    else if (change.type === 'identity-merging') external.finishLater(change.identity);
    else if (change.type === 'application-adopted') {
      external.clear(change.clientId);
      oauth2.forget({ clientId: change.clientId });
    } else if (change.type === 'tokens-revoked' && change.family === undefined) {
      external.sever(change.clientId, change.userId);
    }
    const event = eventOf(change, tables);
    if (event !== undefined) webhooks.tell(event);
  });
  bans.start();
  links.start();

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
    calls,
    voiceConnection: connection,
    playback: new Playback(world),
    messages: new Messages(world, clock),
    people: new People(world),
    external,
    client: new Client(world),
    store: new ApplicationStore(world, clock),
    presences: new Presences(world, clock),
    invitations: new Invitations(world, clock),
    channelInvites: new ChannelInvites(world, clock),
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
        return world.changes((writing) => applyPatch(writing, patch, { applications: firstSight.list() }));
      } catch (error) {
        throw asPatchError(error);
      }
    },
    reset: () => {
      firstSight.clear();
      return world.replace(home);
    },
    load: (next) => {
      home = rowsOf(next);
      return world.replace(home);
    },

    exportState: () => stateText(world.snapshot()),
    importState: (text, file) => world.replace(rowsOf(parseState(text, file))),

    signInAddress: () => {
      const [endpoint] = endpoints;
      if (endpoint === undefined) return undefined;
      return `http://127.0.0.1:${endpoint.port}/sign-in?key=${web.browsers.invite()}`;
    },
    missing: () => {
      const counts = new Map<string, number>();
      for (const [what, times] of [...endpoints].flatMap((endpoint) => [...endpoint.missing()])) {
        counts.set(what, (counts.get(what) ?? 0) + times);
      }
      return counts;
    },
    listen: async (options) => {
      const endpoint = await listenOnLoopback({ ...options, platform, log });
      endpoints.add(endpoint);
      return endpoint;
    },
    close: async () => {
      requests.withdrawAll('the emulator is closing');
      webhooks.close();
      bans.close();
      await Promise.all([...endpoints].map((endpoint) => endpoint.close()));
      messageIndex.close();
      fileStore.close();
      await keeper.close();
    },
  };
}
