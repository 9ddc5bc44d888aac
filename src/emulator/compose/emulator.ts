import { issuerOf } from '../accounts/oauth2/issuer.ts';
import { UserAccounts } from '../accounts/user-accounts.ts';
import { Lookup } from '../api/lookup.ts';
import type { Transaction } from '../api/world.ts';
import { publicCopies } from '../applications/applications.ts';
import { botTokenOf } from '../applications/bot.ts';
import { ApplicationStore } from '../applications/monetization/store.ts';
import type { Application, ApplicationRecord } from '../applications/records.ts';
import { permissionsIn } from '../guilds/channels/access.ts';
import { type Channel, findChannel, visibleChannels } from '../guilds/channels/channels.ts';
import { Client } from '../guilds/client/client.ts';
import { ScheduledEvents } from '../guilds/events/events.ts';
import { setGuild } from '../guilds/guilds.ts';
import { ChannelInvites } from '../guilds/invites/accept.ts';
import { isIn } from '../guilds/members/membership.ts';
import { answerOnboarding } from '../guilds/onboarding/answer-onboarding.ts';
import { askToJoin, withdrawRequest } from '../guilds/onboarding/ask-to-join.ts';
import type { GuildJoinRequest, OnboardingAnswers } from '../guilds/onboarding/records.ts';
import { Calls } from '../guilds/voice/calls.ts';
import { Playback } from '../guilds/voice/playback.ts';
import { mergeVoiceSettings, setVoiceText } from '../guilds/voice/settings.ts';
import type { VoiceSettings } from '../guilds/voice/settings-schema.ts';
import { UserActions } from '../interactions/player/user-actions.ts';
import { ChannelViews } from '../interactions/view/channel-view.ts';
import { Lobbies } from '../lobbies/lobbies.ts';
import { MessageActions } from '../messages/message-actions.ts';
import { Messages } from '../messages/messages.ts';
import { Polls } from '../messages/polls/polls.ts';
import {
  type ListenOptions,
  listenOnLoopback,
  missingOf,
  type SharedEndpoint,
  type TokenEndpoint,
} from '../serve/http/server.ts';
import type { SettleOptions } from '../serve/settle.ts';
import { Presences } from '../users/presence/presences.ts';
import type { Parts } from './compose-platform.ts';
import { fixtureOf } from './fixture/fixture.ts';
import { applyPatch, asPatchError } from './fixture/patch.ts';
import type { Platform } from './platform.ts';

/**
 * The offline service: its parts, and the operations that involve several parts. It replies synchronously from memory;
 * only operations whose result must survive a restart are asynchronous.
 */
export function emulatorOf(parts: Parts, stopServices: () => Promise<void>) {
  const { platform, world, clock, connection, endpoints, seenApplications, transfer } = parts;
  const { tables } = world;
  const published = publicCopies();
  const calls = new Calls(world, connection, clock);
  const messages = new Messages(platform, (file) => {
    const [endpoint] = endpoints;
    const channel = tables.messages.get(file.message)?.channel;
    // Without a running server, the file has no URL that can be fetched.
    return endpoint === undefined || channel === undefined
      ? `attachment://${file.filename}`
      : platform.files.of(endpoint.url, channel, file);
  });
  let seedClock = clock.status();
  const changeVoice = (voice: VoiceSettings): VoiceSettings => {
    world.transaction((writing) => writing.voice.set(voice));
    return tables.voice.value;
  };
  return {
    /** The clock of all parts. */
    clock,
    /** Read access to the tables. */
    tables,
    /** Finds records by id or name. */
    lookup: new Lookup({
      tables,
      application: (clientId) => seenApplications.find(clientId)?.record,
      applications: () => [...tables.applications, ...seenApplications.list()],
    }),
    oauth2: parts.oauth2,
    bans: parts.bans,
    /** Ends authorizations without the user's action, such as after a ban. */
    links: parts.links,
    /** Requests that wait for the operator. */
    requests: platform.requests,
    /** Delivery of events to applications over HTTP. */
    webhooks: platform.webhooks,
    /** The WebSocket gateway for bots and games. */
    gateway: platform.gateway,
    /** Users who are interested in scheduled events. */
    scheduledEvents: new ScheduledEvents(world),
    calls,
    voiceConnection: connection,
    playback: new Playback(world),
    polls: new Polls(world),
    messages,
    /** What users do at messages besides writing. */
    messageActions: new MessageActions(platform),
    /** The search index of messages; tests may choose its progress. */
    messageIndex: platform.messageIndex,
    accounts: new UserAccounts(world),
    /** Provisional accounts of games. */
    external: platform.external,
    client: new Client(world),
    /** Running activities and their participants. */
    activities: platform.activities,
    store: new ApplicationStore(world, clock),
    /** Activities by session. Only the owner of a session sets and removes the session's activities. */
    presences: new Presences(world, clock),
    invitations: platform.invitations,
    /** Actions of other users' games in lobbies. */
    lobbies: new Lobbies(platform, messages),
    channelInvites: new ChannelInvites(world, clock),
    /** Actions of the user at the client, who uses the features of applications. */
    userActions: new UserActions(platform, () => [...endpoints][0]?.url ?? ''),
    /** Channels and messages as users see them. */
    channelViews: new ChannelViews(platform, () => [...endpoints][0]?.url ?? ''),
    /** Reads a stored file. Its code is loaded by the first call. */
    readMedia: async (address: string) =>
      (await import('../interactions/view/media.ts')).readMedia(platform, address),

    /** Interactions of users with applications. */
    interactions: platform.interactions,
    /** Export, import and reset of the whole state with its files. */
    transfer,

    /** See {@link World.subscribe}. */
    subscribe: world.subscribe.bind(world),

    /** See {@link World.subscribeSignals}. */
    subscribeSignals: world.subscribeSignals.bind(world),

    me: () => world.me(),

    user: (id: string) => tables.users.get(id),

    /** The application with an id. Any snowflake is an application unless the fixture is strict. */
    application(clientId: string): Application | undefined {
      const known = seenApplications.find(clientId);
      return known === undefined ? undefined : published(known.record);
    },

    /** Applications of the fixture, and applications that have connected. The secrets are left out. */
    applications(): readonly ApplicationRecord[] {
      return [...tables.applications, ...seenApplications.list()].map((record) => ({
        ...record,
        secret: null,
        bot_token: null,
      }));
    },

    /**
     * The caller that an Authorization header names now; of a bot with a header of its own, which is secret. Undefined for
     * unknown credentials.
     */
    async callerOf(authorization: string) {
      const { identified } = await import('../serve/http/authenticate.ts');
      const caller = identified(authorization, platform);
      if (caller?.kind !== 'bot') return caller && ({ kind: 'user' } as const);
      const { application } = caller;
      return {
        kind: 'bot',
        application: application.id,
        authorization: `Bot ${botTokenOf(application)}`,
      } as const;
    },

    /** A guild that the logged-in user is a member of. */
    guild: (id: string) => (isIn(tables, id, tables.me.value) ? tables.guilds.get(id) : undefined),

    /** Guilds that the logged-in user is a member of. */
    guilds: () => [...tables.guilds].filter(({ id }) => isIn(tables, id, tables.me.value)),

    /** Channels that the logged-in user may view, of one guild or of all guilds, in the order of the fixture. */
    channels: (guildId?: string) => visibleChannels(tables, guildId),

    channel: (id: string) => findChannel(tables, id),

    /** The logged-in user's permissions in a channel, as a bit field. */
    permissions(channelId: string): bigint {
      const channel = tables.channels.get(channelId);
      if (channel === undefined) return 0n;
      return permissionsIn(tables, channel, tables.me.value, clock.now());
    },

    /** Sets a field of a guild. @throws SettingError naming the key. */
    setGuild: (id: string, key: 'name' | 'icon', value: string | null) => setGuild(world, id, key, value),

    /** Stores a member's onboarding answers by ids or titles. @throws SettingError */
    onboard(guild: string, user: string, options: readonly string[]): OnboardingAnswers {
      return answerOnboarding(world, { guild, user, options, now: clock.now() });
    },

    /** Asks to join a guild on behalf of a user. @throws SettingError */
    askToJoin(guild: string, user: string, answers: readonly string[], isStarted: boolean): GuildJoinRequest {
      return askToJoin(world, { guild, user, answers, isStarted, now: clock.now() });
    },

    /** Withdraws a user's request to join a guild. @throws SettingError */
    withdrawRequest: (guild: string, user: string): GuildJoinRequest => withdrawRequest(world, guild, user),

    voiceSettings: () => tables.voice.value,

    /**
     * Merges a partial object into the settings and returns all settings. Unknown keys are ignored. @throws SettingError
     * that names the field.
     */
    setVoiceSettings: (patch: unknown) => changeVoice(mergeVoiceSettings(tables.voice.value, patch)),

    /**
     * Sets one voice setting: its dotted key and its value as typed on the command line. @throws SettingError that names
     * the key.
     */
    setVoice: (key: string, value: string) => changeVoice(setVoiceText(tables.voice.value, key, value)),

    selectedVoiceChannel: () => calls.selected(),

    /**
     * Joins a voice channel, or leaves the current one for null. @throws SettingError for a channel that is unknown, not
     * viewable or full, or that has no voice.
     */
    selectVoiceChannel(channelId: string | null): Channel | null {
      const { id } = world.me();
      if (channelId !== null) return calls.join(id, channelId);
      calls.leave(id);
      return null;
    },

    /** The state as a fixture, without client secrets. */
    toFixture: () => fixtureOf(tables, { applications: seenApplications.list() }),

    /** Applies a merge patch atomically. If the result is invalid, nothing changes. @throws FixtureError */
    async apply(patch: unknown): Promise<Transaction['events']> {
      // No `await` may come before the change: otherwise two concurrent patches could undo each other.
      try {
        const changes = world.changes((writing) =>
          applyPatch(writing, patch, { applications: seenApplications.list() }),
        );
        // Every AutoMod rule must be active when this promise resolves.
        await platform.automod.patterns.loading;
        return changes;
      } catch (error) {
        throw asPatchError(error);
      }
    },

    /** Whether bots, apps and webhooks receive no events of the current commit. */
    isQuiet: () => world.isQuiet,

    /**
     * Returns to the seed: the fixture that was loaded last, or the state of the last `seed`. Grants and tokens stay. A
     * `whole` reset also ends injected faults and waiting requests, forgets violations of strict mode, and returns the
     * clock to that of the seed.
     */
    reset({ events = true, whole = false } = {}): Transaction['events'] {
      seenApplications.clear();
      if (whole) {
        platform.requests.withdrawAll('the emulator was reset');
        platform.faults.clear();
        platform.violations.reset();
      }
      const changes = events ? transfer.reset() : world.quietly(() => transfer.reset());
      // What becomes due when the clock goes on concerns the state of the seed.
      if (whole) clock.restore(seedClock);
      return changes;
    },

    /** Makes the present state, and the clock, those that a reset returns to. */
    seed(): void {
      transfer.seed();
      platform.violations.seed();
      seedClock = clock.status();
    },

    /** See {@link Transfer.text}. */
    exportState: () => transfer.text(),

    /** See {@link Transfer.takeText}. */
    importState: (text: string, file: string) => transfer.takeText(text, file),

    /** A URL at which a browser signs in. It is valid once and for ten minutes. Undefined while no server is running. */
    signInAddress(): string | undefined {
      const [endpoint] = endpoints;
      if (endpoint === undefined) return undefined;
      return `${issuerOf(endpoint.url)}/sign-in?key=${platform.web.browsers.invite()}`;
    },

    /** Requests to parts of the HTTP API that the emulator lacks, with their counts, in the order of first occurrence. */
    missing: () => missingOf(endpoints),

    /** Violations of strict mode. */
    violations: platform.violations,

    /** Starts the API server on 127.0.0.1. */
    async listen(options: ListenOptions): Promise<SharedEndpoint<Platform>> {
      const endpoint = await listenOnLoopback({
        ...options,
        platform,
        routes: async () => (await import('./reference.ts')).platformRoutes(),
        log: platform.log,
      });
      endpoints.add(endpoint);
      return endpoint;
    },

    /** Serves the API behind the server of another emulator, as the world that the options named. */
    listenAt(shared: SharedEndpoint<Platform>): TokenEndpoint {
      const endpoint = shared.mount(platform.worldName ?? '', platform);
      endpoints.add(endpoint);
      return endpoint;
    },

    /** Loads the code of the HTTP API, in the next turn: an answer that is ready now is sent before. */
    loadApi(): void {
      setImmediate(() => {
        for (const endpoint of endpoints) endpoint.load();
      });
    },

    /** Waits until the reactions of bots and apps to what has happened are complete. */
    settle: async (how: SettleOptions) =>
      (await import('../serve/settle.ts')).settle({ ...platform, clock }, () => endpoints, how),

    /** Withdraws open requests, stops the servers and waits for the storage. */
    close: stopServices,
  };
}

/** See {@link emulatorOf}. */
export type Emulator = ReturnType<typeof emulatorOf>;
