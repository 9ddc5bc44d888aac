import { randomUUID } from 'node:crypto';
import type { PingOptions } from './ping.ts';
import { type Probe, probeEndpoint } from './probe.ts';
import { PROBE_MARK } from './probe-mark.ts';
import { endpointBehind } from './search.ts';

/**
 * Time after the answer in which a probe may still come back (ms): another bridge answers it, and passes it on to its
 * upstream.
 */
const LATE_MS = 2000;

/** Body of the PING of a probe, also of another process. */
const PROBE_BODY = new RegExp(`^"(${PROBE_MARK}[0-9a-f-]{36})"$`);

/** Length of the body of a probe (bytes). */
export const PROBE_BYTES = PROBE_MARK.length + 38;

/**
 * Probes of other endpoints by this process. A probe that comes back as the PING of a session shows that the probed
 * endpoint leads to this process: a forward passes every byte on, and a bridge passes probes on to its upstream, over
 * any number of machines.
 */
export class OwnProbes {
  readonly #sent = new Map<string, { returns: boolean; readonly onReturn: () => void }>();
  #onForeign: ((text: string) => void) | undefined;

  /**
   * Probes a path as `probeEndpoint` does, but follows links of the user, as a connection does; `returns` is true where
   * the path leads to this process. `onReturn` is called for each return, also for one that comes after the answer.
   */
  async probe(
    path: string,
    options: PingOptions,
    onReturn: () => void = () => {},
  ): Promise<{ readonly probe: Probe; readonly returns: boolean }> {
    const text = `${PROBE_MARK}${randomUUID()}`;
    const sent = { returns: false, onReturn };
    this.#sent.set(text, sent);
    try {
      const probe = await probeEndpoint(endpointBehind(path), { ...options, text });
      return { probe, returns: sent.returns };
    } finally {
      setTimeout(() => this.#sent.delete(text), LATE_MS).unref();
    }
  }

  /** Sets the listener for the probes of other processes. */
  passOn(listener: (text: string) => void): void {
    this.#onForeign = listener;
  }

  /** A session of this process has received a PING with this body. */
  received(body: Uint8Array): void {
    if (body.length !== PROBE_BYTES) return;
    const [, text] = PROBE_BODY.exec(Buffer.from(body).toString('latin1')) ?? [];
    if (text === undefined) return;
    const own = this.#sent.get(text);
    if (own === undefined) return this.#onForeign?.(text);
    own.returns = true;
    own.onReturn();
  }
}
