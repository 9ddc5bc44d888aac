/** Maximum number of records of one kind, and of entries in one list of a fixture. */
export const MAX_RECORDS = 200_000;
/** Maximum length of an exported state that is held as one text, including the bytes of its files (characters). */
export const MAX_STATE_LENGTH = 256 * 1024 * 1024;
/** Maximum length of a fixture, or of an exported state without the bytes of its files (characters). */
export const MAX_TEXT_LENGTH = 128 * 1024 * 1024;
