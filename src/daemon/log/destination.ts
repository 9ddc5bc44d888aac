import { setTimeout as delay } from 'node:timers/promises';
import type { Sink } from './sink.ts';

/** Bounds of a destination, and the text of its report about lost lines. */
export interface DestinationOptions {
  /** Maximum size of the queue in bytes; default 1 MiB. */
  readonly queueBytes?: number;
  /** Returns the line that reports the number of lost lines; it is written once writing works again. */
  readonly droppedLine?: (count: number) => string;
}

const QUEUE_BYTES = 1024 * 1024;
const FIRST_RETRY_MS = 20;
const MAX_RETRY_MS = 1000;
const FLUSH_STEP_MS = 5;

interface Waiting {
  readonly bytes: Uint8Array;
  sent: number;
  /** True if the line reports lost lines. */
  readonly isReport: boolean;
}

/**
 * Destination of log lines. `write` never waits, never throws and queues at most `queueBytes`; a line beyond that
 * bound, or a line that a full disk or a closed reader refuses, is dropped and counted.
 */
export class LogDestination {
  readonly #sink: Sink;
  readonly #limit: number;
  readonly #droppedLine: ((count: number) => string) | undefined;
  #onFailure: ((code: string) => void) | undefined;
  readonly #encoder = new TextEncoder();
  #queue: Waiting[] = [];
  #queuedBytes = 0;
  #dropped = 0;
  /** Number of lost lines in the report that waits in the queue; 0 without a report. */
  #reporting = 0;
  /** True if a failure has cut a line short: the next line must not continue it. */
  #midLine = false;
  #retryMs = FIRST_RETRY_MS;
  #retry: NodeJS.Timeout | undefined;

  constructor(sink: Sink, { queueBytes = QUEUE_BYTES, droppedLine }: DestinationOptions = {}) {
    this.#sink = sink;
    this.#limit = queueBytes;
    this.#droppedLine = droppedLine;
    sink.onWritable?.(() => this.#pump());
  }

  /** Calls `listener` once, with the system's code, when a line cannot be written. */
  onFailure(listener: (code: string) => void): void {
    this.#onFailure = (code) => {
      this.#onFailure = undefined;
      listener(code);
    };
  }

  /** Number of lost lines that are not reported yet. */
  get dropped(): number {
    return this.#dropped + this.#reporting;
  }

  /** Queues one line, which must include its line feed. */
  write(line: string): void {
    const bytes = this.#encoder.encode(line);
    if (this.#queuedBytes + bytes.byteLength > this.#limit) {
      this.#dropped += 1;
      return;
    }
    this.#queue.push({ bytes, sent: 0, isReport: false });
    this.#queuedBytes += bytes.byteLength;
    // While a retry is scheduled, the sink is full.
    if (this.#retry === undefined) this.#pump();
  }

  /** Tries for at most `ms` to write the queue, then drops the rest. */
  async flush(ms: number): Promise<void> {
    const end = performance.now() + ms;
    this.#pump();
    while (this.#queue.length > 0 && performance.now() < end) {
      await delay(FLUSH_STEP_MS);
      this.#pump();
    }
    this.#stopRetry();
  }

  /** Drops the queued lines, and closes the descriptor if it is ours. */
  close(): void {
    this.#stopRetry();
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#sink.close();
  }

  /** Writes until the queue is empty or the sink is full. */
  #pump(): void {
    this.#stopRetry();
    // Written lines are removed from the array together at the end: removing them one by one would move the rest each
    // time.
    const lines = this.#queue;
    let done = 0;
    for (let line = lines[done]; line !== undefined; line = lines[done]) {
      const left = this.#midLine ? afterLineFeed(line) : line.bytes.subarray(line.sent);
      const result = this.#sink.write(left);
      if (result.kind === 'blocked' || (result.kind === 'written' && result.bytes === 0)) {
        this.#retryLater();
        break;
      }
      if (result.kind === 'written' && result.bytes < left.byteLength) {
        this.#sentPart(line, result.bytes);
        continue;
      }
      this.#queuedBytes -= line.bytes.byteLength;
      done += 1;
      if (result.kind === 'failed') {
        this.#lost(line);
        this.#onFailure?.(result.code);
      } else this.#written(line, lines);
    }
    lines.splice(0, done);
  }

  #sentPart(line: Waiting, bytes: number): void {
    line.sent += this.#midLine ? bytes - 1 : bytes;
    this.#midLine = false;
  }

  #lost(line: Waiting): void {
    if (line.sent > 0) this.#midLine = true;
    this.#dropped += line.isReport ? this.#reporting : 1;
    if (line.isReport) this.#reporting = 0;
  }

  /** Handles a written line. Writing works, so the lost lines are reported, in one report at a time. */
  #written(line: Waiting, lines: Waiting[]): void {
    this.#midLine = false;
    this.#retryMs = FIRST_RETRY_MS;
    if (line.isReport) this.#reporting = 0;
    if (this.#dropped === 0 || this.#reporting > 0 || this.#droppedLine === undefined) return;
    const bytes = this.#encoder.encode(this.#droppedLine(this.#dropped));
    lines.push({ bytes, sent: 0, isReport: true });
    this.#queuedBytes += bytes.byteLength;
    this.#reporting = this.#dropped;
    this.#dropped = 0;
  }

  #retryLater(): void {
    // A stream signals when it is writable again; for a pipe or terminal only a retry can find out.
    if (this.#sink.onWritable !== undefined) return;
    this.#retry = setTimeout(() => this.#pump(), this.#retryMs);
    this.#retry.unref();
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
  }

  #stopRetry(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
  }
}

function afterLineFeed({ bytes, sent }: Waiting): Uint8Array {
  const rest = bytes.subarray(sent);
  const joined = new Uint8Array(rest.byteLength + 1);
  joined[0] = 0x0a;
  joined.set(rest, 1);
  return joined;
}
