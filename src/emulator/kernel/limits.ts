/** Limit of the records of one kind, and of one list in a fixture. */
export const MAX_RECORDS = 200_000;
/** Limit of an exported state that is held as one text, including the bytes of its files, in characters. */
export const MAX_STATE_LENGTH = 256 * 1024 * 1024;
/** Limit of a fixture, or of an exported state without the bytes of its files, in characters. */
export const MAX_TEXT_LENGTH = 128 * 1024 * 1024;
