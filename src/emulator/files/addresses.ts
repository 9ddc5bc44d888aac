import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import { isSameSecret } from '../kernel/secrets.ts';

/** A file that has an address. */
export interface Addressed {
  readonly id: string;
  readonly filename: string;
}

/** So long an address is good, in seconds; it is made anew with every answer. */
const GOOD_FOR = 86_400;

/** Signs the addresses of files: whoever was not given one has no file, and after a day it is no more. */
export class FileAddresses {
  readonly #clock: Clock;
  /** Made for the first address: a start does without `node:crypto`. */
  #key: Buffer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `base` is the address of the API, such as `http://127.0.0.1:4000/api`; `place` the id of a channel or application. */
  of(base: string, place: string, { id, filename }: Addressed, folder = 'attachments'): string {
    const now = Math.floor(this.#clock.now() / 1000);
    const [issued, expires] = [now, now + GOOD_FOR].map((seconds) => seconds.toString(16));
    const path = `/${folder}/${place}/${id}/${filename}`;
    const hm = this.#signature(path, expires, issued);
    return `${new URL(base).origin}${path}?ex=${expires}&is=${issued}&hm=${hm}`;
  }

  /** Whether an address was given out here and is still good. */
  isGood(
    path: string,
    { ex, is, hm }: { readonly ex: string; readonly is: string; readonly hm: string },
  ): boolean {
    if (!isSameSecret(hm, this.#signature(path, ex, is))) return false;
    return Number.parseInt(ex, 16) * 1000 > this.#clock.now();
  }

  #signature(path: string, expires = '', issued = ''): string {
    this.#key ??= randomBytes(32);
    return createHmac('sha256', this.#key).update(`${path} ${expires} ${issued}`).digest('hex');
  }
}

/** Where the files of messages can be had. */
export interface HasFileAddresses {
  readonly files: FileAddresses;
}
