/**
 * Runs `fn` with a umask that leaves a new file to its owner alone. A socket takes its mode from the umask when it
 * is bound, and `server.listen(path)` binds before it returns, so it never stands there with a looser mode. `fn`
 * must do its work synchronously. Not available in worker threads.
 */
export function withTightUmask<T>(fn: () => T): T {
  const previous = process.umask(0o177);
  try {
    return fn();
  } finally {
    process.umask(previous);
  }
}
