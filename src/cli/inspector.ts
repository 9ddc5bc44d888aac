/** How often it is looked again, and until when (ms): the thread that Node answers the signal in may be late. */
const EVERY_MS = 10;
const UNTIL_MS = 2000;

/**
 * At SIGUSR1 Node opens a port on which every user of the machine may run code in this process. This closes it, and
 * takes the signal over. Call it before anything else is loaded, and load the rest once it has resolved: a signal from
 * before then may take a turn of the loop to open the port.
 */
export function keepInspectorClosed(): Promise<void> {
  process.on('SIGUSR1', () => {});
  // Absent in a Node that was built without it.
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
