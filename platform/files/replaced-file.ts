import { closeSync, constants, fstatSync, ftruncateSync, openSync, unlinkSync } from 'node:fs';
import { inSystemWords } from '../system-words.ts';
import { type AppendedFile, appendTo } from './append-file.ts';

/** A file that retains its content until `begin`; for a file that existed, appended pieces wait for that call. */
export interface ReplacedFile extends AppendedFile {
  /** Empties the file and writes the pieces that were appended so far. */
  begin(): void;
  /** Restores the file as it was found and removes a new one; false once the replacement has begun. */
  abandon(): boolean;
}

/**
 * Opens a file (mode 0600 for a new one) whose content is to be replaced later, so that an unwritable file is detected
 * at once, and its content is lost only once there is a replacement. A pipe or a device has no content to lose, and
 * begins at once. Throws the system's error, also for a pipe without a reader.
 */
export function openReplaced(path: string): ReplacedFile {
  const { fd, isNew } = open(path);
  if (fstatSync(fd).isFile()) return new RegularFile(path, fd, isNew);
  // A pipe with a reader: data without room in the pipe must not be lost.
  closeSync(fd);
  return { ...appendTo(openSync(path, 'w')), begin() {}, abandon: () => false };
}

function open(path: string): { readonly fd: number; readonly isNew: boolean } {
  // Windows has no O_NONBLOCK, and adding undefined has no effect.
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
      if (!this.#isNew) ftruncateSync(this.#fd);
      this.#state = { kind: 'begun' };
    } catch (error) {
      this.#state = { kind: 'failed', reason: inSystemWords(error) };
    }
    for (const text of texts) this.append(text);
  }

  append(text: string): boolean {
    switch (this.#state.kind) {
      case 'waiting':
        // A new file has no content to lose, and a full disk is detected before the program starts.
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
