import { chmod, lstat, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Clock, systemClock } from '../clock.ts';
import { type Log, silentLog } from '../log.ts';
import { parseDocument, printDocument } from './document.ts';
import type { StoredState } from './state.ts';
import type { LoadResult, SaveResult, Store } from './store.ts';

const largestFile = 16 * 1024 * 1024;

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : String(error);
}

/** Makes a rename durable. Not every system can open a folder, and there it needs no help. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'EPERM'].includes(codeOf(error))) throw error;
  }
}

class FileStore implements Store {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #log: Log;
  /** Minor version of the file that was loaded; written back, so that its fields stay announced. */
  #minor: number | undefined;
  #unusable: string | undefined;
  #next: StoredState | undefined;
  #writing: Promise<SaveResult> | undefined;
  #queued: Promise<SaveResult> | undefined;
  #lastFailure: string | undefined;

  constructor(path: string, clock: Clock, log: Log, readOnly: string | undefined) {
    this.#path = path;
    this.#clock = clock;
    this.#log = log;
    if (readOnly !== undefined) this.#unusable = `${path} is only read because ${readOnly}`;
  }

  async load(): Promise<LoadResult> {
    try {
      if (this.#unusable !== undefined) return await this.#readOnly();
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      return await this.#read();
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return { kind: 'empty' };
      return this.#refuse(`it cannot be read (${codeOf(error)})`);
    }
  }

  /** Changes nothing: neither a mode nor, for a file that is not good, its name. */
  async #readOnly(): Promise<LoadResult> {
    const stats = await lstat(this.#path);
    if (!stats.isFile() || stats.size > largestFile) return this.#refuse('it is not one of ours');
    const document = parseDocument(await readFile(this.#path, 'utf8'));
    if (document.kind === 'bad') return this.#refuse(document.reason);
    return { kind: 'loaded', state: document.state };
  }

  async #read(): Promise<LoadResult> {
    const stats = await lstat(this.#path);
    // Reading a FIFO would never end, and neither it nor a folder is ours to move.
    if (!stats.isFile()) return this.#refuse('it is not a regular file');
    if (stats.size > largestFile) return this.#quarantine(`it is larger than ${largestFile} bytes`);
    if ((stats.mode & 0o077) !== 0) await chmod(this.#path, 0o600);
    const document = parseDocument(await readFile(this.#path, 'utf8'));
    if (document.kind === 'bad') return this.#quarantine(document.reason);
    this.#minor = document.minor;
    return { kind: 'loaded', state: document.state };
  }

  async #quarantine(reason: string): Promise<LoadResult> {
    const movedTo = `${this.#path}.corrupt-${this.#clock.now()}`;
    await rename(this.#path, movedTo);
    this.#log.warn(
      `${this.#path} could not be used because ${reason}; it was moved to ${movedTo}. No grant or token is known now.`,
    );
    return { kind: 'quarantined', movedTo, reason };
  }

  #refuse(reason: string): LoadResult {
    this.#unusable = `${this.#path} is left alone because ${reason}`;
    this.#log.warn(`${this.#unusable}; grants and tokens will be forgotten when the process ends.`);
    return { kind: 'unusable', reason };
  }

  /** While one write is under way, all states that arrive share the next one. */
  save(state: StoredState): Promise<SaveResult> {
    this.#next = state;
    if (this.#writing === undefined) {
      this.#writing = this.#run();
      return this.#writing;
    }
    this.#queued ??= this.#writing.then(() => {
      this.#queued = undefined;
      this.#writing = this.#run();
      return this.#writing;
    });
    return this.#queued;
  }

  async #run(): Promise<SaveResult> {
    const result = await this.#write();
    if (this.#queued === undefined) this.#writing = undefined;
    const failure = result.kind === 'failed' ? result.reason : undefined;
    if (failure !== this.#lastFailure) {
      if (failure === undefined) this.#log.info(`${this.#path} is being written again.`);
      else this.#log.warn(`${failure}; the file of the last good save stays in place.`);
    }
    this.#lastFailure = failure;
    return result;
  }

  async #write(): Promise<SaveResult> {
    if (this.#unusable !== undefined) return { kind: 'failed', reason: this.#unusable };
    const state = this.#next;
    if (state === undefined) return { kind: 'saved' };
    const temporary = `${this.#path}.new`;
    try {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      await unlink(temporary).catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error;
      });
      // `wx` does not follow a link that somebody put there; a reader sees the old file or the new one.
      const handle = await open(temporary, 'wx', 0o600);
      try {
        await handle.writeFile(printDocument(state, this.#minor));
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporary, this.#path);
      await syncFolder(dirname(this.#path));
      return { kind: 'saved' };
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      return { kind: 'failed', reason: `${this.#path} cannot be written (${codeOf(error)})` };
    }
  }
}

/**
 * A store in one JSON file (0600, in a folder made 0700), replaced atomically. One process may write it at a time: with
 * `readOnly`, the reason why we may not, what is there is loaded and every save fails.
 */
export function fileStore(
  path: string,
  options: { clock?: Clock; log?: Log; readOnly?: string } = {},
): Store {
  const { clock = systemClock, log = silentLog, readOnly } = options;
  return new FileStore(path, clock, log, readOnly);
}
