import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync, unlinkSync } from 'node:fs';
import { systemErrorText } from '../system-error-text.ts';
import { type AppendedFile, appendTo } from './append-file.ts';

/**
 * A file that keeps its content until `begin`. When the file existed before, appended pieces are written only at that
 * call.
 */
export interface ReplacedFile extends AppendedFile {
  /** Empties the file, gives it mode 0600 and writes the pieces that were appended so far; later pieces are written at once. */
  begin(): void;
  /** Leaves an existing file as it was, or removes a new file. Returns false when the replacement has begun already. */
  abandon(): boolean;
}

/**
 * Opens a file (mode 0600) whose content will be replaced later. A file that cannot be written is thereby
 * detected at once, and the old content is lost only when the new content exists. A pipe or a device has no content to
 * lose, so it is written from the start. Throws the operating system's error, also for a pipe without a reader.
 */
export function openReplaced(path: string): ReplacedFile {
  const { fd, isNew } = open(path);
  if (fstatSync(fd).isFile()) return new RegularFile(path, fd, isNew);
  // The pipe is opened again without O_NONBLOCK, so that data for which it has no room are not lost.
  closeSync(fd);
  return { ...appendTo(openSync(path, 'w')), begin() {}, abandon: () => false };
}

function open(path: string): { readonly fd: number; readonly isNew: boolean } {
  // Windows has no O_NONBLOCK; `undefined` in the expression has no effect.
  const { O_WRONLY, O_CREAT, O_EXCL, O_NONBLOCK } = constants;
  try {
    return { fd: openSync(path, O_WRONLY | O_CREAT | O_EXCL, 0o600), isNew: true };
  } catch {
    return { fd: openSync(path, O_WRONLY | O_CREAT | O_NONBLOCK, 0o600), isNew: false };
  }
}

class RegularFile implements ReplacedFile {
  readonly #path: string;
  readonly #fd: number;
  readonly #isNew: boolean;
  readonly #file: AppendedFile;
  #state:
    | { readonly kind: 'waiting'; readonly texts: string[] }
    | { readonly kind: 'begun' | 'abandoned' }
    | { readonly kind: 'failed'; readonly reason: string } = { kind: 'waiting', texts: [] };

  constructor(path: string, fd: number, isNew: boolean) {
    this.#path = path;
    this.#fd = fd;
    this.#isNew = isNew;
    this.#file = appendTo(fd);
  }

  begin(): void {
    if (this.#state.kind !== 'waiting') return;
    const { texts } = this.#state;
    try {
      // Before the first byte, because other users may read a file that was there before.
      fchmodSync(this.#fd, 0o600);
      if (!this.#isNew) ftruncateSync(this.#fd);
      this.#state = { kind: 'begun' };
    } catch (error) {
      this.#state = { kind: 'failed', reason: systemErrorText(error) };
    }
    for (const text of texts) this.append(text);
  }

  append(text: string): boolean {
    switch (this.#state.kind) {
      case 'waiting':
        // A new file is written at once, because it has no content to lose and a full disk is then detected before the
        // program starts.
        if (this.#isNew) return this.#file.append(text);
        this.#state.texts.push(text);
        return true;
      case 'begun':
        return this.#file.append(text);
      default:
        return false;
    }
  }

  abandon(): boolean {
    if (this.#state.kind === 'waiting') {
      this.#state = { kind: 'abandoned' };
      this.#file.close();
      if (this.#isNew) unlinkSync(this.#path);
    }
    return this.#state.kind === 'abandoned';
  }

  close(): string | undefined {
    const failure = this.#file.close();
    return this.#state.kind === 'failed' ? this.#state.reason : failure;
  }
}
