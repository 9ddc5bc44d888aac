/** Timeouts of the suite, in ms. */
export interface Timeouts {
  /** Time for a response, a connection or the end of a stream (ms). */
  readonly answerMs: number;
  /** Silence after which "nothing comes" counts as proven (ms). */
  readonly quietMs: number;
  /** Time for a server to close the connection of a silent peer (ms). */
  readonly deadlineMs: number;
  /** Time for a started command to listen (ms). */
  readonly startMs: number;
  /** Time for a command to end after a signal (ms). */
  readonly stopMs: number;
  /** For a complete case. */
  readonly caseMs: number;
}

/** Default timeouts. */
export const defaultTimeouts: Timeouts = {
  answerMs: 2000,
  quietMs: 300,
  deadlineMs: 14_000,
  startMs: 20_000,
  stopMs: 4000,
  caseMs: 25_000,
};

/** Timeouts for clients, which connect to the suite by themselves. */
export const clientTimeouts: Timeouts = { ...defaultTimeouts, startMs: 6000 };
