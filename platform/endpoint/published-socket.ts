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

/** A socket that the service manager listens on for us: it gets a second name and outlives us under both. */
export interface Adopted {
  readonly path: string;
  readonly identity: InodeIdentity;
}

/**
 * Kind of path that the socket is published to: a free one, one of a dead socket, one of a live socket, or the one
 * that it already has.
 */
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
 * Lifecycle of one socket file: bound under a temporary name, published under its own, removed. On close, libuv deletes
 * the name that the socket was bound to, even if the file is another owner's by then; the temporary name is free by
 * then.
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

  /** Path to bind: a temporary name, another one after `renew`. */
  get bindPath(): string {
    return this.#bindPath;
  }

  /** Whether the socket's path is free: the socket was deleted, and no other file has replaced it. */
  deleted(): boolean {
    return this.#state.kind !== 'released' && lstatOf(this.path) === undefined;
  }

  /** Whether the lock is still exclusively ours. */
  locked(): boolean {
    return this.#lock.held();
  }

  /** Restarts after a deletion, under the same lock or a new one: bind at `bindPath`, then `publish()` again. */
  renew(bindPath: string, lock?: Lock): void {
    if (lock !== undefined) {
      this.#lock.release();
      this.#lock = lock;
    }
    this.#bindPath = bindPath;
    this.#target = { kind: 'free' };
    this.#state = { kind: 'claimed' };
  }

  /** Moves the bound socket to its path, mode 0600. Throws `LocalError` when unbound or when the path was taken. */
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
      // Atomic, so that clients always find the old owner or us.
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
