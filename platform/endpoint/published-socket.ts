import { chmodSync, linkSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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

/**
 * A socket on which the service manager listens for the bridge. It gets a second name, and remains under both names
 * after the bridge ends.
 */
export interface Adopted {
  readonly path: string;
  readonly identity: InodeIdentity;
}

/**
 * State of the path to which the socket is published: free, with a dead socket, with a live socket to take over, or
 * already with this socket.
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

/** Options of {@link PublishedSocket}. */
export interface PublishedSocketOptions {
  readonly adopted?: Adopted | undefined;
  readonly folder?: () => string;
}

/**
 * Lifecycle of one socket file: it is bound under a temporary name, published under its own name, and removed. On
 * close, libuv deletes the name to which the socket was bound, even if the file belongs to another owner by then. The
 * temporary name no longer exists then, so nothing is deleted by mistake.
 */
export class PublishedSocket {
  readonly path: string;
  #bindPath: string;
  #target: Target;
  #lock: Lock;
  readonly #adopted: Adopted | undefined;
  readonly #folder: () => string;
  #state: State = { kind: 'claimed' };

  /** `folder` returns a path of the socket's folder that no other program can lead elsewhere; default: its name. */
  constructor(
    path: string,
    bindPath: string,
    target: Target,
    lock: Lock,
    { adopted, folder = () => dirname(path) }: PublishedSocketOptions = {},
  ) {
    this.path = path;
    this.#folder = folder;
    this.#bindPath = bindPath;
    this.#target = target;
    this.#lock = lock;
    this.#adopted = adopted;
  }

  /** Path at which to bind: a temporary name, which `renew` changes. */
  get bindPath(): string {
    return this.#here(this.#bindPath);
  }

  /** Whether the socket's path is free, because the socket was deleted and no other file has replaced it. */
  deleted(): boolean {
    return this.#state.kind !== 'released' && lstatOf(this.#here(this.path)) === undefined;
  }

  /** Whether the lock is still exclusively ours. */
  locked(): boolean {
    return this.#lock.held();
  }

  /**
   * Prepares another publication after a deletion, under the same lock or a new one: bind at `bindPath`, then call
   * `publish()` again.
   */
  renew(bindPath: string, lock?: Lock): void {
    if (lock !== undefined) {
      this.#lock.release();
      this.#lock = lock;
    }
    this.#bindPath = bindPath;
    this.#target = { kind: 'free' };
    this.#state = { kind: 'claimed' };
  }

  /**
   * Moves the bound socket to its path with mode 0600. Throws `LocalError` when no socket was bound or when another
   * program has taken the path.
   */
  publish(): void {
    if (this.#state.kind !== 'claimed') return;
    if (this.#adopted !== undefined) {
      this.#nameAdopted(this.#adopted.path);
      this.#state = { kind: 'published', identity: this.#adopted.identity };
      return;
    }
    const bound = lstatOf(this.bindPath);
    if (bound?.isSocket() !== true) {
      throw new LocalError(
        'FOOTBRIDGE_ENDPOINT_UNBOUND',
        `No socket was bound at ${this.#bindPath}, so ${this.path} cannot be published. Listen on it first.`,
      );
    }
    // The umask has set the mode, except in a worker thread. `chmod` follows links, so a program in a sandbox, which may
    // write to this folder, could lead it to another file of the user.
    if ((bound.mode & 0o777n) !== 0o600n) chmodSync(this.bindPath, 0o600);
    this.#moveIntoPlace();
    this.#state = { kind: 'published', identity: identityOf(bound) };
  }

  /** Whether the published path still leads to this socket. */
  owned(): boolean {
    return this.#state.kind === 'published' && isStill(this.#here(this.path), this.#state.identity);
  }

  /**
   * Removes this socket under either name, unless it is adopted, and frees the lock. Leaves any other file unchanged.
   */
  release(): void {
    const state = this.#state;
    this.#state = { kind: 'released' };
    try {
      if (state.kind === 'published' && this.#adopted === undefined)
        removeIfStill(this.#here(this.path), state.identity);
      const bound = state.kind === 'claimed' ? lstatOf(this.bindPath) : undefined;
      if (bound?.isSocket() === true) removeIfStill(this.bindPath, identityOf(bound));
    } finally {
      this.#lock.release();
    }
  }

  #moveIntoPlace(): void {
    if (this.#target.kind === 'takeover') {
      // The rename is atomic, so that clients find either the old owner or the new one at any time.
      renameSync(this.bindPath, this.#here(this.path));
      return;
    }
    if (this.#target.kind === 'stale') removeIfStill(this.#here(this.path), this.#target.identity);
    if (!moveIntoFree(this.bindPath, this.#here(this.path))) throw this.#taken();
  }

  #nameAdopted(from: string): void {
    switch (this.#target.kind) {
      case 'there':
        return;
      case 'takeover':
        linkSync(from, this.bindPath);
        return renameSync(this.bindPath, this.#here(this.path));
      case 'stale':
        removeIfStill(this.#here(this.path), this.#target.identity);
        break;
      case 'free':
    }
    try {
      linkSync(from, this.#here(this.path));
    } catch (error) {
      throw systemCode(error) === 'EEXIST' ? this.#taken() : error;
    }
  }

  #here(path: string): string {
    return join(this.#folder(), basename(path));
  }

  #taken(): LocalError {
    return new LocalError(
      'FOOTBRIDGE_ENDPOINT_TAKEN',
      `${this.path} is taken: another program put a file there while we were starting. ` +
        'Start again to see who it is, or choose another index.',
    );
  }
}
