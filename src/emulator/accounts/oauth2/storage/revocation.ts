import { open, readdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { familyId } from '../tokens.ts';
import type { StoredState } from './state.ts';

/** A revocation of all records of a user and an application or, with `family`, only of the tokens of one code. */
export interface Revocation {
  readonly userId: string;
  readonly clientId: string;
  readonly family?: string | undefined;
}

/** Returns the state without the revoked records. */
export function withoutRevoked(state: StoredState, revocations: readonly Revocation[]): StoredState {
  const isRevoked = (record: { readonly userId: string; readonly clientId: string }, family?: string) =>
    revocations.some(
      (one) =>
        one.userId === record.userId &&
        one.clientId === record.clientId &&
        (one.family === undefined || one.family === family),
    );
  return {
    ...state,
    grants: state.grants.filter((grant) => !isRevoked(grant)),
    tokens: state.tokens.filter((family) => !isRevoked(family, familyId(family))),
  };
}

/**
 * Empty files beside a state file, each named after a revocation that could not be saved. Even a full disk has space
 * for a file name, so the next load knows of the revocation however the process ends.
 */
export class RevocationMarks {
  readonly #folder: string;
  readonly #prefix: string;

  constructor(path: string) {
    this.#folder = dirname(path);
    this.#prefix = `${basename(path)}.revoked-`;
  }

  /** The existing marks; none when the folder cannot be read. */
  async list(): Promise<Revocation[]> {
    const names = await readdir(this.#folder).catch(() => []);
    return names.flatMap((name) => {
      const rest = name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : '';
      const [, userId, clientId, family] =
        /^(\d{1,20})-(\d{1,20})(?:-([A-Za-z0-9]{1,64}))?$/.exec(rest) ?? [];
      return userId === undefined || clientId === undefined ? [] : [{ userId, clientId, family }];
    });
  }

  /** Creates the mark of a revocation. @throws the system's error when it cannot be written. */
  async add(revocation: Revocation): Promise<void> {
    // The flag `wx` follows no link. An existing mark is sufficient, so EEXIST is no error.
    const file = await open(this.#pathOf(revocation), 'wx', 0o600).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
    });
    await file?.close();
  }

  async remove(revocation: Revocation): Promise<void> {
    await unlink(this.#pathOf(revocation));
  }

  #pathOf({ userId, clientId, family }: Revocation): string {
    return join(this.#folder, this.#prefix + [userId, clientId, ...(family ? [family] : [])].join('-'));
  }
}
