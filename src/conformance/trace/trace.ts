import { AsyncLocalStorage } from 'node:async_hooks';
import { dump, frameName, SecretFilter } from './dump.ts';

/** Lines of one case: a case that floods would fill the memory. */
const MOST_LINES = 2000;

/** What went over the wire in one case, and what else the suite did. */
export class Trace {
  readonly #started = performance.now();
  readonly #lines: string[] = [];
  #connections = 0;

  /** One line each, so far. */
  get lines(): readonly string[] {
    return [...this.#lines];
  }

  /** Tells something, with the seconds since the case began, and the bytes that belong to it. */
  note(text: string, bytes?: Uint8Array): void {
    if (this.#lines.length >= MOST_LINES) return;
    const seconds = ((performance.now() - this.#started) / 1000).toFixed(3);
    this.#lines.push(`${seconds.padStart(7)} s  ${text}`);
    if (bytes !== undefined) this.#lines.push(...dump(bytes).map((row) => `           ${row}`));
    if (this.#lines.length >= MOST_LINES) this.#lines.push('… what follows is left out');
  }

  /** Follows one more connection. */
  connection(where: string): ConnectionTrace {
    this.#connections++;
    const label = `#${this.#connections}`;
    this.note(`${label} connection: ${where}`);
    return new ConnectionTrace(this, label);
  }
}

/** What goes over one connection. */
export class ConnectionTrace {
  readonly #trace: Trace;
  readonly #label: string;
  readonly #filters = { sent: new SecretFilter(), received: new SecretFilter() };

  constructor(trace: Trace, label: string) {
    this.#trace = trace;
    this.#label = label;
  }

  /** Bytes of one write; `what` names them where they are no frame. */
  sent(bytes: Uint8Array, what = frameName(bytes)): void {
    this.#bytes('sent', bytes, what);
  }

  /** Bytes of one read. */
  received(bytes: Uint8Array, what = frameName(bytes)): void {
    this.#bytes('received', bytes, what);
  }

  note(text: string): void {
    this.#trace.note(`${this.#label} ${text}`);
  }

  #bytes(direction: 'sent' | 'received', bytes: Uint8Array, what: string | undefined): void {
    const name = what === undefined ? '' : `, ${what}`;
    const shown = this.#filters[direction].hide(bytes);
    this.#trace.note(`${this.#label} ${direction} ${bytes.byteLength} bytes${name}`, shown);
  }
}

/** Knows which case is under way wherever something is sent, although many run side by side. */
export class Tracer {
  readonly #current = new AsyncLocalStorage<Trace>();

  /** The trace of the case that asks. */
  get current(): Trace | undefined {
    return this.#current.getStore();
  }

  /** Runs a case and keeps what it sends and receives. */
  follow<T>(trace: Trace, work: () => T): T {
    return this.#current.run(trace, work);
  }
}
