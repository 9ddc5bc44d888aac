import { createHash } from 'node:crypto';
import { rmSync, unlinkSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../api/api-error.ts';

/** Most bytes of all files together. */
const MOST_BYTES = 1024 * 1024 * 1024;

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
  #folder: Promise<string> | undefined;
  #made: string | undefined;
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
      const left = (this.#holders.get(digest) ?? 1) - 1;
      if (left === 0) this.#holders.delete(digest);
      else this.#holders.set(digest, left);
      this.settle(digest);
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
    return this.#sizes.has(digest) && this.#made !== undefined ? join(this.#made, digest) : undefined;
  }

  /** Lets bytes go that nobody holds or names. */
  settle(digest: string): void {
    const size = this.#sizes.get(digest);
    if (size === undefined || this.#holders.has(digest) || this.#isNamed(digest)) return;
    this.#sizes.delete(digest);
    this.#bytes -= size;
    if (this.#made !== undefined) unlinkSync(join(this.#made, digest));
  }

  close(): void {
    if (this.#made !== undefined) rmSync(this.#made, { recursive: true, force: true });
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
    this.#folder ??= mkdtemp(join(tmpdir(), 'footbridge-files-'));
    this.#made = await this.#folder;
    await writeFile(join(this.#made, digest), bytes, { mode: 0o600 });
  }
}
