import type { Signal } from '../../emulator/api/signals.ts';
import type { Committed } from '../../emulator/api/world.ts';
import { accountEnds } from '../../emulator/users/users.ts';
import type { EventDataOf, EventName } from '../../protocol/registry.ts';
import { CloseCode } from '../../wire/codes.ts';
import type { EventTarget } from '../core.ts';
import { endRevoked } from './authorization/revoked.ts';
import { commitEvents, signalEvents } from './events.ts';
import type { FeedContext, Outgoing } from './rpc-event.ts';

/** An event with its data. */
interface Ready {
  readonly event: EventName;
  readonly data: EventDataOf<EventName>;
  readonly to: EventTarget | undefined;
}

/**
 * Sends connected apps the events that follow from commits and signals of the emulator, in the order of the commits.
 */
export class Feed {
  readonly #context: FeedContext;

  constructor(context: FeedContext) {
    this.#context = context;
  }

  /** Starts the feed; the returned function stops it. */
  start(): () => void {
    const { emulator, host } = this.#context;
    const recovery = {
      name: 'events for apps',
      // After an error it is unknown which apps missed which event, so all sessions are closed: each app reconnects and
      // reads the current state.
      recover: () =>
        void host.closeSessions({}, CloseCode.ABNORMAL, 'An event could not be sent; connect again'),
    };
    const ends = [
      emulator.subscribe(
        accountEnds,
        () => void host.closeSessions({}, CloseCode.NORMAL, 'User logout'),
        recovery,
      ),
      emulator.subscribe(
        { derive: (commit) => this.#ofCommit(commit) },
        (ready) => this.#emit(ready),
        recovery,
      ),
      emulator.subscribeSignals((signal) => this.#follow(signal), recovery),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  *#ofCommit(commit: Committed): Generator<Ready> {
    if (this.#context.emulator.isQuiet()) return;
    for (const { events, tables, derive } of commitEvents) {
      if (!commit.touches(...tables) || !this.#isWanted(events)) continue;
      yield* this.#ready(derive(commit, this.#context));
    }
  }

  #follow(signal: Signal): void {
    if (signal.type === 'tokens-revoked') endRevoked(signal, this.#context);
    for (const { signal: type, events, derive } of signalEvents) {
      if (type !== signal.type || !this.#isWanted(events)) continue;
      for (const ready of this.#ready(derive(signal, this.#context))) this.#emit(ready);
    }
  }

  #isWanted(events: readonly EventName[]): boolean {
    return events.some((event) => this.#context.subscribers.has(event));
  }

  *#ready(outgoing: Iterable<Outgoing>): Generator<Ready> {
    for (const { event, data, to } of outgoing) {
      if (!this.#context.subscribers.has(event)) continue;
      const made = data();
      if (made !== undefined) yield { event, data: made, to };
    }
  }

  #emit({ event, data, to }: Ready): void {
    this.#context.host.emit(event, data, to);
  }
}
