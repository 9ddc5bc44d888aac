import { type Awaitable, isLater } from '../base/later.ts';
import { checkArgs } from '../protocol/check-shapes.ts';
import { ErrorCode } from '../protocol/error-code.ts';
import { RpcError } from '../protocol/errors.ts';
import { type EventName, findEvent } from '../protocol/registry.ts';
import { allows, describeRule } from '../protocol/scope.ts';
import type { EncodedFrame } from '../wire/frame.ts';
import type { AnswerDeadline, CircuitBreaker } from './circuit-breaker.ts';
import type { RequestCall } from './request-call.ts';
import type { RequestsOptions } from './requests-options.ts';
import type { Subscription, Subscriptions } from './subscriptions.ts';

/** Maximum number of current values of one event; further values are not sent. */
const MAX_CURRENT = 1024;

type Options = Pick<RequestsOptions, 'core' | 'identity' | 'limits' | 'replay'>;

/** Serves SUBSCRIBE and UNSUBSCRIBE: calls the core, and sends current values after the answer. */
export class SubscriptionRequests {
  readonly #subscriptions: Subscriptions;
  readonly #breaker: CircuitBreaker;
  readonly #options: Options;
  readonly #sendEvent: (frame: EncodedFrame) => void;

  /** `sendEvent` sends an event after the answers that were created before it. */
  constructor(
    subscriptions: Subscriptions,
    breaker: CircuitBreaker,
    options: Options,
    sendEvent: (frame: EncodedFrame) => void,
  ) {
    this.#sendEvent = sendEvent;
    this.#subscriptions = subscriptions;
    this.#breaker = breaker;
    this.#options = options;
  }

  subscribe(call: RequestCall, evt: string, rawArgs: unknown): Awaitable<void> {
    const { name, args } = this.#event(evt, rawArgs);
    const { subscription, isNew } = this.#subscriptions.add(name, args);
    // The same subscription exists already, so this request gets the same result, and no value is sent again.
    if (!isNew) return subscription.settled;
    const start = (current: unknown): void => {
      const values = listOf(current);
      call.afterReply(() => this.#activate(name, subscription, values));
    };
    try {
      const { core } = this.#options;
      const current = this.#breaker.run(
        'SUBSCRIBE',
        this.#deadline,
        () => core.subscribe?.(name, args, call),
        call,
      );
      if (!isLater(current)) return start(current);
      subscription.settled = current.then(start).catch((error: unknown) => {
        this.#subscriptions.cancel(subscription);
        throw error;
      });
      return subscription.settled;
    } catch (error) {
      this.#subscriptions.cancel(subscription);
      throw error;
    }
  }

  unsubscribe(evt: string, rawArgs: unknown): Awaitable<void> {
    const { name, args } = this.#event(evt, rawArgs, { scopeNeeded: false });
    if (!this.#subscriptions.remove(name, args)) return undefined;
    const { core } = this.#options;
    return this.#breaker.run('UNSUBSCRIBE', this.#deadline, () => core.unsubscribe?.(name, args));
  }

  get #deadline(): AnswerDeadline {
    return { ms: this.#options.limits.answerMs, waitsFor: 'core' };
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

  /** Sends the current values, then the events that occurred between SUBSCRIBE and its answer. */
  #activate(evt: EventName, subscription: Subscription, current: readonly unknown[]): void {
    const frames = this.#subscriptions.activate(subscription);
    // UNSUBSCRIBE cancels a SUBSCRIBE that is still being answered (protocol 4.3).
    if (frames === undefined) return;
    for (const data of current) this.#options.replay(evt, data);
    for (const frame of frames) this.#sendEvent(frame);
  }
}

/** Validates the core's list of current values, because a core may be written in plain JavaScript. */
function listOf(current: unknown): readonly unknown[] {
  const values = current ?? [];
  if (Array.isArray(values)) return values.slice(0, MAX_CURRENT);
  throw new RpcError(ErrorCode.UNKNOWN_ERROR, 'The client gave no valid answer to SUBSCRIBE', {
    detail: 'current values: expected a list',
  });
}
