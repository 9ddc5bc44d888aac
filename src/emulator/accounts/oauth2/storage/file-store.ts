import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  makeFolder,
  ownerFault,
  syncFolder,
  writeLargePrivateFile,
} from '../../../../../platform/files/private-file.ts';
import { systemErrorText } from '../../../../../platform/system-error-text.ts';
import type { SaveResult } from '../../../../base/saves.ts';
import { type Clock, systemClock } from '../../../kernel/clock.ts';
import { type Log, silentLog } from '../../../kernel/log.ts';
import { parseDocument, printDocument } from './document.ts';
import { type Revocation, RevocationMarks, withoutRevoked } from './revocation.ts';
import type { StoredState } from './state.ts';
import type { LoadResult, Store } from './store.ts';

const maxFileBytes = 16 * 1024 * 1024;

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : String(error);
}

class FileStore implements Store {
  readonly #path: string;
  readonly #uid: number | undefined;
  readonly #clock: Clock;
  readonly #log: Log;
  /**
   * Minor version of the loaded file. It is written back, so that the file still announces the fields of that version.
   */
  #minor: number | undefined;
  #unusable: string | undefined;
  #next: StoredState | undefined;
  readonly #marks: RevocationMarks;
  /** Revocations since the last successful save. */
  #revoked: readonly Revocation[] = [];
  #writing: Promise<SaveResult> | undefined;
  #queued: Promise<SaveResult> | undefined;
  #lastFailure: string | undefined;

  constructor(path: string, clock: Clock, log: Log, { readOnly, uid }: FileStoreOptions) {
    this.#path = path;
    this.#uid = uid;
    this.#marks = new RevocationMarks(path);
    this.#clock = clock;
    this.#log = log;
    if (readOnly !== undefined) this.#unusable = `${path} is only read because ${readOnly}`;
  }

  async load(): Promise<LoadResult> {
    // The marks are read even if the file is missing or damaged: the next successful save must remove them, because
    // they would otherwise revoke later grants.
    this.#revoked = await this.#marks.list();
    try {
      if (this.#unusable === undefined) makeFolder(dirname(this.#path));
      // Reading a FIFO would never end. Only regular files are moved aside: a FIFO, folder or link must stay in place.
      if (!(await lstat(this.#path)).isFile()) return this.#refuse('it is not a regular file');
      // The type is checked again on the opened file, because the path may have been replaced since `lstat`.
      const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
      const file = await open(this.#path, constants.O_RDONLY | careful);
      try {
        return await this.#read(file);
      } finally {
        await file.close();
      }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return { kind: 'empty' };
      return this.#refuse(`it cannot be read (${codeOf(error)})`);
    }
  }

  /** The loaded state without the records whose revocation could not be saved. */
  #loaded(state: StoredState): LoadResult {
    if (this.#revoked.length === 0) return { kind: 'loaded', state };
    return { kind: 'loaded', state: withoutRevoked(state, this.#revoked), stale: true };
  }

  async #read(file: FileHandle): Promise<LoadResult> {
    const stats = await file.stat();
    if (!stats.isFile()) return this.#refuse('it is not a regular file');
    // A file's owner could have written grants into it, so the owner is checked. A file of another user must not be
    // moved either.
    const fault = ownerFault(stats, this.#uid);
    if (fault !== undefined) return this.#refuse(fault);
    if (stats.size > maxFileBytes) return this.#quarantine(`it is larger than ${maxFileBytes} bytes`);
    const document = parseDocument(await file.readFile('utf8'));
    if (document.kind === 'bad')
      return document.foreign === true ? this.#refuse(document.reason) : this.#quarantine(document.reason);
    this.#minor = document.minor;
    // The checksum proves that Footbridge wrote the file, so its permissions were loosened later and are corrected.
    const isOwn = this.#uid === undefined || stats.uid === this.#uid;
    if (this.#unusable === undefined && isOwn && (stats.mode & 0o077) !== 0) await file.chmod(0o600);
    return this.#loaded(document.state);
  }

  /** In read-only mode, a damaged file is not renamed. */
  async #quarantine(reason: string): Promise<LoadResult> {
    if (this.#unusable !== undefined) return this.#refuse(reason);
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

  /** Saves a state. While a write is in progress, all further states share the next write. */
  save(state: StoredState, revoked?: Revocation): Promise<SaveResult> {
    this.#next = state;
    if (revoked !== undefined) this.#revoked = [...this.#revoked, revoked];
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
    const revoked = this.#revoked;
    const written = await this.#write();
    const result = written.kind === 'failed' ? { ...written, ...(await this.#mark(revoked)) } : written;
    if (written.kind === 'saved') await this.#unmark(revoked);
    if (this.#queued === undefined) this.#writing = undefined;
    const failure = result.kind === 'failed' ? result.reason : undefined;
    if (failure !== this.#lastFailure) {
      if (failure === undefined) this.#log.info(`${this.#path} is being written again.`);
      else this.#log.warn(`${failure}; the file of the last good save stays in place.`);
    }
    this.#lastFailure = failure;
    return result;
  }

  async #mark(revoked: readonly Revocation[]): Promise<{ readonly marked?: true }> {
    if (this.#unusable !== undefined) return {};
    try {
      for (const revocation of revoked) await this.#marks.add(revocation);
      if (revoked.length > 0) await syncFolder(dirname(this.#path));
      return { marked: true };
    } catch {
      return {};
    }
  }

  /** Removes the marks of revocations after a save that no longer contains the revoked records. */
  async #unmark(revoked: readonly Revocation[]): Promise<void> {
    this.#revoked = this.#revoked.filter((revocation) => !revoked.includes(revocation));
    // Only few marks ever exist. The next load checks a mark that cannot be removed.
    for (const revocation of revoked) await this.#marks.remove(revocation).catch(() => undefined);
  }

  async #write(): Promise<SaveResult> {
    if (this.#unusable !== undefined) return { kind: 'failed', reason: this.#unusable, final: true };
    const state = this.#next;
    if (state === undefined) return { kind: 'saved' };
    try {
      await writeLargePrivateFile(this.#path, printDocument(state, this.#minor));
      return { kind: 'saved' };
    } catch (error) {
      return { kind: 'failed', reason: `${this.#path} cannot be written: ${systemErrorText(error)}` };
    }
  }
}

/** Options of a file store. */
export interface FileStoreOptions {
  readonly clock?: Clock;
  readonly log?: Log;
  /** Reason why the file must not be written: the existing file is loaded, and every save fails. */
  readonly readOnly?: string;
  /** Required owner of the file (root is also accepted); undefined where the system has no user ids. */
  readonly uid?: number | undefined;
}

/**
 * A store in one JSON file (0600, in a folder created with 0700), replaced atomically. Only one process may write it at a
 * time.
 */
export function fileStore(path: string, options: FileStoreOptions = {}): Store {
  const { clock = systemClock, log = silentLog } = options;
  return new FileStore(path, clock, log, options);
}
