import { join } from 'node:path';
import type { SkippedEndpoint } from '../../platform/endpoint/claim.ts';
import { OwnProbes } from '../../platform/endpoint/own-probes.ts';
import { runtimeFolders } from '../../platform/endpoint/search.ts';
import { affordableRest, affordableSlots, descriptorLimit } from '../../platform/process/descriptor-limit.ts';
import { isDescendant } from '../../platform/process/program.ts';
import { SandboxLookup } from '../../platform/process/sandbox-lookup.ts';
import { type AdminOperations, boundOperations } from '../base/admin-operation.ts';
import { checkControlPath } from '../control/address.ts';
import type { ListeningControl } from '../control/listen.ts';
import { type ControlSource, callOperation } from '../control/routes.ts';
import { controlServer, MAX_CALLERS } from '../control/server.ts';
import type { AdminCaller, ApproverRule } from '../core/core.ts';
import { Faults } from '../faults/faults.ts';
import { proseWithoutSecrets } from '../journal/without-secrets.ts';
import { requirePeerCheck } from '../loopback/owner.ts';
import { createServer, type Server } from '../server/server.ts';
import { defaultLimits, type Limits } from '../session/limits.ts';
import type { OriginPolicy } from '../transport/gate.ts';
import { affordableLimits, descriptorsOf } from './affordable.ts';
import { notTheRequester, ofRequests } from './approver.ts';
import { bridgeFacts, bridgeOperations } from './bridge-facts.ts';
import { warnOfDamage } from './checked-file.ts';
import { rulesOf } from './config/presence-rules.ts';
import { consoleOperations, ownConsole } from './console.ts';
import { callerOf, statusOf } from './control-facts.ts';
import type { BuiltCore, OnRequest } from './core-options.ts';
import { buildCore } from './cores.ts';
import type { DaemonOptions } from './daemon-options.ts';
import { dataFolder } from './data-folder.ts';
import { Endpoints } from './endpoints/endpoints.ts';
import { endpointOperations } from './endpoints/operations.ts';
import { faultOperations } from './faults.ts';
import { Forwards } from './forwards.ts';
import { journalOperations } from './journal.ts';
import { listenPrivately, lockInstance } from './one-instance.ts';
import { ORIGINS_FILE } from './origin-list.ts';
import { type AllowedOrigins, allowedOrigins, originOperations } from './origins.ts';
import { ownPictures, pictureOperations } from './pictures.ts';
import { BridgePresence } from './presence/bridge-presence.ts';
import { presenceOperations } from './presence/operations.ts';
import { recordingOf, recordingOperations } from './recording.ts';
import { RefusedPages } from './refused-pages.ts';
import { resendOperations } from './resend/operations.ts';
import { ownResend } from './resend/own-resend.ts';
import { watchSockets } from './self-check.ts';
import { StateFiles } from './state-files.ts';
import { buildTransports } from './transports.ts';
import { voiceControlOperations } from './voice/operations.ts';
import { ownVoice } from './voice/own-voice.ts';
import { worldOperations } from './worlds/operations.ts';
import { Worlds } from './worlds/worlds.ts';

/** A running bridge with all its resources. */
export interface Daemon {
  readonly server: Server;
  readonly control: ListeningControl;
  /** Endpoints that others hold. */
  readonly skipped: readonly SkippedEndpoint[];
  readonly onRequest: OnRequest | undefined;
  /**
   * Applies fixture, consent and limits; other settings need a restart. Rejects with a description of the mistake, and
   * then changes no setting.
   */
  reload(settings: DaemonOptions['settings']): Promise<void>;
  /** Runs an operation of the core, or of a world. Rejects with ControlError. */
  call(operation: string, args: unknown, caller: AdminCaller, world?: string): Promise<unknown>;
  /** Accepts no new app, answers requests in flight, sends a CLOSE to every app. */
  drain(): Promise<void>;
  /** Frees all resources. A `drain` before it is not required. */
  close(): Promise<void>;
  /** Gives the endpoint up at once, without waiting, for a process that is about to end. */
  abandon(): void;
}

/** Maximum number of concurrent connections of a loopback port that have not identified themselves. */
const MAX_PENDING = 64;

/** Descriptors of each further endpoint: its listener, and its lock. */
const DESCRIPTORS_PER_SOCKET = 2;

/** Steps to undo, last first. */
type Undo = () => void | Promise<void>;

/** Starts a bridge; resolves once every listener is up. A failure leaves no resources behind. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const undo: Undo[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        // After a failed shutdown of one part, the other resources must still be freed.
        options.logger.error({ reason: nameOf(error) }, 'shutting down a part failed');
      }
    }
  };
  try {
    return await startParts(options, undo, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function startParts(options: DaemonOptions, undo: Undo[], close: () => Promise<void>): Promise<Daemon> {
  const { os, env, settings, logger } = options;
  const { force = false } = options;
  checkControlPath({ os: os.name, uid: os.uid }, env);
  const folders = os.prepareFolders(env);
  if (folders.snap !== undefined) {
    const text = `XDG_RUNTIME_DIR is the folder of the snap ${folders.snap}; the session's folder is used, where apps look`;
    logger.warn({ path: folders.folder }, text);
  }
  const unchecked = requirePeerCheck(os, folders);
  if (unchecked !== undefined) {
    const text = 'peers are not checked: only the folder keeps others out';
    logger.warn({ path: folders.folder, reason: unchecked }, text);
  }
  const instance = await lockInstance(os, folders, force);
  undo.push(() => instance.release());
  const data = dataFolder(options);
  const stateFiles = new StateFiles();
  if (data.kind === 'memory' && data.reason !== undefined)
    stateFiles.note('data folder', { kind: 'failed', reason: data.reason });

  const { descriptorLimit: descriptors = descriptorLimit() } = options;
  const sockets = settings.endpoints.flatMap(({ paths }) => paths).length;
  const forApps = descriptors === undefined ? undefined : descriptors - DESCRIPTORS_PER_SOCKET * sockets;
  const each = descriptorsOf(settings.core);
  const affordable = (wanted: Partial<Limits>): Limits =>
    affordableLimits({ ...defaultLimits, ...wanted }, forApps, each, logger);
  const limits = affordable(settings.limits);
  const slotsOf = (wanted: number): number => affordableSlots(wanted, limits.connections, forApps, each);
  // The pools must fit the limit of descriptors even in the worst case, when every listener is full.
  const ports = options.console === undefined ? 3 : 4;
  const sideConnections = ports * slotsOf(MAX_PENDING) + slotsOf(Number.MAX_SAFE_INTEGER);
  const ownProbes = new OwnProbes();
  let ipcPath: string | undefined;
  let ownPaths: () => readonly string[] = () => [];
  const mayAllow: ApproverRule =
    options.ownApproval === true
      ? () => undefined
      : notTheRequester((pid, requester) => pid === requester || isDescendant(pid, requester));
  const { faults = new Faults() } = options;
  let origins: AllowedOrigins | undefined;
  const originAllowed: OriginPolicy = (clientId, origin) => origins?.allows(clientId, origin) ?? false;
  let applicationName: BuiltCore['applicationName'];
  const refused = new RefusedPages({
    allows: originAllowed,
    applicationName: (clientId) => applicationName?.(clientId),
    journal: options.journal,
  });
  const built = await buildCore(settings.core, {
    ...settings,
    mayAnswer: ofRequests(mayAllow),
    promptLimits: options.promptLimits ?? true,
    observeHttp: options.observeHttp,
    onActivityWarning: ({ session, field, reason }) =>
      options.journal?.add({ kind: 'warning', session, message: proseWithoutSecrets(`${field}: ${reason}`) }),
    journal: options.journal,
    faults,
    gatewayConnections: affordableRest(
      settings.gatewayConnections,
      limits.connections * each + sideConnections,
      forApps,
    ),
    slotsOf,
    pageRule: (origin) => originAllowed(undefined, origin),
    onRefusedPage: (page) => refused.add(page),
    attach: settings,
    data,
    stateFiles,
    logger,
    os,
    env,
    folders,
    endpoint: () => ipcPath,
    ownPaths: () => ownPaths(),
    ownProbes,
  });
  undo.push(built.release);
  const presence = new BridgePresence({
    core: built.core,
    applicationName: built.applicationName,
    rules: rulesOf(settings),
    shown: settings.presenceShown,
    presenceAway: settings.presenceAway,
    loadRules: options.loadPresence,
    data,
    os,
    env,
    logger,
    stateFiles,
  });
  applicationName = (clientId) => presence.applicationName(clientId);
  undo.push(() => presence.core.stop());

  const allowed = allowedOrigins({
    path: data.kind === 'folder' ? join(data.path, ORIGINS_FILE) : undefined,
    uid: os.uid,
    native: os.native,
    ofCore: built.origins,
    onSaved: (path, result) => stateFiles.note(path, result, logger),
    unstored: data.kind === 'memory' ? data.reason : undefined,
    onDamaged: (damaged) => warnOfDamage(logger, damaged),
  });
  origins = allowed;
  const { ipc, others, ipcAt } = await buildTransports({
    os,
    folders,
    settings,
    limits,
    force,
    activated: options.activated,
    descriptorLimit: descriptors,
    pending: slotsOf(MAX_PENDING),
    originAllowed,
    onRefusedPage: (page) => refused.add(page),
    activities: built.activities,
    logger,
  });
  const voice = ownVoice({
    ...settings,
    data,
    os,
    logger,
    stateFiles,
    coreApi: () => server.core.api ?? undefined,
  });
  const resend = ownResend({
    journal: options.journal,
    sessions: () => server.sessions(),
    coreApi: () => server.core.api ?? undefined,
    platform: built.platform,
    uid: os.uid,
  });
  const transports = [ipc, ...others, voice.transport, resend.transport];
  const server = await createServer({
    transports,
    core: presence.core,
    limits,
    logger,
    onPing: (body) => ownProbes.received(body),
    journal: options.journal,
    faults,
  });
  // From here on, closing the server also stops the core.
  undo.pop();
  undo.push(() => server.close());
  undo.push(() => presence.close());
  undo.push(() => voice.close());
  undo.push(() => resend.close());
  undo.push(() => allowed.close());
  for (const { path } of server.endpoints) logger.info({ path }, 'listening');
  const endpoints = new Endpoints({
    os,
    folders,
    sandboxes: new SandboxLookup({ runtimes: runtimeFolders(os.name, env, os.uid) }),
    server,
    transport: ipcAt,
    logger,
    load: options.loadEndpoints,
  });
  endpoints.removeLeftOver();
  undo.push(() => endpoints.close());
  ownPaths = () => [...server.endpoints.map(({ path }) => path), ...endpoints.paths()];
  ipcPath = server.endpoints.find(({ kind }) => kind === 'ipc')?.path ?? '';

  const forwards = new Forwards({ env, logger });
  undo.push(() => forwards.close());

  const started = performance.now();
  const page = options.console && ownConsole(options.console, os, () => source);
  undo.push(() => page?.close());
  const pictures = options.pictures && ownPictures(os, options.pictures, () => source);
  undo.push(() => pictures?.close());
  const { shared } = built;
  const worlds =
    shared &&
    new Worlds({
      ...options,
      ...settings,
      folders,
      limits,
      shared,
      ipcAt: (path) => ipcAt({ path }),
      mayAllow,
      bridgeStatus: () => source.status(),
    });
  if (worlds !== undefined) undo.push(() => worlds.close());
  const recording =
    settings.core === 'emulator' ? recordingOf(() => operations, settings.fixture) : undefined;
  const operations: AdminOperations = {
    ...server.core.admin,
    ...(worlds && boundOperations(worldOperations, { worlds })),
    ...boundOperations(originOperations, { origins: allowed }),
    ...boundOperations(endpointOperations, { endpoints }),
    ...boundOperations(journalOperations, { journal: options.journal }),
    ...boundOperations(resendOperations, { resend }),
    ...boundOperations(presenceOperations, { presence }),
    ...boundOperations(faultOperations, { faults, core: settings.core }),
    ...boundOperations(voiceControlOperations, voice),
    ...boundOperations(bridgeOperations, { facts: bridgeFacts(env, options.started) }),
    ...(page && boundOperations(consoleOperations, { console: page })),
    ...(pictures && boundOperations(pictureOperations, { pictures })),
    ...(recording && boundOperations(recordingOperations, { recording })),
  };
  const source: ControlSource = {
    operations,
    mayAllow,
    ...(worlds && { world: (name: string) => worlds.of(name).source }),
    status: async () =>
      statusOf({
        os,
        server,
        ipc,
        started,
        journal: options.journal,
        refused,
        applicationName,
        further: endpoints,
        forwards: await forwards.list(),
        places: {
          config: null,
          log: null,
          ...options.places,
          data: data.kind === 'folder' ? data.path : null,
        },
        unstored: stateFiles.unstored(),
      }),
  };
  const api = controlServer({
    ...source,
    slots: slotsOf(MAX_CALLERS),
    identify: (socket) => callerOf(os, socket),
    onDefect: (error) => logger.error({ reason: nameOf(error) }, 'defect in the control API'),
  });
  const control = await listenPrivately(os, folders, api);
  undo.push(() => control.close());
  const restoreControl = async (): Promise<void> => {
    if (await instance.renew()) await control.restore();
  };
  const stopWatch = watchSockets(
    [
      { socket: ipc, path: ipcPath, what: 'endpoint', without: 'apps no longer find the bridge' },
      {
        socket: { ...control, restore: restoreControl },
        path: control.path,
        what: 'control socket',
        without: 'no command finds the bridge',
      },
    ],
    { logger, alsoCheck: () => endpoints.check() },
  );
  undo.push(stopWatch);
  await endpoints.apply(settings.endpoints);
  presence.start(settings);
  forwards.apply(settings.forwards);

  return {
    server,
    control,
    skipped: ipc.skipped(),
    onRequest: built.onRequest,
    call: (operation, args, caller, world) =>
      callOperation(
        world === undefined || !worlds ? source : worlds.of(world).source,
        operation,
        args,
        caller,
      ),
    async reload(changed) {
      const applyDetect = await presence.readDetect(changed.detect);
      await built.reload?.(changed);
      server.setLimits(affordable(changed.limits));
      presence.presences.setRules(rulesOf(changed));
      presence.applyAway(changed.presenceAway);
      applyDetect();
      // The file is read again, because another reload may have read a newer one meanwhile.
      await endpoints.reload();
      forwards.apply(changed.forwards);
    },
    async drain() {
      stopWatch();
      endpoints.abandon();
      await server.drain();
    },
    close,
    abandon() {
      stopWatch();
      ipc.stopAccepting();
      endpoints.abandon();
    },
  };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
