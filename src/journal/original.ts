/**
 * A recorded event as it was sent, with its secrets. It is what `traffic.resend` sends again, and must leave the process in no
 * other way.
 */
export type Original =
  | {
      readonly kind: 'frame';
      /** The body; undefined for a frame that was too large to be stored. */
      readonly body: Uint8Array | undefined;
    }
  | {
      readonly kind: 'http';
      readonly method: string;
      /** Path and query. */
      readonly url: string;
      /** The parsed body, as JSON; undefined where there was none. */
      readonly body: string | undefined;
      /** Number of files, which the journal does not store. */
      readonly files: number;
      readonly authorization: string | undefined;
      /**
       * Who may call its operation: a `person` at a page of the emulator, a `client` with its own secret, `anybody`, or a
       * `caller` with credentials in the header. `unknown`: no operation has this address.
       */
      readonly access: 'person' | 'client' | 'anybody' | 'caller' | 'unknown';
    };

/** Header of a request that the operator sends by hand; its value is a key that only this process knows. */
export const BY_HAND_HEADER = 'footbridge-by-hand';

/** Requests that the operator sends by hand and whose entries are awaited, by keys that only this process knows. */
export class SentByHand {
  readonly #awaited = new Map<string, (seq: number) => void>();

  /** Awaits the entry of the request with this key, until the returned function is called. */
  expect(key: string, recorded: (seq: number) => void): () => void {
    this.#awaited.set(key, recorded);
    return () => this.#awaited.delete(key);
  }

  /** Callback for the number of the entry of a request; undefined for a request that was not sent by hand. */
  of(key: unknown): ((seq: number) => void) | undefined {
    return typeof key === 'string' ? this.#awaited.get(key) : undefined;
  }
}
