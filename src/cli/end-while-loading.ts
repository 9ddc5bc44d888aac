/** Signals that end a bridge; a SIGHUP means something else to a service. */
const ENDING = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGXCPU'] as const;

/**
 * Ends a bridge with exit code 0 that is asked to stop while it is still being loaded: there is nothing to close yet. To be
 * called before anything else is loaded; `untilStopped` takes over.
 */
export function endWhileLoading(): void {
  for (const signal of ENDING) process.on(signal, () => process.exit(0));
}
