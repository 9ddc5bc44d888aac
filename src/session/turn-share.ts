/** What one process has of a turn. */
export interface TurnShare {
  turn: number;
  /** Small frames that it may still have. */
  left: number;
}

/** One that has had nothing. */
export function newTurnShare(): TurnShare {
  return { turn: -1, left: 0 };
}
