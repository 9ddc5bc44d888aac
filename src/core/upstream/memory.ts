import { isObject } from '../../protocol/json.ts';

/** A request that has to be repeated when the upstream comes back. */
export interface Repeated {
  readonly cmd: string;
  readonly args: unknown;
  readonly evt: string | undefined;
}

/** What an app has established with the upstream: its token, its subscriptions and its presence. */
export class SessionMemory {
  #authenticate: Repeated | undefined;
  #activity: Repeated | undefined;
  readonly #subscriptions = new Map<string, Repeated>();

  /** Notes a request that the upstream has answered without an error. */
  note(request: Repeated): void {
    switch (request.cmd) {
      case 'AUTHENTICATE':
        this.#authenticate = request;
        return;
      case 'SUBSCRIBE':
        this.#subscriptions.set(keyOf(request), request);
        return;
      case 'UNSUBSCRIBE':
        this.#subscriptions.delete(keyOf(request));
        return;
      case 'SET_ACTIVITY':
        this.#activity = isObject(request.args) && request.args.activity ? request : undefined;
        return;
    }
  }

  get authentication(): Repeated | undefined {
    return this.#authenticate;
  }

  /** What to send again after the handshake (and after authentication), in this order. */
  repeats(): readonly Repeated[] {
    return [...this.#subscriptions.values(), ...(this.#activity ? [this.#activity] : [])];
  }
}

function keyOf({ evt, args }: Repeated): string {
  const entries = isObject(args) ? Object.entries(args) : [];
  return `${evt} ${JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)))}`;
}
