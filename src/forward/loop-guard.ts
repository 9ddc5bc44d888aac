import { OwnProbes, PROBE_BYTES } from '../../platform/endpoint/own-probes.ts';
import { printable } from '../base/text.ts';

/** Time between two probes, and for which sessions are refused after a probe came back (ms). */
const INTERVAL_MS = 5000;

/** Time that the answer to a probe may take (ms). */
const PROBE_MS = 1000;

/** Bytes of a frame before its body. */
const HEADER_BYTES = 8;

/**
 * Notices when a forward leads back to itself, over other forwards or bridges: each of its sessions would open another
 * one, until no descriptor is free. A probe that is sent to the other end then comes back as the first bytes of a session.
 */
export class LoopGuard {
  readonly #report: (text: string) => void;
  readonly #probes = new OwnProbes();
  #probed = Number.NEGATIVE_INFINITY;
  #loop: { readonly at: number; readonly why: string } | undefined;

  /** `report` gets a sentence for the operator, once for each loop. */
  constructor(report: (text: string) => void) {
    this.#report = report;
  }

  /** Sentence about the loop, until a probe does not come back. */
  get why(): string | undefined {
    return this.#loop?.why;
  }

  /** Sentence for an app whose session is refused. */
  get refusal(): string | undefined {
    return this.#loop !== undefined && performance.now() - this.#loop.at < INTERVAL_MS
      ? this.#loop.why
      : undefined;
  }

  /** A session connects to a path, which is probed from time to time. */
  check(path: string): void {
    if (performance.now() - this.#probed < INTERVAL_MS) return;
    this.#probed = performance.now();
    const before = this.#loop;
    const onReturn = (): void => {
      const why = `The forward leads back to itself: what goes to ${printable(path)} comes back, over another forward or a bridge. End one of the two, or lead it elsewhere.`;
      if (this.#loop === undefined) this.#report(why);
      this.#loop = { at: performance.now(), why };
    };
    void this.#probes.probe(path, { timeoutMs: PROBE_MS }, onReturn).then(({ returns }) => {
      if (!returns && this.#loop === before) this.#loop = undefined;
    });
  }

  /** Bytes of an app. */
  received(bytes: Uint8Array): void {
    if (bytes.length === HEADER_BYTES + PROBE_BYTES) this.#probes.received(bytes.subarray(HEADER_BYTES));
  }
}
