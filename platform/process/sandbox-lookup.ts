import { linkOf } from './proc-files.ts';
import { startTicks } from './program.ts';
import { type ProofSources, type Sandbox, sandboxOf } from './sandbox.ts';

/** Maximum number of processes whose sandbox is remembered. */
const MAX_PROCESSES = 1024;

/** Sandbox of a process as {@link sandboxOf} returns it: remembered, or still to be read, which takes its time. */
export type SandboxAnswer =
  | { readonly kind: 'known'; readonly sandbox: Sandbox | 'unverified' | undefined }
  | { readonly kind: 'unread'; readonly read: () => Sandbox | 'unverified' | undefined };

/** Sandboxes of processes, each read once. */
export class SandboxLookup {
  readonly #sources: ProofSources;
  readonly #maxProcesses: number;
  /** By {@link identityOf}; the oldest first. */
  readonly #known = new Map<string, Sandbox | 'unverified' | undefined>();

  constructor(sources: ProofSources, maxProcesses = MAX_PROCESSES) {
    this.#sources = sources;
    this.#maxProcesses = maxProcesses;
  }

  /** The sandbox of the process that has this pid now; `read` says `unverified` when another one has it by then. */
  of(pid: number): SandboxAnswer {
    const identity = this.#identityOf(pid);
    if (identity === undefined) return { kind: 'known', sandbox: 'unverified' };
    if (this.#known.has(identity)) return { kind: 'known', sandbox: this.#known.get(identity) };
    return { kind: 'unread', read: () => this.#read(pid, identity) };
  }

  #read(pid: number, identity: string): Sandbox | 'unverified' | undefined {
    if (this.#identityOf(pid) !== identity) return 'unverified';
    if (this.#known.has(identity)) return this.#known.get(identity);
    const sandbox = sandboxOf(pid, this.#sources);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= this.#maxProcesses) this.#known.delete(oldest);
    this.#known.set(identity, sandbox);
    return sandbox;
  }

  /**
   * The pid with the start of the process, because a later process may have the same pid, and with the mount namespace,
   * because a program may put itself into a sandbox.
   */
  #identityOf(pid: number): string | undefined {
    const { proc = '/proc' } = this.#sources;
    const started = startTicks(pid, proc);
    return started === undefined ? undefined : `${pid} ${started} ${linkOf(`${proc}/${pid}/ns/mnt`)}`;
  }
}
