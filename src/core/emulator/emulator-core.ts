import type { Server } from 'node:http';
import type { AnswerRule, WaitingRequest } from '../../emulator/api/waiting-request.ts';
import type { Emulator } from '../../emulator/compose/emulator.ts';
import { limitConnections } from '../../loopback/connection-limit.ts';
import { isPortTaken } from '../../loopback/listener.ts';
import type { OwnerCheck } from '../../loopback/owner.ts';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode } from '../../wire/codes.ts';
import type { ClientCore, CoreHost, Peer } from '../core.ts';
import { ActivityLinter, type SessionWarning } from './activity/linter.ts';
import type { AppSession } from './app-session.ts';
import { AppSessions } from './open-session.ts';
import { operations } from './operations.ts';
import { RequestHistory } from './requests/history.ts';
import { whenIdle } from './when-idle.ts';

/**
 * Earliest event that loads the code of the HTTP API, which takes longer than the start and needs 16 MB: an idle
 * process, an app that authorizes and exchanges the code over HTTP next, or the first request.
 */
export type LoadApi = 'idle' | 'authorize' | 'request';

/** Services and settings of the emulator core. */
export interface EmulatorCoreOptions {
  readonly emulator: Emulator;
  /** Server of another emulator, which serves this one as a world; then no port is opened. */
  readonly shared?: ReturnType<EmulatorCore['shared']>;
  /** Port of the token endpoint on 127.0.0.1; 0 selects a free port. */
  readonly httpPort: number;
  /** True if any free port may be used where `httpPort` is taken; otherwise `start` fails. */
  readonly orAnyPort?: boolean;
  /** Default: `request`. */
  readonly loadApi?: LoadApi | undefined;
  /** Refuses processes of other owners at the token endpoint; default: only our own user and root. */
  readonly refusedOwner?: OwnerCheck;
  /** Maximum number of connections to the token endpoint; default 512. */
  readonly maxConnections?: number;
  /** Whether the HTTP API and the gateway serve a web page of this origin. Default: they serve no page. */
  pageRule?(origin: string): boolean;
  /** Called for a page that the API or the gateway refused, with the page's Origin header. */
  onRefusedPage?(over: 'api' | 'gateway', origin: string): void;
  /** Whether an operator may allow a waiting request. */
  readonly mayAnswer: AnswerRule;
  /** Receives the HTTP server at its first connection, to observe its requests. */
  observeHttp?(server: Server): void;
  /** Called for each warning about an activity, where the fixture's rules ask for warnings. */
  onActivityWarning?(warning: SessionWarning): void;
  /** Name of a process's program for the consent prompt; a hint, never proof. */
  describeProgram?(pid: number): string | undefined;
}

/**
 * Maximum number of connections to the token endpoint. All connections of one turn of the event loop are accepted
 * before any of their requests is read, so the number must allow for a crowd of bots that reconnects after a restart.
 */
export const MAX_API_CONNECTIONS = 512;
const RECEIVE_MS = 10_000;

type RequestListener = (event: 'added' | 'settled', request: WaitingRequest) => void;

/** The emulator as a client core, with notifications for the operator at the terminal. */
export interface EmulatorCore extends ClientCore {
  /** Calls the listener when a request starts or stops waiting for the user; the returned function ends the calls. */
  onRequest(listener: RequestListener): () => void;
  /** The core's running server, behind which worlds are served. Throws before the start. */
  shared(): Awaited<ReturnType<Emulator['listen']>>;
}

/** The default client core: a whole service that works offline. */
export function emulatorCore(options: EmulatorCoreOptions): EmulatorCore {
  const { emulator, maxConnections = MAX_API_CONNECTIONS, loadApi = 'request' } = options;
  const sessions = new Map<string, AppSession>();
  const listeners = new Set<RequestListener>();
  const history = new RequestHistory();
  const notifyListeners: RequestListener = (event, request) => {
    for (const listener of listeners) listener(event, request);
  };
  const authorized = (): void => {
    if (loadApi !== 'request') emulator.loadApi();
  };
  let stopListening = (): void => {};
  let stopWaiting = (): void => {};
  let host: CoreHost | undefined;
  let running: ReturnType<EmulatorCore['shared']> | undefined;
  let apps: AppSessions | undefined;
  const linter = new ActivityLinter(
    () => emulator.tables.activity_rules.value,
    (warning) => {
      const { session, clientId, field, reason } = warning;
      const fields = { session, clientId, cmd: 'SET_ACTIVITY', reason: `${field}: ${reason}` };
      host?.log('warn', 'activity is doubtful', fields);
      options.onActivityWarning?.(warning);
    },
  );

  return {
    name: 'emulator',

    async start(coreHost: CoreHost) {
      host = coreHost;
      stopListening = emulator.subscribeSignals(
        (signal) => {
          if (signal.type === 'request-added') {
            notifyListeners('added', signal.request);
            // The user needs longer to decide than the load takes.
            if (signal.request.kind === 'authorization') authorized();
          }
          if (signal.type === 'request-settled') {
            history.add(signal.request, signal.settlement, emulator.clock.now());
            notifyListeners('settled', signal.request);
          }
        },
        // After an error no recovery is needed: the request still waits, and the list of waiting requests includes it.
        { name: 'prompts for waiting requests', recover: () => {} },
      );
      const listen = (port: number) =>
        emulator.listen({
          port,
          refusedOwner: options.refusedOwner,
          unidentified: maxConnections,
          pageRule: (origin) => options.pageRule?.(origin) ?? false,
          onRefusedPage: (over, origin) => options.onRefusedPage?.(over, origin),
          bound: (server) => {
            const limit = limitConnections(server, { slots: maxConnections, receiveMs: RECEIVE_MS });
            options.observeHttp?.(server);
            return limit;
          },
        });
      let isPortReplaced = false;
      const open = async () => {
        running = await listen(options.httpPort).catch((error: unknown) => {
          if (options.orAnyPort !== true || !isPortTaken(error)) throw error;
          isPortReplaced = true;
          return listen(0);
        });
        return running;
      };
      const endpoint = options.shared === undefined ? await open() : emulator.listenAt(options.shared);
      if (loadApi === 'idle') stopWaiting = whenIdle(() => emulator.loadApi());
      const taken = `another program has ${options.httpPort}, the usual one; --http-port N chooses one that stays the same`;
      return {
        api: endpoint.url,
        describe: () => (isPortReplaced ? [['port of the API', taken]] : []),
        admin: operations(
          { emulator, sessions, host: coreHost, linter },
          { mayAnswer: options.mayAnswer, history },
        ),
      };
    },

    open(peer: Peer) {
      if (host === undefined) throw new CloseError(CloseCode.ABNORMAL, 'The client is not running');
      const describeProgram = (pid: number) => options.describeProgram?.(pid);
      apps ??= new AppSessions({ emulator, sessions, host, linter, describeProgram, authorized });
      if (!emulator.accounts.loggedIn()) throw new CloseError(CloseCode.NORMAL, 'No user is logged in');
      const application = emulator.application(peer.clientId);
      if (application === undefined) throw new CloseError(CloseCode.INVALID_CLIENT_ID, 'Invalid Client ID');
      return apps.open(peer, application);
    },

    async stop() {
      stopListening();
      stopWaiting();
      apps?.close();
      await emulator.close();
    },

    shared() {
      if (running === undefined) throw new Error('the core has not been started');
      return running;
    },

    onRequest(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
