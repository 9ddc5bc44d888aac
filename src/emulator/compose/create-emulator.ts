import { People } from '../accounts/people.ts';
import { startServices } from '../api/service.ts';
import { publicCopies } from '../applications/applications.ts';
import { ApplicationStore } from '../applications/monetization/store.ts';
import { permissionsIn } from '../guilds/channels/access.ts';
import { lookUpChannel, visibleChannels } from '../guilds/channels/channels.ts';
import { Client } from '../guilds/client/client.ts';
import { ScheduledEvents } from '../guilds/events/events.ts';
import { setGuild } from '../guilds/guilds.ts';
import { ChannelInvites } from '../guilds/invites/channel-invites.ts';
import { isIn } from '../guilds/members/membership.ts';
import { answerOnboarding } from '../guilds/onboarding/answering.ts';
import { Calls } from '../guilds/voice/calls.ts';
import { VoiceConnection } from '../guilds/voice/connection.ts';
import { Playback } from '../guilds/voice/playback.ts';
import { mergeVoiceSettings, setVoiceText } from '../guilds/voice/settings.ts';
import type { VoiceSettings } from '../guilds/voice/settings-schema.ts';
import { Player } from '../interactions/player/player.ts';
import { Lobbies } from '../lobbies/lobbies.ts';
import { Messages } from '../messages/messages.ts';
import { Polls } from '../messages/polls/polls.ts';
import type { TokenEndpoint } from '../serve/http/server.ts';
import { listenOnLoopback, missingOf } from '../serve/http/server.ts';
import { Presences } from '../users/presence/presences.ts';
import { composePlatform } from './compose-platform.ts';
import type { Emulator, EmulatorOptions } from './emulator.ts';
import { fixtureOf } from './fixture/fixture.ts';
import { applyPatch, asPatchError } from './fixture/patch.ts';
import { servicesOf } from './services.ts';

/**
 * Starts an emulator. The storage is read first; when it cannot be, the log says so and nothing is granted.
 * Neither broken storage nor a full disk rejects.
 */
export async function createEmulator(options: EmulatorOptions): Promise<Emulator> {
  const parts = await composePlatform(options);
  const { platform, world, clock, oauth2, firstSight, bans, links, transfer } = parts;
  const { external, web, webhooks, people: requests, messageIndex, automod, activities, log } = platform;
  const { tables } = world;
  const endpoints = new Set<TokenEndpoint>();
  const published = publicCopies();
  const findApplication = platform.application;
  const store = new ApplicationStore(world, clock);
  const { interactions } = platform;
  const channelInvites = new ChannelInvites(world, clock);
  const connection = new VoiceConnection(world, clock);
  const calls = new Calls(world, connection, clock);
  const messages = new Messages(platform, (file) => {
    const [endpoint] = endpoints;
    const channel = tables.messages.get(file.message)?.channel;
    // Nobody fetches what nothing serves.
    return endpoint === undefined || channel === undefined
      ? `attachment://${file.filename}`
      : platform.files.of(endpoint.url, channel, file);
  });
  const stopServices = startServices(world, servicesOf({ ...parts, connection, endpoints }));

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
    gateway: platform.gateway,
    scheduledEvents: new ScheduledEvents(world),
    calls,
    voiceConnection: connection,
    playback: new Playback(world),
    polls: new Polls(world),
    messages,
    messageIndex,
    people: new People(world),
    external,
    client: new Client(world),
    activities,
    store,
    presences: new Presences(world, clock),
    invitations: platform.invitations,
    lobbies: new Lobbies(platform, messages),
    channelInvites,
    player: new Player(platform, () => [...endpoints][0]?.url ?? ''),
    interactions,
    subscribe: (derivation, listener, recovery) => world.subscribe(derivation, listener, recovery),
    subscribeSignals: (listener, recovery) => world.subscribeSignals(listener, recovery),

    me: () => world.me(),
    user: (id) => tables.users.get(id),
    application: (clientId) => {
      const known = findApplication(clientId);
      return known === undefined ? undefined : published(known.record);
    },
    applications: () =>
      [...tables.applications, ...firstSight.list()].map((record) => ({
        ...record,
        secret: null,
        bot_token: null,
      })),

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
    intake: () => transfer.intake(),
    freeForState: () => transfer.free(),
    load: (next) => transfer.load(next),

    missingFiles: () => transfer.missingFiles(),
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
      const endpoint = await listenOnLoopback({
        ...options,
        platform,
        routes: async () => (await import('./reference.ts')).platformRoutes(),
        log,
      });
      endpoints.add(endpoint);
      return endpoint;
    },
    close: stopServices,
  };
}
