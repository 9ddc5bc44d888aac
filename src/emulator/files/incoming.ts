import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeProcessFolder, type ProcessFolder } from '../../../platform/files/process-folder.ts';

/** Prefix of the file folders in the system's temporary folder. */
export const FILES_FOLDER = 'files';

/** Maximum size of all files together, in bytes. */
export const MAX_TOTAL_BYTES = 1024 * 1024 * 1024;

interface Open {
  readonly digest: string;
  readonly fd: number;
  readonly hash: Hash;
}

/**
 * Files of an exported state that arrive in parts and are stored in a temporary folder. The creator must adopt or
 * discard them.
 */
export class IncomingFiles {
  /** Sizes of the complete files in bytes, by digest. */
  readonly sizes = new Map<string, number>();
  #folder: ProcessFolder | undefined;
  #open: Open | undefined;
  #bytes = 0;

  /** The folder that contains the files, each named by its digest; undefined if there are no files. */
  get folder(): string | undefined {
    return this.#folder?.path;
  }

  /** Adds a part to a file. The parts of one file must be consecutive. @throws Error that describes the mistake. */
  add(digest: string, part: Uint8Array): void {
    if (this.#open?.digest !== digest) {
      this.end();
      if (this.sizes.has(digest)) throw new Error('comes twice');
      this.#folder ??= makeProcessFolder(FILES_FOLDER);
      const fd = openSync(join(this.#folder.path, digest), 'wx', 0o600);
      this.#open = { digest, fd, hash: createHash('sha256') };
      this.sizes.set(digest, 0);
    }
    this.#bytes += part.byteLength;
    if (this.#bytes > MAX_TOTAL_BYTES)
      throw new Error(`is more than ${MAX_TOTAL_BYTES} bytes with those before it`);
    const { fd, hash } = this.#open as Open;
    hash.update(part);
    for (let at = 0; at < part.byteLength; ) at += writeSync(fd, part, at);
    this.sizes.set(digest, (this.sizes.get(digest) ?? 0) + part.byteLength);
  }

  /** Completes the last file. @throws Error for content that does not match the file's digest. */
  end(): void {
    if (this.#open === undefined) return;
    const { digest, fd, hash } = this.#open;
    this.#open = undefined;
    closeSync(fd);
    if (hash.digest('hex') !== digest) throw new Error(`is not whole, or not the file ${digest}`);
  }

  discard(): void {
    if (this.#open !== undefined) closeSync(this.#open.fd);
    this.#open = undefined;
    this.#folder?.remove();
    this.#folder = undefined;
    this.sizes.clear();
  }
}
