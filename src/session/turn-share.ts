/** Share of one process in a turn. */
export interface TurnShare {
  turn: number;
  /** Small frames that it may still have. */
  left: number;
}

/** Initial share of a process. */
export function newTurnShare(): TurnShare {
  return { turn: -1, left: 0 };
}
