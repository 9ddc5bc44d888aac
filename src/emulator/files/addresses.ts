import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import { isSameSecret } from '../kernel/secrets.ts';

/** A file with a URL. */
export interface Addressed {
  readonly id: string;
  readonly filename: string;
}

/** Lifetime of a URL in seconds. Every reply contains a new URL. */
const GOOD_FOR = 86_400;

/** Signs the URLs of files. They expire after a day; a URL without a valid signature gives no access. */
export class FileAddresses {
  readonly #clock: Clock;
  /** The signing key. It is created for the first URL, because the start must work without `node:crypto`. */
  #key: Buffer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The URL of a file. `base` is the URL of the API, such as `http://127.0.0.1:4000/api`; `owner` is the id of a
   * channel or an application.
   */
  of(base: string, owner: string, { id, filename }: Addressed, folder = 'attachments'): string {
    const now = Math.floor(this.#clock.now() / 1000);
    const [issued, expires] = [now, now + GOOD_FOR].map((seconds) => seconds.toString(16));
    const path = `/${folder}/${owner}/${id}/${filename}`;
    const hm = this.#signature(path, expires, issued);
    return `${new URL(base).origin}${path}?ex=${expires}&is=${issued}&hm=${hm}`;
  }

  /** Whether a URL has a valid signature and has not expired. */
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

/** Access to the URLs of files. */
export interface HasFileAddresses {
  readonly files: FileAddresses;
}

/** Text without the signatures of the addresses in it, which differ each time an address is made. */
export function withoutSignatures(text: string): string {
  return text.replaceAll(/\?ex=[0-9a-f]+&is=[0-9a-f]+&hm=[0-9a-f]+/g, '');
}
