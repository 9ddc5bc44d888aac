/**
 * Returns the resident memory of this process (bytes), or null where the system does not report it: in a container
 * without `/proc`, Node throws an error.
 */
export function residentMemory(read = (): number => process.memoryUsage.rss()): number | null {
  try {
    return read();
  } catch {
    return null;
  }
}
