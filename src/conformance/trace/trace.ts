import { AsyncLocalStorage } from 'node:async_hooks';
import { dump, frameName, SecretFilter } from './dump.ts';

/** Maximum of lines per case, so that a flood does not fill the memory. */
const MAX_LINES = 2000;

/** Traffic of one case, and the actions of the suite. */
export class Trace {
  readonly #started = performance.now();
  readonly #lines: string[] = [];
  #connections = 0;

  /** Lines so far. */
  get lines(): readonly string[] {
    return [...this.#lines];
  }

  /** Adds a line with the seconds since the start of the case, and a dump of `bytes` if present. */
  note(text: string, bytes?: Uint8Array): void {
    if (this.#lines.length >= MAX_LINES) return;
    const seconds = ((performance.now() - this.#started) / 1000).toFixed(3);
    this.#lines.push(`${seconds.padStart(7)} s  ${text}`);
    if (bytes !== undefined) this.#lines.push(...dump(bytes).map((row) => `           ${row}`));
    if (this.#lines.length >= MAX_LINES) this.#lines.push('… what follows is left out');
  }

  /** Adds a connection. */
  connection(where: string): ConnectionTrace {
    this.#connections++;
    const label = `#${this.#connections}`;
    this.note(`${label} connection: ${where}`);
    return new ConnectionTrace(this, label);
  }
}

/** Traffic of one connection. */
export class ConnectionTrace {
  readonly #trace: Trace;
  readonly #label: string;
  readonly #filters = { sent: new SecretFilter(), received: new SecretFilter() };

  constructor(trace: Trace, label: string) {
    this.#trace = trace;
    this.#label = label;
  }

  /** Records the bytes of one write; `what` names bytes that are no frame. */
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
    const visible = this.#filters[direction].hide(bytes);
    this.#trace.note(`${this.#label} ${direction} ${bytes.byteLength} bytes${name}`, visible);
  }
}

/** Finds the trace of the current case for each write, although many cases run concurrently. */
export class Tracer {
  readonly #current = new AsyncLocalStorage<Trace>();

  /** Trace of the calling case. */
  get current(): Trace | undefined {
    return this.#current.getStore();
  }

  /** Runs a case and records its traffic. */
  follow<T>(trace: Trace, work: () => T): T {
    return this.#current.run(trace, work);
  }
}
