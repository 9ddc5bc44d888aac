import { mkdirSync, rmdirSync } from 'node:fs';
import { systemCode } from '../../src/base/local-error.ts';
import { type InodeIdentity, identityOf, isStill, lstatOf } from './inode.ts';

/** The folders that this process has made, which it may remove again. */
export class MadeFolders {
  readonly #made = new Map<string, InodeIdentity>();

  /** Makes a folder with mode 0700; one that exists stays as it is. Throws the error of the system otherwise. */
  make(folder: string): void {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if (systemCode(error) === 'EEXIST') return;
      throw error;
    }
    const made = lstatOf(folder);
    if (made !== undefined) this.#made.set(folder, identityOf(made));
  }

  /** Removes a folder that this process has made and that is empty. Any other folder stays. */
  remove(folder: string): void {
    const made = this.#made.get(folder);
    if (made === undefined) return;
    try {
      // The system removes only an empty folder. What others have put there belongs to them.
      if (isStill(folder, made)) rmdirSync(folder);
      this.#made.delete(folder);
    } catch {
      // The folder may be empty the next time.
    }
  }
}
