/**
 * Minimum time (ms) for which a request must be visible before an Allow counts, because an earlier click or key was
 * meant for something else. A Deny counts at once. Terminal, notification, console and the pages of OAuth 2.0 use the
 * same value.
 */
export const READING_MS = 600;
