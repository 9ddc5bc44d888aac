import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type SaveResult, Saves, type Stored, storedOf } from '../../base/saves.ts';

/** A client that may attach; the token itself is not stored. */
export interface PairedClient {
  readonly name: string;
  /** SHA-256 of the token, base64url. */
  readonly tokenHash: string;
  /** Time of the pairing (ms since the Unix epoch). */
  readonly pairedAt: number;
}

/** Storage of paired clients. */
export interface PairingStore {
  load(): readonly PairedClient[];
  save(clients: readonly PairedClient[]): SaveResult;
}

/** Lifetime of a code (ms), long enough to set up a client by hand. */
const CODE_MS = 10 * 60_000;
const MAX_CLIENTS = 64;

/**
 * Store of paired clients, and of the one-time codes that become tokens; a code and a token have 256 random bits each.
 */
export class Pairing {
  readonly #store: PairingStore;
  readonly #saves = new Saves();
  readonly #clients = new Map<string, PairedClient>();
  readonly #codes = new Map<string, { readonly name: string; readonly expires: number }>();

  constructor(store: PairingStore) {
    this.#store = store;
    for (const client of store.load()) this.#clients.set(client.name, client);
  }

  list(): readonly PairedClient[] {
    return [...this.#clients.values()];
  }

  /**
   * Creates a code for a client of this name, valid once and for ten minutes. Throws when there are too many clients.
   */
  code(name: string): string {
    for (const [hash, { name: other, expires }] of this.#codes) {
      if (other === name || expires <= Date.now()) this.#codes.delete(hash);
    }
    if (this.#clients.size + this.#codes.size >= MAX_CLIENTS) {
      throw new Error(`At most ${MAX_CLIENTS} clients can be paired; remove one first`);
    }
    const code = secret();
    this.#codes.set(hashOf(code), { name, expires: Date.now() + CODE_MS });
    return code;
  }

  /** Exchanges a code for the client's name and token; undefined for a code that is wrong, used or expired. */
  redeem(code: string): { readonly name: string; readonly token: string } | undefined {
    const hash = hashOf(code);
    const found = this.#codes.get(hash);
    this.#codes.delete(hash);
    if (found === undefined || found.expires <= Date.now()) return undefined;
    const token = secret();
    this.#clients.set(found.name, { name: found.name, tokenHash: hashOf(token), pairedAt: Date.now() });
    // The save is retried until it succeeds; meanwhile the client stays paired.
    void this.save();
    return { name: found.name, token };
  }

  /** The name of the client that has this token; undefined for an unknown token. */
  nameOf(token: string): string | undefined {
    const hash = Buffer.from(hashOf(token));
    for (const { name, tokenHash } of this.#clients.values()) {
      const own = Buffer.from(tokenHash);
      if (own.length === hash.length && timingSafeEqual(own, hash)) return name;
    }
    return undefined;
  }

  /** Removes the client of this name; returns false when there is none. */
  remove(name: string): boolean {
    return this.#clients.delete(name);
  }

  /** Stores the paired clients. Without success they stay paired or removed until the bridge ends. */
  async save(): Promise<Stored> {
    return storedOf(await this.#saves.run(async () => this.#store.save(this.list())));
  }

  /** Tries a failed save once more. */
  close(): Promise<void> {
    return this.#saves.close();
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
