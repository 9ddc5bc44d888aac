/** Signals that end a bridge. SIGHUP is not one of them, because it means something else to a service. */
const ENDING = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGXCPU'] as const;

/**
 * Ends a bridge with exit code 0 if it receives a stop signal while its modules still load: no resource has to be
 * closed yet. Call this function before anything else is loaded; `untilStopped` replaces its handlers.
 */
export function endWhileLoading(): void {
  for (const signal of ENDING) process.on(signal, () => process.exit(0));
}
