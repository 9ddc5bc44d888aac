/** Interval and duration of the repeated closing (ms): the thread in which Node handles the signal may be late. */
const EVERY_MS = 10;
const UNTIL_MS = 2000;

/**
 * Keeps Node's inspector closed. At SIGUSR1 Node opens a port on which every user of the machine may run code in this
 * process; this closes the port and takes the signal over. Call it before anything else is loaded, and load the rest
 * after it resolves: an earlier signal may open the port one turn of the event loop later.
 */
export function keepInspectorClosed(): Promise<void> {
  process.on('SIGUSR1', () => {});
  // Absent in a Node that was built without the inspector.
  const inspector = process.getBuiltinModule('node:inspector') as typeof import('node:inspector') | undefined;
  const close = (): void => inspector?.close();
  close();
  const looking = setInterval(close, EVERY_MS).unref();
  setTimeout(() => clearInterval(looking), UNTIL_MS).unref();
  return new Promise((resolve) => {
    setImmediate(() => {
      close();
      resolve();
    });
  });
}
