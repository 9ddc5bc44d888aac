import { createHash } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../api/api-error.ts';
import { type IncomingFiles, MOST_BYTES } from './incoming.ts';

/** Bytes that are kept for as long as somebody holds them, or a record names them. */
export interface HeldFile {
  /** SHA-256, in hex. */
  readonly digest: string;
  release(): void;
}

/**
 * The bytes of files, each content once, in a folder of this process that nobody else can look into. It comes with the
 * first file and goes with the process.
 */
export class FileStore {
  readonly #isNamed: (digest: string) => boolean;
  #folder: string | undefined;
  readonly #sizes = new Map<string, number>();
  readonly #writing = new Map<string, Promise<void>>();
  readonly #holders = new Map<string, number>();
  #bytes = 0;

  /** `isNamed` says whether a record names a digest. */
  constructor(isNamed: (digest: string) => boolean) {
    this.#isNamed = isNamed;
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

  /** Where the bytes lie; undefined for what nobody sent to this process. */
  pathOf(digest: string): string | undefined {
    return this.#sizes.has(digest) && this.#folder !== undefined ? join(this.#folder, digest) : undefined;
  }

  /** Lets bytes go that nobody holds or names. */
  settle(digest: string): void {
    const size = this.#sizes.get(digest);
    if (size === undefined || this.#holders.has(digest) || this.#isNamed(digest)) return;
    this.#sizes.delete(digest);
    this.#bytes -= size;
    if (this.#folder !== undefined) unlinkSync(join(this.#folder, digest));
  }

  /** The same for all that are here. */
  settleAll(): void {
    for (const digest of [...this.#sizes.keys()]) this.settle(digest);
  }

  /** The size of a file in bytes; undefined for one that is not here. */
  sizeOf(digest: string): number | undefined {
    return this.#sizes.get(digest);
  }

  /** Keeps files that are here until the returned function is called, whatever becomes of what names them. */
  keep(digests: Iterable<string>): () => void {
    const kept = [...digests].filter((digest) => this.#sizes.has(digest));
    for (const digest of kept) this.#holders.set(digest, (this.#holders.get(digest) ?? 0) + 1);
    return () => {
      for (const digest of kept.splice(0)) this.#letGo(digest);
    };
  }

  /** The bytes of a file that is here, in parts of at most `most` bytes, at least one. They stay while somebody goes through them. */
  *read(digest: string, most: number): Generator<Buffer> {
    const path = this.pathOf(digest);
    if (path === undefined) return;
    this.#holders.set(digest, (this.#holders.get(digest) ?? 0) + 1);
    const fd = openSync(path, 'r');
    try {
      for (let isFirst = true; ; isFirst = false) {
        const part = Buffer.alloc(most);
        let size = 0;
        for (let read = -1; read !== 0 && size < most; size += read)
          read = readSync(fd, part, size, most - size, null);
        if (size > 0 || isFirst) yield part.subarray(0, size);
        if (size < most) return;
      }
    } finally {
      closeSync(fd);
      this.#letGo(digest);
    }
  }

  /** Takes files over that came with a state which is in force now: those that no record names go. */
  adopt(files: IncomingFiles): void {
    const { folder, sizes } = files;
    if (folder === undefined) return;
    for (const [digest, size] of sizes) {
      if (this.#sizes.has(digest) || this.#bytes + size > MOST_BYTES || !this.#isNamed(digest)) continue;
      renameSync(join(folder, digest), join(this.#ownFolder(), digest));
      this.#sizes.set(digest, size);
      this.#bytes += size;
    }
    files.discard();
  }

  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  #letGo(digest: string): void {
    const left = (this.#holders.get(digest) ?? 1) - 1;
    if (left === 0) this.#holders.delete(digest);
    else this.#holders.set(digest, left);
    this.settle(digest);
  }

  #ownFolder(): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'footbridge-files-'));
    return this.#folder;
  }

  async #write(digest: string, bytes: Buffer): Promise<void> {
    const pending = this.#writing.get(digest);
    if (pending !== undefined) return pending;
    if (this.#sizes.has(digest)) return;
    if (this.#bytes + bytes.length > MOST_BYTES) {
      throw new ApiError(503, 'Too many files are kept; delete some messages with files');
    }
    this.#bytes += bytes.length;
    const writing = this.#put(digest, bytes);
    this.#writing.set(digest, writing);
    try {
      await writing;
      this.#sizes.set(digest, bytes.length);
    } catch (error) {
      this.#bytes -= bytes.length;
      throw error;
    } finally {
      this.#writing.delete(digest);
    }
  }

  async #put(digest: string, bytes: Buffer): Promise<void> {
    await writeFile(join(this.#ownFolder(), digest), bytes, { mode: 0o600 });
  }
}
