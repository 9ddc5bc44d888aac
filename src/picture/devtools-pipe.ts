import type { Readable, Writable } from 'node:stream';

/** Maximum size of one message of the browser (bytes): a picture of the largest message is far smaller. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const NUL = 0;

interface Waiting {
  readonly resolve: (result: Readonly<Record<string, unknown>>) => void;
  readonly reject: (error: Error) => void;
}

/** Answer to a command of the DevTools protocol, or one of its events. */
interface Received {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string } | null;
}

/**
 * The DevTools protocol over a pair of pipes: JSON messages, each with a NUL behind it. No port listens, so that no
 * other program can command the browser. Events are ignored.
 */
export class DevtoolsPipe {
  readonly #input: Writable;
  readonly #waiting = new Map<number, Waiting>();
  #parts: Buffer[] = [];
  #size = 0;
  #lastId = 0;
  #failure: Error | undefined;

  constructor(input: Writable, output: Readable) {
    this.#input = input;
    // A browser that ends breaks both pipes; the reason is known by its exit.
    input.on('error', () => this.fail(new Error('the browser has ended')));
    output.on('error', () => this.fail(new Error('the browser has ended')));
    output.on('data', (chunk: Buffer) => this.#take(chunk));
    output.on('end', () => this.fail(new Error('the browser has ended')));
  }

  /** Sends a command, to a page with `session`; resolves with its result, and rejects with the browser's refusal. */
  send(method: string, params: object = {}, session?: string): Promise<Readonly<Record<string, unknown>>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#lastId += 1;
    const id = this.#lastId;
    const message = { id, method, params, ...(session === undefined ? {} : { sessionId: session }) };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#input.write(`${JSON.stringify(message)}\0`);
    });
  }

  /** Rejects every command without an answer, and all later ones. */
  fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
    this.#parts = [];
  }

  #take(chunk: Buffer): void {
    if (this.#failure !== undefined) return;
    let start = 0;
    for (let end = chunk.indexOf(NUL); end !== -1; end = chunk.indexOf(NUL, start)) {
      this.#parts.push(chunk.subarray(start, end));
      this.#answer(Buffer.concat(this.#parts).toString('utf8'));
      this.#parts = [];
      this.#size = 0;
      start = end + 1;
    }
    this.#parts.push(chunk.subarray(start));
    this.#size += chunk.length - start;
    if (this.#size > MAX_MESSAGE_BYTES) this.fail(new Error('an answer of the browser is too large'));
  }

  #answer(text: string): void {
    const received = receivedIn(text);
    if (received === undefined)
      return this.fail(new Error('the browser does not speak the DevTools protocol'));
    const { id, result = {}, error } = received;
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiting === undefined) return;
    this.#waiting.delete(id);
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(String(error?.message)));
  }
}

/** The message in a text; undefined where it is none: any program may be named as the browser. */
function receivedIn(text: string): Received | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
