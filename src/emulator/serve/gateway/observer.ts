import { DelayQueue } from '../../../faults/delay-queue.ts';
import type { FaultEffect } from '../../../faults/fault.ts';
import type { Faults } from '../../../faults/faults.ts';
import type { Passed } from '../../../journal/entry.ts';
import type { Journal } from '../../../journal/journal.ts';
import { type EventShapes, payloadText } from './payload-text.ts';

/** Fault effects that apply to a payload for a client. */
const KINDS: readonly FaultEffect['kind'][] = ['close', 'reconnect', 'drop', 'delay', 'slow', 'split'];

/** Function that sends a payload as one frame, or in several fragments. */
export type Leave = (text: string, isSplit: boolean) => void;

/** Effects of faults on the whole connection. */
interface Disturbed {
  close(code: number): void;
  reconnect(): void;
}

/** Records gateway payloads in the journal, and applies faults to them. */
export class GatewayObserver {
  readonly journal: Journal | undefined;
  readonly faults: Faults;
  readonly events: EventShapes;
  #connections = 0;

  constructor(journal: Journal | undefined, faults: Faults, events: EventShapes) {
    this.journal = journal;
    this.faults = faults;
    this.events = events;
  }

  /** Creates the observer of a new connection. */
  connection(): ConnectionObserver {
    this.#connections += 1;
    const session = `g${this.#connections}`;
    this.journal?.add({ kind: 'connect', session, over: 'gateway' });
    return new ConnectionObserver(session, this);
  }
}

/** The observer of one connection. */
export class ConnectionObserver {
  /** Id of the application that has identified itself. */
  application: string | undefined;
  readonly #session: string;
  readonly #observer: GatewayObserver;
  #lag: DelayQueue | undefined;
  #held = 0;

  constructor(session: string, observer: GatewayObserver) {
    this.#session = session;
    this.#observer = observer;
  }

  /** Number of characters in payloads that faults are delaying. */
  get held(): number {
    return this.#held;
  }

  received(data: Uint8Array): void {
    if (this.#observer.journal?.isOn) this.#record('in', Buffer.from(data).toString('utf8'));
  }

  /**
   * Sends a payload and applies the faults of the application. A connection without a session has no application, so no
   * fault applies to it.
   */
  sent(text: string, application: string | undefined, leave: Leave, disturbed: Disturbed): void {
    const { faults, journal } = this.#observer;
    const isFree = this.#lag === undefined || this.#lag.size === 0;
    if (isFree && (faults.isEmpty || application === undefined)) return this.#leave(text, leave, false);
    const matches =
      application === undefined
        ? []
        : KINDS.flatMap((kind) => faults.match({ on: 'gateway', application }, [kind]) ?? []);
    for (const { fault, effect } of matches)
      journal?.add({ kind: 'fault', fault, session: this.#session, what: wordOf(effect) });
    let delayMs = 0;
    let gapMs = 0;
    let isSplit = false;
    for (const { effect } of matches) {
      if (effect.kind === 'close') return disturbed.close(effect.code);
      if (effect.kind === 'drop') return;
      if (effect.kind === 'reconnect') disturbed.reconnect();
      if (effect.kind === 'delay') delayMs += effect.ms;
      if (effect.kind === 'slow') gapMs = (text.length / effect.bytesPerSecond) * 1000;
      if (effect.kind === 'split') isSplit = true;
    }
    this.#held += text.length;
    this.#lag ??= new DelayQueue();
    // A slow payload is sent at the time at which its last byte would arrive.
    this.#lag.push(
      () => {
        this.#held -= text.length;
        this.#leave(text, leave, isSplit);
      },
      { delayMs: delayMs + gapMs, gapMs },
    );
  }

  ended(): void {
    this.#lag?.clear();
    this.#observer.journal?.add({ kind: 'end', session: this.#session });
  }

  #leave(text: string, leave: Leave, isSplit: boolean): void {
    if (this.#observer.journal?.isOn) this.#record('out', text);
    leave(text, isSplit);
  }

  #record(direction: 'in' | 'out', text: string): void {
    const session = this.#session;
    const { journal, events } = this.#observer;
    const bytes = text.length;
    const { application } = this;
    const render = (): Passed => {
      return {
        kind: 'gateway',
        session,
        ...(application === undefined ? {} : { application }),
        direction,
        text: payloadText(text, direction, events),
        bytes,
      };
    };
    journal?.addUnread({ kind: 'gateway', session, bytes, render });
  }
}

function wordOf(effect: FaultEffect): string {
  switch (effect.kind) {
    case 'delay':
      return `delay by ${effect.ms} ms: a payload of the gateway`;
    case 'close':
      return `closes with ${effect.code} in the place of a payload of the gateway`;
    case 'slow':
      return `slow, ${effect.bytesPerSecond} bytes a second: a payload of the gateway`;
    default:
      return `${effect.kind}: a payload of the gateway`;
  }
}
