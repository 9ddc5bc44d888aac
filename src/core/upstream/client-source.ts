import type { Duplex } from 'node:stream';

/** Process that serves an endpoint, as far as the system reports it. */
export interface ServingProgram {
  readonly pid: number;
  /** Path of its executable. */
  readonly exe?: string | undefined;
  /** Name of its executable, with the script of an interpreter. */
  readonly name?: string | undefined;
}

/** A connection to a server that may be the upstream. */
export interface Connected {
  readonly path: string;
  readonly stream: Duplex;
  readonly program?: ServingProgram | undefined;
}

/** Mark of a path at which something may have changed without a sign. */
export const UNKNOWN_MARK = 'unknown';

/** Places where chat clients of this user may answer, and connections to them. */
export interface ClientSource {
  /** Paths at which a client may answer, most likely first. */
  readonly candidates: () => readonly string[];
  /**
   * Identity of what is at a path, which changes when another program listens there; undefined where there is nothing,
   * and {@link UNKNOWN_MARK} on a system that does not tell.
   */
  readonly mark: (path: string) => string | undefined;
  /**
   * Whether a client answers at the path, and its program. Rejects where nothing answers, and with `LocalError` for a
   * path that must not be used.
   */
  readonly check: (path: string) => Promise<{ readonly program?: ServingProgram | undefined }>;
  /** Connects to one client, with the checks of its owner and of circles. */
  readonly reach: (path: string, signal: AbortSignal) => Promise<Connected>;
}
