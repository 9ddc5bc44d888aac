import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lstatOf } from '../../../platform/files/inode.ts';
import { makeProcessFolder, type ProcessFolder } from '../../../platform/files/process-folder.ts';
import { systemErrorText } from '../../../platform/system-error-text.ts';
import { isLocalError, systemCode } from '../../base/local-error.ts';
import { amount } from '../../base/text.ts';
import { PoolShare } from '../../scheduling/pool-share.ts';
import { type ApiError, generalError } from '../api/api-error.ts';
import type { Log } from '../kernel/log.ts';
import { FILES_FOLDER, type IncomingFiles, MAX_TOTAL_BYTES } from './incoming.ts';

/** Part of the space that each owner may use while it is free, whatever the owner's share. */
const MIN_PER_OWNER = 1 / 32;
/** Error codes of a full disk or an exhausted quota. */
const DISK_FULL = ['ENOSPC', 'EDQUOT'];

/** A stored file. It stays at least until `release` is called, and after that as long as a record refers to it. */
export interface HeldFile {
  /** SHA-256, in hex. */
  readonly digest: string;
  release(): void;
}

/**
 * The bytes of files, each content once, in a private folder of this process. The folder is created for the first file
 * and removed when the process ends. A cleaner of temporary files may remove the folder or files in it. Those files are
 * lost, which is logged, and later files go into a new folder.
 */
export class FileStore {
  readonly #isNamed: (digest: string) => boolean;
  readonly #log: Log;
  #folder: ProcessFolder | undefined;
  readonly #sizes = new Map<string, number>();
  /** Owners of files that an application or webhook has sent first, and their shares of the space. */
  readonly #owners = new Map<string, string>();
  readonly #shares: PoolShare;
  readonly #owner: () => string | undefined;
  readonly #maxBytes: number;
  readonly #writing = new Map<string, Promise<void>>();
  readonly #holders = new Map<string, number>();
  #bytes = 0;

  /**
   * @param isNamed whether a record refers to a digest
   * @param owner the application or webhook for which the current task acts; default: none
   * @param maxBytes of all files together
   */
  constructor(
    isNamed: (digest: string) => boolean,
    log: Log,
    owner: () => string | undefined = () => undefined,
    maxBytes = MAX_TOTAL_BYTES,
  ) {
    this.#isNamed = isNamed;
    this.#log = log;
    this.#owner = owner;
    this.#maxBytes = maxBytes;
    this.#shares = new PoolShare(maxBytes, maxBytes * MIN_PER_OWNER);
  }

  /** Stores bytes. @throws ApiError 503 when there is no space. */
  async hold(bytes: Buffer): Promise<HeldFile> {
    const digest = createHash('sha256').update(bytes).digest('hex');
    this.#holders.set(digest, (this.#holders.get(digest) ?? 0) + 1);
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      this.#letGo(digest);
    };
    try {
      await this.#write(digest, bytes);
      return { digest, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Path of a file; undefined for an unknown or lost file. */
  pathOf(digest: string): string | undefined {
    return this.#present([digest]).length === 0 ? undefined : this.#pathIn(digest);
  }

  /** Deletes a file that is neither held nor referred to. */
  settle(digest: string): void {
    const size = this.#sizes.get(digest);
    if (size === undefined || this.#holders.has(digest) || this.#isNamed(digest)) return;
    this.#forget(digest);
    const path = this.#folder?.exists() === true ? this.#pathIn(digest) : undefined;
    if (path !== undefined) rmSync(path, { force: true });
  }

  /** Deletes all files that are neither held nor referred to. */
  settleAll(): void {
    for (const digest of [...this.#sizes.keys()]) this.settle(digest);
  }

  /** The size of a file in bytes; undefined for a missing one. */
  sizeOf(digest: string): number | undefined {
    return this.#sizes.get(digest);
  }

  /**
   * Whether a record refers to a file whose bytes are missing, because another program removed them or they never
   * arrived.
   */
  isMissing(digest: string): boolean {
    return !this.#sizes.has(digest) && this.#isNamed(digest);
  }

  /**
   * Holds existing files until the returned function is called, even if their records are removed. Files that a cleaner
   * has removed count as lost from now on.
   */
  retain(digests: Iterable<string>): () => void {
    const present = this.#present(digests);
    for (const digest of present) this.#holders.set(digest, (this.#holders.get(digest) ?? 0) + 1);
    return () => {
      for (const digest of present.splice(0)) this.#letGo(digest);
    };
  }

  /**
   * The bytes of an existing file, in at least one part, each of at most `maxBytes` bytes; no part for a lost file. The
   * file is held during the iteration.
   */
  *read(digest: string, maxBytes: number): Generator<Buffer> {
    const path = this.pathOf(digest);
    if (path === undefined) return;
    this.#holders.set(digest, (this.#holders.get(digest) ?? 0) + 1);
    let fd: number | undefined;
    try {
      fd = openIfThere(path);
      if (fd === undefined) return;
      for (let isFirst = true; ; isFirst = false) {
        const part = Buffer.alloc(maxBytes);
        let size = 0;
        for (let read = -1; read !== 0 && size < maxBytes; size += read)
          read = readSync(fd, part, size, maxBytes - size, null);
        if (size > 0 || isFirst) yield part.subarray(0, size);
        if (size < maxBytes) return;
      }
    } finally {
      if (fd !== undefined) closeSync(fd);
      this.#letGo(digest);
    }
  }

  /** Takes over the files of a state that has become current, and deletes those that no record refers to. */
  adopt(files: IncomingFiles): void {
    const { folder, sizes } = files;
    if (folder === undefined) return;
    const here = new Set(this.#present(sizes.keys()));
    const lost: string[] = [];
    for (const [digest, size] of sizes) {
      if (here.has(digest) || this.#bytes + size > this.#maxBytes || !this.#isNamed(digest)) continue;
      try {
        renameSync(join(folder, digest), join(this.#ownFolder().path, digest));
      } catch (error) {
        if (systemCode(error) !== 'ENOENT') throw error;
        lost.push(digest);
        continue;
      }
      this.#add(digest, size);
    }
    this.#lose(lost, folder);
    files.discard();
  }

  close(): void {
    this.#folder?.remove();
  }

  #letGo(digest: string): void {
    const left = (this.#holders.get(digest) ?? 1) - 1;
    if (left === 0) this.#holders.delete(digest);
    else this.#holders.set(digest, left);
    this.settle(digest);
  }

  #ownFolder(): ProcessFolder {
    this.#present([]);
    this.#folder ??= makeProcessFolder(FILES_FOLDER);
    return this.#folder;
  }

  #pathIn(digest: string): string | undefined {
    return this.#folder === undefined ? undefined : join(this.#folder.path, digest);
  }

  /** Those of the given files that exist, according to a check of the disk. */
  #present(digests: Iterable<string>): string[] {
    const folder = this.#folder;
    if (folder === undefined) return [];
    if (!folder.exists()) {
      this.#folder = undefined;
      this.#lose([...this.#sizes.keys()], folder.path);
      return [];
    }
    const present: string[] = [];
    const lost: string[] = [];
    for (const digest of digests) {
      if (!this.#sizes.has(digest)) continue;
      const isHere = lstatOf(join(folder.path, digest))?.isFile() === true;
      (isHere ? present : lost).push(digest);
    }
    this.#lose(lost, folder.path);
    return present;
  }

  #lose(digests: readonly string[], folder: string): void {
    for (const digest of digests) this.#forget(digest);
    if (digests.length === 0) return;
    this.#log.warn(
      `${amount(digests.length, 'stored file is', 'stored files are')} lost: something has removed what was in ${folder}. ` +
        `${digests.length === 1 ? 'Its address answers' : 'Their addresses answer'} 404 and an export has no bytes of ` +
        `${digests.length === 1 ? 'it; send it' : 'them; send them'} again`,
    );
  }

  #add(digest: string, size: number): void {
    this.#sizes.set(digest, size);
    this.#bytes += size;
  }

  #forget(digest: string): void {
    const size = this.#sizes.get(digest) ?? 0;
    this.#bytes -= size;
    this.#sizes.delete(digest);
    this.#disown(digest, size);
  }

  /** Counts a file for the owner of the current task. @throws ApiError 503 beyond the owner's share. */
  #own(digest: string, size: number): void {
    const owner = this.#owner();
    if (owner === undefined) return;
    // The rest is what the files without an owner leave.
    this.#shares.resize(this.#maxBytes - (this.#bytes - this.#shares.taken));
    if (!this.#shares.charge(owner, size)) throw noSpace();
    this.#owners.set(digest, owner);
  }

  #disown(digest: string, size: number): void {
    const owner = this.#owners.get(digest);
    if (owner === undefined) return;
    this.#owners.delete(digest);
    this.#shares.release(owner, size);
  }

  async #write(digest: string, bytes: Buffer): Promise<void> {
    const pending = this.#writing.get(digest);
    if (pending !== undefined) return pending;
    if (this.#present([digest]).length > 0) return;
    if (this.#bytes + bytes.length > this.#maxBytes) throw noSpace();
    this.#own(digest, bytes.length);
    // The bytes count before they are written, so that simultaneous files cannot exceed the limit together.
    this.#bytes += bytes.length;
    const writing = this.#put(digest, bytes);
    this.#writing.set(digest, writing);
    try {
      await writing;
    } catch (error) {
      this.#disown(digest, bytes.length);
      throw error;
    } finally {
      this.#bytes -= bytes.length;
      this.#writing.delete(digest);
    }
    this.#add(digest, bytes.length);
  }

  async #put(digest: string, bytes: Buffer): Promise<void> {
    const write = (): Promise<void> =>
      writeFile(join(this.#ownFolder().path, digest), bytes, { mode: 0o600 });
    try {
      // A cleaner may remove the folder between the check and the write; then the write is repeated in a new folder.
      await write().catch((error: unknown) => {
        if (systemCode(error) !== 'ENOENT') throw error;
        return write();
      });
    } catch (error) {
      const path = this.#pathIn(digest);
      if (path !== undefined) rmSync(path, { force: true });
      throw storageFailure(error);
    }
  }
}

function noSpace(): ApiError {
  const message = 'Too many files are stored; delete some messages with files';
  return generalError(503, message);
}

/** The error reply for a file that cannot be stored; any other error is returned unchanged. */
function storageFailure(error: unknown): unknown {
  if (isLocalError(error)) return generalError(503, error.message);
  const code = systemCode(error);
  if (code === undefined) return error;
  const why = DISK_FULL.includes(code)
    ? 'The disk of the temporary folder is full; make room on it'
    : `The temporary folder takes no file: ${systemErrorText(error)}`;
  return generalError(503, why);
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Access to the file store. */
export interface HasFileStore {
  readonly fileStore: FileStore;
}
