/** Share of one process in a turn. */
export interface TurnShare {
  turn: number;
  /** Number of small frames that the process may still send in this turn. */
  left: number;
}

/** Initial share of a process. */
export function newTurnShare(): TurnShare {
  return { turn: -1, left: 0 };
}
