/** How long a test waits for what is to happen at once (ms): far longer than it takes, so that only what never comes fails. */
export const PATIENCE_MS = 15_000;
