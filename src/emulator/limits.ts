/** Most records of one kind, and in one list of a fixture. */
export const MOST_RECORDS = 200_000;
