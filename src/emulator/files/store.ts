import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lstatOf } from '../../../platform/files/inode.ts';
import { makeProcessFolder, type ProcessFolder } from '../../../platform/files/process-folder.ts';
import { inSystemWords } from '../../../platform/system-words.ts';
import { isLocalError, systemCode } from '../../base/local-error.ts';
import { amount } from '../../base/text.ts';
import { ApiError } from '../api/api-error.ts';
import type { Log } from '../kernel/log.ts';
import { FILES_FOLDER, type IncomingFiles, MOST_BYTES } from './incoming.ts';

/** What a write fails with when the disk, or the user's share of it, is full. */
const DISK_FULL = ['ENOSPC', 'EDQUOT'];

/** Bytes that are kept for as long as somebody holds them, or a record names them. */
export interface HeldFile {
  /** SHA-256, in hex. */
  readonly digest: string;
  release(): void;
}

/**
 * The bytes of files, each content once, in a folder of this process that nobody else can look into. It comes with the
 * first file and goes with the process. A cleaner of temporary files may remove the folder or files in it: those are lost,
 * which the log says, and what comes next is stored in a new folder.
 */
export class FileStore {
  readonly #isNamed: (digest: string) => boolean;
  readonly #log: Log;
  #folder: ProcessFolder | undefined;
  readonly #sizes = new Map<string, number>();
  readonly #writing = new Map<string, Promise<void>>();
  readonly #holders = new Map<string, number>();
  #bytes = 0;

  /** `isNamed` says whether a record names a digest. */
  constructor(isNamed: (digest: string) => boolean, log: Log) {
    this.#isNamed = isNamed;
    this.#log = log;
  }

  /** Keeps bytes. @throws ApiError 503 when there is no room. */
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

  /** Where the bytes lie; undefined for what nobody sent to this process, and for what is lost. */
  pathOf(digest: string): string | undefined {
    return this.#present([digest]).length === 0 ? undefined : this.#pathIn(digest);
  }

  /** Lets bytes go that nobody holds or names. */
  settle(digest: string): void {
    const size = this.#sizes.get(digest);
    if (size === undefined || this.#holders.has(digest) || this.#isNamed(digest)) return;
    this.#forget(digest);
    const path = this.#folder?.exists() === true ? this.#pathIn(digest) : undefined;
    if (path !== undefined) rmSync(path, { force: true });
  }

  /** The same for all that are here. */
  settleAll(): void {
    for (const digest of [...this.#sizes.keys()]) this.settle(digest);
  }

  /** The size of a file in bytes; undefined for one that is not here. */
  sizeOf(digest: string): number | undefined {
    return this.#sizes.get(digest);
  }

  /** Whether a record names a file whose bytes are not here: something has removed them, or the record came without them. */
  isMissing(digest: string): boolean {
    return !this.#sizes.has(digest) && this.#isNamed(digest);
  }

  /**
   * Keeps files that are here until the returned function is called, whatever becomes of what names them. Those that a
   * cleaner has removed are lost from now on.
   */
  keep(digests: Iterable<string>): () => void {
    const kept = this.#present(digests);
    for (const digest of kept) this.#holders.set(digest, (this.#holders.get(digest) ?? 0) + 1);
    return () => {
      for (const digest of kept.splice(0)) this.#letGo(digest);
    };
  }

  /**
   * The bytes of a file that is here, in parts of at most `most` bytes, at least one; none of a lost one. They stay while
   * somebody goes through them.
   */
  *read(digest: string, most: number): Generator<Buffer> {
    const path = this.pathOf(digest);
    if (path === undefined) return;
    this.#holders.set(digest, (this.#holders.get(digest) ?? 0) + 1);
    let fd: number | undefined;
    try {
      fd = openIfThere(path);
      if (fd === undefined) return;
      for (let isFirst = true; ; isFirst = false) {
        const part = Buffer.alloc(most);
        let size = 0;
        for (let read = -1; read !== 0 && size < most; size += read)
          read = readSync(fd, part, size, most - size, null);
        if (size > 0 || isFirst) yield part.subarray(0, size);
        if (size < most) return;
      }
    } finally {
      if (fd !== undefined) closeSync(fd);
      this.#letGo(digest);
    }
  }

  /** Takes files over that came with a state which is in force now: those that no record names go. */
  adopt(files: IncomingFiles): void {
    const { folder, sizes } = files;
    if (folder === undefined) return;
    const here = new Set(this.#present(sizes.keys()));
    const lost: string[] = [];
    for (const [digest, size] of sizes) {
      if (here.has(digest) || this.#bytes + size > MOST_BYTES || !this.#isNamed(digest)) continue;
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

  /** Those of some files whose bytes are here, looked up on the disk. */
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
    this.#bytes -= this.#sizes.get(digest) ?? 0;
    this.#sizes.delete(digest);
  }

  async #write(digest: string, bytes: Buffer): Promise<void> {
    const pending = this.#writing.get(digest);
    if (pending !== undefined) return pending;
    if (this.#present([digest]).length > 0) return;
    if (this.#bytes + bytes.length > MOST_BYTES) {
      throw new ApiError('GeneralError', {
        status: 503,
        message: 'Too many files are kept; delete some messages with files',
      });
    }
    // Counted from now on, so that files at the same time do not exceed the limit together.
    this.#bytes += bytes.length;
    const writing = this.#put(digest, bytes);
    this.#writing.set(digest, writing);
    try {
      await writing;
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
      // The folder may be removed between the look and the write.
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

/** The answer to a client whose file cannot be stored; a defect stays what it is. */
function storageFailure(error: unknown): unknown {
  if (isLocalError(error)) return new ApiError('GeneralError', { status: 503, message: error.message });
  const code = systemCode(error);
  if (code === undefined) return error;
  const why = DISK_FULL.includes(code)
    ? 'The disk of the temporary folder is full; make room on it'
    : `The temporary folder takes no file: ${inSystemWords(error)}`;
  return new ApiError('GeneralError', { status: 503, message: why });
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The bytes of files. */
export interface HasFileStore {
  readonly fileStore: FileStore;
}
