import { FirstSight, findUser, publicApplication } from './accounts/accounts.ts';
import { People } from './accounts/people.ts';
import { Invitations } from './activity/invitations.ts';
import { Presences } from './activity/presences.ts';
import type { Change } from './change.ts';
import { Client } from './client/client.ts';
import { type Clock, systemClock } from './clock.ts';
import type {
  Application,
  Channel,
  ConsentPolicy,
  Fixture,
  Guild,
  User,
  VoiceSettings,
} from './fixture/fixture.ts';
import {
  type ChannelLookup,
  lookUpChannel,
  permissionsIn,
  publicGuild,
  visibleChannels,
  withGuild,
} from './guilds/guilds.ts';
import type { ListenOptions, TokenEndpoint } from './http/server.ts';
import { type Log, silentLog } from './log.ts';
import { Messages } from './messages/messages.ts';
import { AuthorizationServer } from './oauth2/authorization-server.ts';
import type { OAuth2 } from './oauth2/oauth2.ts';
import { Shop } from './shop/shop.ts';
import { emptyState, type StoredState } from './store/state.ts';
import { memoryStore, type Store } from './store/store.ts';
import { Calls } from './voice/calls.ts';
import { VoiceConnection } from './voice/connection.ts';
import { Playback } from './voice/playback.ts';
import { mergeVoiceSettings, setVoiceText } from './voice/settings.ts';
import { World } from './world.ts';

/** The offline service. It answers synchronously from memory; what must survive a restart is awaited. */
export interface Emulator {
  /** Subscribes to changes; the returned function ends it. A listener that throws is logged, not propagated. */
  onChange(listener: (change: Change) => void): () => void;

  me(): User;
  user(id: string): User | undefined;
  users(): readonly User[];
  /** Any snowflake is an application unless the fixture is strict; `undefined` otherwise. */
  application(clientId: string): Application | undefined;

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
  readonly client: Client;
  readonly shop: Shop;
  /** Activities by session; whoever opens sessions sets and drops them. */
  readonly presences: Presences;
  readonly invitations: Invitations;

  readonly oauth2: OAuth2;

  /** The state in the shape of a fixture, with client secrets left out. */
  show(): Fixture;
  /** Applies a merge-style patch as one step. @throws FixtureError and changes nothing when the result is not valid. */
  apply(patch: unknown): Promise<readonly Change[]>;
  /** Goes back to the fixture the emulator was started with, or that was loaded since; grants and tokens stay. */
  reset(): readonly Change[];
  /** Takes another fixture, and goes there at once; grants and tokens stay. */
  load(fixture: Fixture): readonly Change[];

  /** Starts the token endpoint on 127.0.0.1. */
  listen(options: ListenOptions): Promise<TokenEndpoint>;
  /** Withdraws open requests, closes the endpoint and waits for the store. */
  close(): Promise<void>;
}

/** What an emulator is made of. */
export interface EmulatorOptions {
  readonly fixture: Fixture;
  /** Default: forgets everything with the process. */
  readonly store?: Store;
  readonly clock?: Clock;
  readonly consent?: {
    /** Default `ask`. */
    readonly policy?: ConsentPolicy;
    /** How long a request waits for a person; default 120 000 ms. */
    readonly timeoutMs?: number;
    /** New prompts in a minute per process and per application; default 3. */
    readonly promptsPerMinute?: number;
  };
  readonly log?: Log;
}

/**
 * Starts an emulator. The store is read first; when it cannot be, the log says so and nothing is granted.
 * Neither a broken store nor a full disk rejects.
 */
export async function createEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { store = memoryStore(), clock = systemClock, consent = {}, log = silentLog } = options;
  let { fixture } = options;
  const world = new World(fixture, log);
  const firstSight = new FirstSight();
  const loaded = await store.load();
  const saves = new Set<Promise<unknown>>();
  /** What the store could not keep when it was last asked. */
  let unkept: StoredState | undefined;
  const endpoints = new Set<TokenEndpoint>();
  const findApplication = (clientId: string) => firstSight.find(world.state, clientId);

  const oauth2 = new AuthorizationServer({
    me: () => world.me(),
    user: (id) => findUser(world.state, id),
    application: findApplication,
    tell: (change) => world.tell(change),
    save: async (state) => {
      const save = store.save(state).catch((error: unknown) => {
        log.warn(`the store failed: ${error instanceof Error ? error.name : typeof error}`);
      });
      saves.add(save);
      const kept = (await save)?.kind === 'saved';
      saves.delete(save);
      unkept = kept ? undefined : state;
      return kept;
    },
    state: loaded.kind === 'loaded' ? loaded.state : emptyState,
    clock,
    log,
    policy: consent.policy ?? 'ask',
    timeoutMs: consent.timeoutMs ?? 120_000,
    promptsPerMinute: consent.promptsPerMinute ?? 3,
  });
  const connection = new VoiceConnection(world, clock);
  const calls = new Calls(world, connection);
  // The first listener, so that a request never outlives the account it was shown for.
  world.subscribe((change) => {
    connection.follow(change);
    if (change.type === 'me-changed') oauth2.withdrawAll('another account is logged in');
    else if (change.type === 'logged-out') oauth2.withdrawAll('the user has logged out');
    else if (change.type === 'user-removed') oauth2.forget({ userId: change.user.id });
    else if (change.type === 'application-removed') oauth2.forget({ clientId: change.application.id });
  });

  const setVoiceState = (voice: VoiceSettings): VoiceSettings => {
    world.commit({ ...world.state, voice });
    return world.state.voice;
  };

  return {
    oauth2,
    calls,
    voiceConnection: connection,
    playback: new Playback(world),
    messages: new Messages(world, clock),
    people: new People(world),
    client: new Client(world, clock),
    shop: new Shop(world, clock),
    presences: new Presences(clock, (key, activity) => world.tell({ type: 'activity-shown', key, activity })),
    invitations: new Invitations(clock),
    onChange: (listener) => world.subscribe(listener),

    me: () => world.me(),
    user: (id) => findUser(world.state, id),
    users: () => world.state.users,
    application: (clientId) => {
      const known = findApplication(clientId);
      return known === undefined ? undefined : publicApplication(known.record);
    },

    guild: (id) => world.state.guilds.filter((guild) => guild.id === id).map(publicGuild)[0],
    guilds: () => world.state.guilds.map(publicGuild),
    channels: (guildId) => visibleChannels(world.state, guildId),
    channel: (id) => lookUpChannel(world.state, id),
    permissions: (channelId) => permissionsIn(world.state, channelId, world.state.me),
    setGuild: (id, key, value) => {
      world.commit(withGuild(world.state, id, key, value));
      return world.state.guilds.filter((guild) => guild.id === id).map(publicGuild)[0] as Guild;
    },

    voiceSettings: () => world.state.voice,
    setVoiceSettings: (patch) => setVoiceState(mergeVoiceSettings(world.state.voice, patch)),
    setVoice: (key, value) => setVoiceState(setVoiceText(world.state.voice, key, value)),
    selectedVoiceChannel: () => calls.selected(),
    selectVoiceChannel: (channelId) => {
      if (channelId !== null) return calls.join(world.me().id, channelId);
      calls.leave(world.me().id);
      return null;
    },

    show: () => world.show(firstSight.list(world.state)),
    apply: async (patch) => {
      const { applyPatch } = await import('./fixture/patch.ts');
      // From here on nothing waits, so that two patches at the same time do not undo each other.
      return world.commit(applyPatch(world.state, patch, firstSight.list(world.state)));
    },
    reset: () => {
      firstSight.clear();
      return world.replace(fixture);
    },
    load: (next) => {
      fixture = next;
      return world.replace(next);
    },

    listen: async (options) => {
      const { listenOnLoopback } = await import('./http/server.ts');
      const endpoint = await listenOnLoopback({ ...options, oauth2, log });
      endpoints.add(endpoint);
      return endpoint;
    },
    close: async () => {
      oauth2.withdrawAll('the emulator is closing');
      await Promise.all([...endpoints].map((endpoint) => endpoint.close()));
      await Promise.all([...saves]);
      // There may be room by now: what the user took back must not come again with the next start.
      if (unkept !== undefined) await store.save(unkept).catch(() => {});
    },
  };
}
