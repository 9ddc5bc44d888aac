/**
 * Interval and duration of the repeated closing (ms): Node handles the signal in another thread, which may open the
 * port late.
 */
const EVERY_MS = 10;
const UNTIL_MS = 2000;

/**
 * Keeps Node's inspector closed. At SIGUSR1 Node opens a port on which every user of the machine may run code in this
 * process; this function closes the port and handles the signal itself. Call it before anything else is loaded, and
 * load the rest after it resolves: an earlier signal may open the port one turn of the event loop later.
 */
export function keepInspectorClosed(): Promise<void> {
  process.on('SIGUSR1', () => {});
  // The module is absent in a Node that was built without the inspector.
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
