import { removeDeadFolders } from '../../../platform/files/process-folder.ts';
import { Faults } from '../../faults/faults.ts';
import { Bans } from '../accounts/bans/bans.ts';
import { Links } from '../accounts/bans/links.ts';
import { RequestQueue } from '../accounts/consent/queue.ts';
import { READING_MS } from '../accounts/consent/reading-time.ts';
import { ExternalAccounts } from '../accounts/external-accounts.ts';
import { HeadlessSessions } from '../accounts/headless/sessions.ts';
import { OAuth2 } from '../accounts/oauth2/oauth2.ts';
import { WebConsent } from '../accounts/oauth2/pages/web-consent.ts';
import { StateStorage } from '../accounts/oauth2/storage/state-storage.ts';
import { memoryStore } from '../accounts/oauth2/storage/store.ts';
import { Violations } from '../api/violations.ts';
import { SeenApplications } from '../applications/applications.ts';
import { Webhooks } from '../applications/webhooks/webhooks.ts';
import { FileAddresses } from '../files/addresses.ts';
import { FILES_FOLDER } from '../files/incoming.ts';
import { AutoMod } from '../guilds/automod/automod.ts';
import { VoiceConnection } from '../guilds/voice/connection.ts';
import { startTimes } from '../guilds/voice/start-time.ts';
import { Activities } from '../interactions/activities/activities.ts';
import { hasOwnCommands } from '../interactions/commands/installed.ts';
import { Interactions } from '../interactions/interactions.ts';
import { EmulatorClock, systemClock } from '../kernel/clock.ts';
import { silentLog } from '../kernel/log.ts';
import { memoryLimits } from '../kernel/memory.ts';
import { rememberNonces } from '../messages/removed-nonces.ts';
import { MessageIndex } from '../messages/search/message-index.ts';
import { Typing } from '../messages/typing.ts';
import { hasRoomForMessage, writeNotice } from '../messages/write.ts';
import { Gateway } from '../serve/gateway/gateway.ts';
import type { TokenEndpoint } from '../serve/http/server.ts';
import { Invitations } from '../users/presence/invitations.ts';
import type { EmulatorOptions } from './emulator-options.ts';
import { rowsOf } from './fixture/fixture.ts';
import { Transfer } from './fixture/transfer.ts';
import type { Platform } from './platform.ts';
import { platformWorld } from './platform-world.ts';

/**
 * Creates the state and the services that the platform's operations need. The storage is read first; if that fails, a
 * warning is logged and no grant is loaded.
 */
export async function composePlatform(options: EmulatorOptions) {
  const { storage = memoryStore(), clock: machine = systemClock, consent = {}, log = silentLog } = options;
  const memory = options.memory ?? memoryLimits();
  if (options.world === undefined) await removeDeadFolders(FILES_FOLDER);
  const clock: EmulatorClock = new EmulatorClock(
    machine,
    options.from?.clock,
    (callback) => world.always(callback),
    (from, to, isFrozen) => options.journal?.clockMoved(from, to, isFrozen),
    () => options.journal?.clockRests(),
  );
  const home = rowsOf(options.fixture);
  const rows = options.from === undefined ? home : rowsOf(options.from.world);
  const world = platformWorld(rows, log, [startTimes(clock), rememberNonces(clock)], memory.room);
  const { tables } = world;
  const seenApplications = new SeenApplications(tables);
  const stateStorage = new StateStorage(storage, machine, log);
  const state = await stateStorage.load();
  const findApplication = (clientId: string) => seenApplications.find(clientId);
  const bans = new Bans(world, clock);

  const requests = new RequestQueue({
    clock,
    timeoutMs: consent.timeoutMs ?? 120_000,
    added: (request) => world.signal({ type: 'request-added', request }),
    settled: (request, settlement) => world.signal({ type: 'request-settled', request, settlement }),
  });
  const oauth2 = new OAuth2({
    world,
    clock,
    machine,
    log,
    application: findApplication,
    bans,
    requests: requests,
    storage: stateStorage,
    state,
    policy: consent.policy ?? 'ask',
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
  const observers = { journal: options.journal, faults: options.faults ?? new Faults() };
  const violations = new Violations({
    isOn: () => options.strict === true || tables.strict.value,
    now: () => clock.now(),
    journal: options.journal,
  });
  const webhooks = new Webhooks(
    world,
    clock,
    observers,
    async () => (await import('./webhook-shape.ts')).webhookShape,
  );
  const links = new Links({ world, bans, oauth2, external, requests });
  const web = new WebConsent({
    machine,
    oauth2,
    requests: requests,
    readingMs: consent.readingMs ?? READING_MS,
  });
  const transfer = new Transfer(world, log, { fixture: options.fixture, rows: home }, options.from?.world);
  const { fileStore } = transfer;
  const messageIndex = new MessageIndex(world);
  const activities = new Activities(world, clock, machine);
  const automod = new AutoMod(world, clock, (...alert) =>
    hasRoomForMessage(tables) ? writeNotice(...alert).id : undefined,
  );
  await automod.patterns.loading;
  const platform: Platform = {
    world,
    oauth2,
    external,
    web,
    webhooks,
    clock,
    requests: requests,
    files: new FileAddresses(clock),
    fileStore,
    messageIndex,
    typing: new Typing(clock),
    automod,
    activities,
    invitations: new Invitations(world, clock),
    headless: new HeadlessSessions(world, clock),
    gateway: new Gateway({
      platform: () => platform,
      derivations: async () => {
        const [{ derivationsOf }, { dispatches }] = await Promise.all([
          import('../serve/gateway/hub.ts'),
          import('./dispatches.ts'),
        ]);
        return derivationsOf(dispatches, platform);
      },
      clock,
      machine,
      maxConnections: options.maxGatewayConnections,
      memory,
    }),
    interactions: new Interactions({
      world,
      clock,
      files: fileStore,
      violations,
      isInstalledBy: (user, application) => hasOwnCommands({ world, oauth2 }, application, user),
    }),
    ...observers,
    violations,
    log,
    application: findApplication,
    worldName: options.world,
  };
  const connection = new VoiceConnection(world, clock);
  /** The running servers of the API. */
  const endpoints = new Set<TokenEndpoint>();
  return {
    platform,
    world,
    clock,
    oauth2,
    seenApplications,
    stateStorage,
    bans,
    links,
    transfer,
    connection,
    endpoints,
  };
}

/** The state and the services of an emulator. */
export type Parts = Awaited<ReturnType<typeof composePlatform>>;
