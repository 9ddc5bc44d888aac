import type { CoreSession } from '../core/core.ts';
import type { Call } from '../protocol/command.ts';
import { RpcError } from '../protocol/errors.ts';
import { type Request, readRequest } from '../protocol/payload.ts';
import { type EventName, findEvent } from '../protocol/registry.ts';
import { allows, describeRule } from '../protocol/scope.ts';
import { ErrorCode } from '../wire/codes.ts';
import type { Connection } from '../wire/connection.ts';
import { answer, checkArgs } from './dispatch.ts';
import { CoreGuard } from './guard.ts';
import type { Identity } from './identity.ts';
import type { Limits } from './limits.ts';
import { type Subscription, Subscriptions } from './subscriptions.ts';
import { Waiting } from './waiting.ts';

/** What {@link Requests} works with. */
export interface RequestsOptions {
  readonly clientId: string;
  readonly connection: Connection;
  readonly core: CoreSession;
  readonly identity: Identity;
  /** Shared by all sessions of a core. */
  readonly guard: CoreGuard;
  readonly limits: Limits;
  /** Whether answers may still be sent. */
  isOpen(): boolean;
  /** How many requests are in flight; told when it changes. */
  inFlight(count: number): void;
  /** Sends a current value of an event. */
  replay(evt: EventName, data: unknown): void;
  report(cmd: string, error: unknown): void;
  close(error: Error): void;
}

/** Current values of one event; more would be a flood. */
const MOST_CURRENT = 1024;

/** Serves the requests of one session, and keeps what it subscribed to: each gets exactly one answer, before the events it causes. */
export class Requests {
  readonly subscriptions: Subscriptions;
  readonly #options: RequestsOptions;
  /** A relay has a server of its own behind it: what hangs there is no other session's concern. */
  readonly #guard: CoreGuard;
  /** One for each request in flight. */
  readonly #waiting = new Set<Waiting>();

  constructor(options: RequestsOptions) {
    this.#options = options;
    this.#guard = options.core.relay ? new CoreGuard() : options.guard;
    this.subscriptions = new Subscriptions(options.limits.subscriptions);
  }

  /** The peer has left. */
  end(): void {
    for (const waiting of this.#waiting) waiting.end();
  }

  async serve(body: Uint8Array): Promise<void> {
    const { connection, core, identity, limits } = this.#options;
    const waiting = new Waiting();
    this.#waiting.add(waiting);
    this.#options.inFlight(this.#waiting.size);
    const afterReply: (() => void)[] = [];
    try {
      const frame = await answer(readRequest(body), {
        core,
        scopes: identity.scopes,
        transport: connection.kind,
        guard: this.#guard,
        limits,
        waiting,
        report: (cmd, error) => this.#options.report(cmd, error),
        call: (request, forward) => this.#call(request, forward, waiting, afterReply),
      });
      if (!this.#options.isOpen()) return;
      connection.send(frame);
      for (const task of afterReply) task();
    } catch (error) {
      this.#options.close(error as Error);
    } finally {
      this.#waiting.delete(waiting);
      this.#options.inFlight(this.#waiting.size);
    }
  }

  #call(
    request: Request,
    forward: (args: unknown) => Promise<unknown>,
    waiting: Waiting,
    afterReply: (() => void)[],
  ): Call {
    const { clientId, connection, identity } = this.#options;
    return {
      clientId,
      transport: connection.kind,
      evt: request.evt,
      forward,
      exclusively: (step, task) => identity.exclusively(step, task),
      authenticated: ({ token, scopes }) => identity.authenticated(token, scopes),
      subscribe: (evt, rawArgs) => this.#subscribe(evt, rawArgs, waiting, afterReply),
      unsubscribe: async (evt, rawArgs) => {
        const { name, args } = this.#event(evt, rawArgs, { scopeNeeded: false });
        if (!this.subscriptions.remove(name, args)) return;
        const { core } = this.#options;
        await this.#asked('UNSUBSCRIBE', async () => core.unsubscribe?.(name, args));
      },
    };
  }

  async #subscribe(
    evt: string,
    rawArgs: unknown,
    waiting: Waiting,
    afterReply: (() => void)[],
  ): Promise<void> {
    const { core } = this.#options;
    const { name, args } = this.#event(evt, rawArgs);
    const { subscription, isNew } = this.subscriptions.add(name, args);
    // The very same subscription exists: it shares the outcome, and nothing is added or replayed.
    if (!isNew) return subscription.settled;
    try {
      subscription.settled = this.#start(name, args, core, waiting).then((current) => {
        afterReply.push(() => this.#activate(name, subscription, current));
      });
      await subscription.settled;
    } catch (error) {
      this.subscriptions.cancel(subscription);
      throw error;
    }
  }

  async #start(
    name: EventName,
    args: unknown,
    core: CoreSession,
    waiting: Waiting,
  ): Promise<readonly unknown[]> {
    const task = async () => core.subscribe?.(name, args, waiting);
    const current: unknown = (await this.#asked('SUBSCRIBE', task, waiting)) ?? [];
    if (Array.isArray(current)) return current.slice(0, MOST_CURRENT);
    throw new RpcError(ErrorCode.UNKNOWN_ERROR, 'The client gave no valid answer to SUBSCRIBE', {
      detail: 'current values: expected a list',
    });
  }

  #asked<T>(cmd: string, task: () => Promise<T>, waiting?: Waiting): Promise<T> {
    return this.#guard.run(cmd, { ms: this.#options.limits.answerMs, waitsFor: 'core' }, task, waiting);
  }

  #event(evt: string, rawArgs: unknown, { scopeNeeded = true } = {}): { name: EventName; args: unknown } {
    const definition = findEvent(evt);
    if (definition === undefined || definition.kind === 'unsubscribable') {
      throw new RpcError(ErrorCode.INVALID_EVENT, 'evt: names no event that can be subscribed to');
    }
    if (scopeNeeded && !allows(definition.scope, this.#options.identity.scopes)) {
      throw new RpcError(
        ErrorCode.INVALID_PERMISSIONS,
        `${evt} needs the scope ${describeRule(definition.scope)}; AUTHORIZE and AUTHENTICATE first`,
      );
    }
    return { name: evt as EventName, args: checkArgs(definition.args(), rawArgs) };
  }

  /** Replays state, then sends what happened between SUBSCRIBE and its answer. */
  #activate(evt: EventName, subscription: Subscription, current: readonly unknown[]): void {
    const waiting = this.subscriptions.activate(subscription);
    // UNSUBSCRIBE cancels a SUBSCRIBE that is still being answered (protocol 4.3).
    if (waiting === undefined) return;
    for (const data of current) this.#options.replay(evt, data);
    for (const frame of waiting) this.#options.connection.send(frame);
  }
}
