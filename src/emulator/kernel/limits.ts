/** Most records of one kind, and in one list of a fixture. */
export const MOST_RECORDS = 200_000;
/** Longest text of an exported state that is there as a whole, with the bytes of its files. */
export const LONGEST_STATE = 256 * 1024 * 1024;
/** Longest text of a fixture or of an exported state without the bytes of its files, in characters. */
export const LONGEST_TEXT = 128 * 1024 * 1024;
