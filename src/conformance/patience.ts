/** How long the suite waits, in ms. */
export interface Patience {
  /** For an answer, a connection or the end of a stream. */
  readonly answerMs: number;
  /** How long nothing must come before "nothing comes" is believed. */
  readonly quietMs: number;
  /** For a server to give up on a peer that says nothing. */
  readonly deadlineMs: number;
  /** For a started command to listen. */
  readonly startMs: number;
  /** For a command that was told to stop. */
  readonly stopMs: number;
  /** For a whole case, whatever it does. */
  readonly caseMs: number;
}

/** The values used unless an option says otherwise. */
export const defaultPatience: Patience = {
  answerMs: 2000,
  quietMs: 300,
  deadlineMs: 14_000,
  startMs: 20_000,
  stopMs: 4000,
  caseMs: 25_000,
};

/** The values for clients, which come to the suite by themselves. */
export const clientPatience: Patience = { ...defaultPatience, startMs: 6000 };
