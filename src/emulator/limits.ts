/** Most records of one kind, and in one list of a fixture. */
export const MOST_RECORDS = 200_000;
/** Longest text of a fixture or of an exported state, in characters. */
export const LONGEST_TEXT = 128 * 1024 * 1024;
