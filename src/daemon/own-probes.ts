import { randomUUID } from 'node:crypto';
import type { PingOptions } from '../../platform/endpoint/ping.ts';
import { type Probe, probeEndpoint } from '../../platform/endpoint/probe.ts';
import { PROBE_MARK } from '../../platform/endpoint/probe-mark.ts';

/**
 * Probes of other endpoints by this bridge. A probe that comes back as the PING of a session shows that the probed
 * endpoint leads to this bridge: a forward or another relay passes every byte on, over any number of machines.
 */
export class OwnProbes {
  readonly #sent = new Map<string, 'sent' | 'returned'>();

  /** Probes a path as `probeEndpoint` does; `returns` is true where the path leads to this bridge. */
  async probe(
    path: string,
    options: PingOptions,
  ): Promise<{ readonly probe: Probe; readonly returns: boolean }> {
    const text = `${PROBE_MARK}${randomUUID()}`;
    this.#sent.set(text, 'sent');
    try {
      const probe = await probeEndpoint(path, { ...options, text });
      return { probe, returns: this.#sent.get(text) === 'returned' };
    } finally {
      this.#sent.delete(text);
    }
  }

  /** A session of this bridge has received a PING. */
  received(body: Uint8Array): void {
    if (this.#sent.size === 0) return;
    for (const text of this.#sent.keys())
      if (Buffer.from(JSON.stringify(text)).equals(body)) this.#sent.set(text, 'returned');
  }
}
