import type { Does, Strike } from '../../../faults/fault.ts';
import type { Faults } from '../../../faults/faults.ts';
import { Lag } from '../../../faults/lag.ts';
import type { Passed } from '../../../journal/entry.ts';
import type { Journal } from '../../../journal/journal.ts';
import { type EventShapes, payloadText } from './payload-text.ts';

/** Fault effects on a payload to a client. */
const KINDS: readonly Does['kind'][] = ['close', 'reconnect', 'drop', 'delay', 'slow', 'split'];

/** Sends a payload, as one frame or as several fragments. */
export type Leave = (text: string, isSplit: boolean) => void;

/** Further fault effects on the connection. */
interface Disturbed {
  close(code: number): void;
  reconnect(): void;
}

/** Records gateway payloads, and applies faults to them. */
export class GatewayTap {
  readonly #journal: Journal | undefined;
  readonly faults: Faults;
  readonly #events: EventShapes;
  #connections = 0;

  constructor(journal: Journal | undefined, faults: Faults, events: EventShapes) {
    this.#journal = journal;
    this.#events = events;
    this.faults = faults;
  }

  /** Creates the observer of another connection. */
  connection(): ConnectionTap {
    this.#connections += 1;
    const session = `g${this.#connections}`;
    this.#journal?.add({ kind: 'connect', session, over: 'gateway' });
    return new ConnectionTap(session, this);
  }

  passed(session: string, direction: 'in' | 'out', text: string): void {
    const bytes = text.length;
    const show = (): Passed => {
      const shown = payloadText(text, direction, this.#events);
      return { kind: 'gateway', session, direction, text: shown, bytes };
    };
    this.#journal?.addUnread({ kind: 'gateway', session, bytes, show });
  }

  struck(session: string, { fault, does }: Strike): void {
    this.#journal?.add({ kind: 'fault', fault, session, what: wordOf(does) });
  }

  ended(session: string): void {
    this.#journal?.add({ kind: 'end', session });
  }

  get isWritten(): boolean {
    return this.#journal?.isOn ?? false;
  }
}

/** The observer of one connection. */
export class ConnectionTap {
  readonly #session: string;
  readonly #tap: GatewayTap;
  #lag: Lag | undefined;
  #held = 0;

  constructor(session: string, tap: GatewayTap) {
    this.#session = session;
    this.#tap = tap;
  }

  /** Characters that a fault delays. */
  get held(): number {
    return this.#held;
  }

  received(data: Uint8Array): void {
    if (this.#tap.isWritten) this.#tap.passed(this.#session, 'in', Buffer.from(data).toString('utf8'));
  }

  /**
   * Sends a payload, subject to the faults of the application; faults without an application apply only to connections with
   * a session.
   */
  sent(text: string, application: string | undefined, leave: Leave, disturbed: Disturbed): void {
    const { faults } = this.#tap;
    const isFree = this.#lag === undefined || this.#lag.size === 0;
    if (isFree && (faults.isEmpty || application === undefined)) return this.#leave(text, leave, false);
    const strikes =
      application === undefined
        ? []
        : KINDS.flatMap((kind) => faults.strike({ on: 'gateway', application }, [kind]) ?? []);
    for (const strike of strikes) this.#tap.struck(this.#session, strike);
    let delayMs = 0;
    let gapMs = 0;
    let isSplit = false;
    for (const { does } of strikes) {
      if (does.kind === 'close') return disturbed.close(does.code);
      if (does.kind === 'drop') return;
      if (does.kind === 'reconnect') disturbed.reconnect();
      if (does.kind === 'delay') delayMs += does.ms;
      if (does.kind === 'slow') gapMs = (text.length / does.bytesPerSecond) * 1000;
      if (does.kind === 'split') isSplit = true;
    }
    this.#held += text.length;
    this.#lag ??= new Lag();
    // A slow payload arrives when its last byte would.
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
    this.#tap.ended(this.#session);
  }

  #leave(text: string, leave: Leave, isSplit: boolean): void {
    if (this.#tap.isWritten) this.#tap.passed(this.#session, 'out', text);
    leave(text, isSplit);
  }
}

function wordOf(does: Does): string {
  switch (does.kind) {
    case 'delay':
      return `delay by ${does.ms} ms: a payload of the gateway`;
    case 'close':
      return `closes with ${does.code} in the place of a payload of the gateway`;
    case 'slow':
      return `slow, ${does.bytesPerSecond} bytes a second: a payload of the gateway`;
    default:
      return `${does.kind}: a payload of the gateway`;
  }
}
