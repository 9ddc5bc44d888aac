import { CheckedPath, restoreSocket, socketErrorText } from '../../../platform/endpoint/checked-path.ts';
import type { watchPath } from '../../../platform/endpoint/watch-path.ts';
import { systemCode } from '../../base/local-error.ts';
import type { Logger } from '../../server/options.ts';
import type { OpenedEndpoint } from '../../server/server.ts';
import type { IpcTransport } from '../../transport/ipc/ipc.ts';

/** State of one further endpoint. `why` is one sentence with the remedy. */
export type EndpointState =
  | { readonly kind: 'waiting'; readonly why: string }
  | { readonly kind: 'blocked'; readonly why: string }
  | { readonly kind: 'serving' }
  | { readonly kind: 'closed' };

/** Services of one socket. */
export interface EndpointOptions {
  readonly name: string;
  readonly path: string;
  /** Makes a transport for the path; each attempt needs a new one. */
  transport(): IpcTransport;
  open(transport: IpcTransport): Promise<OpenedEndpoint>;
  readonly logger: Logger;
  /** Follows changes at the path; for tests. */
  readonly watch?: typeof watchPath;
}

interface Served {
  readonly transport: IpcTransport;
  readonly opened: OpenedEndpoint;
}

/**
 * One socket besides the bridge's own: it is served while its folder exists and the path is free, restored when it is
 * deleted, and removed at the end. A path that another program uses is left to that program. No failure affects the
 * other endpoints of the bridge.
 */
export class ServedEndpoint {
  readonly #options: EndpointOptions;
  #state: EndpointState = { kind: 'waiting', why: 'it is being opened.' };
  #served: Served | undefined;
  readonly #checks: CheckedPath;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#checks = new CheckedPath(options.path, () => this.#checkOnce(), options.watch);
  }

  get name(): string {
    return this.#options.name;
  }

  get path(): string {
    return this.#options.path;
  }

  get state(): EndpointState {
    return this.#state;
  }

  /** Tries to serve the path, and follows changes from then on. Never rejects. */
  async start(): Promise<void> {
    this.#checks.follow();
    await this.check();
  }

  /** Compares the path with the state, and serves or restores the socket where that is possible. Never rejects. */
  check(): Promise<void> {
    return this.#checks.run();
  }

  /** Gives up the path, sends CLOSE to the sessions, and removes the socket. */
  async close(): Promise<void> {
    this.#state = { kind: 'closed' };
    this.#served?.transport.stopAccepting();
    await this.#checks.stop();
    await this.#served?.opened.close();
    this.#served = undefined;
  }

  /** Removes the socket at once, for a process that is about to end. */
  abandon(): void {
    this.#state = { kind: 'closed' };
    void this.#checks.stop();
    this.#served?.transport.stopAccepting();
  }

  async #checkOnce(): Promise<void> {
    if (this.#isClosed) return;
    try {
      if (this.#served === undefined) await this.#open();
      else await this.#restore(this.#served.transport);
    } catch (error) {
      this.#failed(error);
    }
  }

  async #open(): Promise<void> {
    const transport = this.#options.transport();
    const opened = await this.#options.open(transport);
    this.#served = { transport, opened };
    this.#enter({ kind: 'serving' });
    // The endpoint was closed in the meantime.
    if (this.#isClosed) transport.stopAccepting();
  }

  async #restore(transport: IpcTransport): Promise<void> {
    const why = await restoreSocket(transport, this.path);
    this.#enter(why === undefined ? { kind: 'serving' } : { kind: 'blocked', why });
  }

  #failed(error: unknown): void {
    const why = socketErrorText(this.path, error, 'chosen');
    this.#enter({ kind: systemCode(error) === 'FOOTBRIDGE_NO_FOLDER' ? 'waiting' : 'blocked', why });
  }

  /** Logs each change of the state once. */
  #enter(state: Exclude<EndpointState, { kind: 'closed' }>): void {
    const before = this.#state;
    if (this.#isClosed) return;
    this.#state = state;
    if (before.kind === state.kind && reasonOf(before) === reasonOf(state)) return;
    const { logger, path } = this.#options;
    const fields = { path };
    if (state.kind === 'serving') logger.info(fields, 'endpoint is served');
    else if (state.kind === 'waiting') logger.info({ ...fields, reason: state.why }, 'endpoint waits');
    else logger.warn({ ...fields, reason: state.why }, 'endpoint is not served');
  }

  get #isClosed(): boolean {
    return this.#state.kind === 'closed';
  }
}

function reasonOf(state: EndpointState): string {
  return 'why' in state ? state.why : '';
}
