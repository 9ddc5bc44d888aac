import { chmodSync, linkSync, renameSync } from 'node:fs';
import { LocalError, systemCode } from '../../src/base/local-error.ts';
import {
  type InodeIdentity,
  identityOf,
  isStill,
  lstatOf,
  moveIntoFree,
  removeIfStill,
} from '../files/inode.ts';
import type { Lock } from '../native/lock.ts';

/** A socket that somebody else listens on for us: it gets a second name and outlives us under both. */
export interface Adopted {
  readonly path: string;
  readonly identity: InodeIdentity;
}

/** How the socket gets into its place: into a free one, in place of a dead socket, over a live one, or it is there. */
export type Target =
  | { readonly kind: 'free' }
  | { readonly kind: 'stale'; readonly identity: InodeIdentity }
  | { readonly kind: 'takeover' }
  | { readonly kind: 'there' };

type State =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'published'; readonly identity: InodeIdentity }
  | { readonly kind: 'released' };

/**
 * The life of one socket file: bound under a temporary name, published under its own, removed. libuv deletes the
 * name it was bound to when it closes, whoever's file that is by then; under the temporary name it finds nothing.
 */
export class PublishedSocket {
  readonly path: string;
  #bindPath: string;
  #target: Target;
  #lock: Lock;
  readonly #adopted: Adopted | undefined;
  #state: State = { kind: 'claimed' };

  constructor(path: string, bindPath: string, target: Target, lock: Lock, adopted?: Adopted) {
    this.path = path;
    this.#bindPath = bindPath;
    this.#target = target;
    this.#lock = lock;
    this.#adopted = adopted;
  }

  /** Where to bind: a temporary name, another one after `renew`. */
  get bindPath(): string {
    return this.#bindPath;
  }

  /** Whether nothing stands where this socket was published: it is gone, and nothing has taken its place. */
  deleted(): boolean {
    return this.#state.kind !== 'released' && lstatOf(this.path) === undefined;
  }

  /** Whether nobody else can hold the lock. */
  locked(): boolean {
    return this.#lock.held();
  }

  /** Starts anew after a deletion, under the same lock or a new one: bind at `bindPath`, then `publish()` again. */
  renew(bindPath: string, lock?: Lock): void {
    if (lock !== undefined) {
      this.#lock.release();
      this.#lock = lock;
    }
    this.#bindPath = bindPath;
    this.#target = { kind: 'free' };
    this.#state = { kind: 'claimed' };
  }

  /** Moves the bound socket into place, mode 0600. Throws `LocalError` when unbound or when the place got taken. */
  publish(): void {
    if (this.#state.kind !== 'claimed') return;
    if (this.#adopted !== undefined) {
      this.#nameAdopted(this.#adopted.path);
      this.#state = { kind: 'published', identity: this.#adopted.identity };
      return;
    }
    const bound = lstatOf(this.#bindPath);
    if (bound?.isSocket() !== true) {
      throw new LocalError(
        'FOOTBRIDGE_ENDPOINT_UNBOUND',
        `No socket was bound at ${this.#bindPath}, so ${this.path} cannot be published. Listen on it first.`,
      );
    }
    chmodSync(this.#bindPath, 0o600);
    this.#moveIntoPlace();
    this.#state = { kind: 'published', identity: identityOf(bound) };
  }

  /** Whether the published path still leads to this socket. */
  owned(): boolean {
    return this.#state.kind === 'published' && isStill(this.path, this.#state.identity);
  }

  /** Removes this socket under either name, unless it is adopted, leaves any other file alone, and frees the lock. */
  release(): void {
    const state = this.#state;
    this.#state = { kind: 'released' };
    try {
      if (state.kind === 'published' && this.#adopted === undefined) removeIfStill(this.path, state.identity);
      const bound = state.kind === 'claimed' ? lstatOf(this.#bindPath) : undefined;
      if (bound?.isSocket() === true) removeIfStill(this.#bindPath, identityOf(bound));
    } finally {
      this.#lock.release();
    }
  }

  #moveIntoPlace(): void {
    if (this.#target.kind === 'takeover') {
      // Atomic, so that clients find either the old owner or us, and never nobody.
      renameSync(this.#bindPath, this.path);
      return;
    }
    if (this.#target.kind === 'stale') removeIfStill(this.path, this.#target.identity);
    if (!moveIntoFree(this.#bindPath, this.path)) throw this.#taken();
  }

  #nameAdopted(from: string): void {
    switch (this.#target.kind) {
      case 'there':
        return;
      case 'takeover':
        linkSync(from, this.#bindPath);
        return renameSync(this.#bindPath, this.path);
      case 'stale':
        removeIfStill(this.path, this.#target.identity);
        break;
      case 'free':
    }
    try {
      linkSync(from, this.path);
    } catch (error) {
      throw systemCode(error) === 'EEXIST' ? this.#taken() : error;
    }
  }

  #taken(): LocalError {
    return new LocalError(
      'FOOTBRIDGE_ENDPOINT_TAKEN',
      `${this.path} is taken: another program put a file there while we were starting. ` +
        'Start again to see who it is, or choose another index.',
    );
  }
}
