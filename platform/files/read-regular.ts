import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { ownerFault } from './private-file.ts';

/**
 * Reads a regular file of at most `limit` bytes synchronously. It never waits: it refuses a FIFO, a device or a socket,
 * and follows links. With `owner`, it refuses a file that a user other than `owner` or root could have written. Throws
 * the operating system's error, or an `Error` whose message completes "… cannot be used: ".
 */
export function readRegularFile(path: string, limit: number, owner?: number): Uint8Array {
  // Without O_NONBLOCK, the open of a FIFO would wait for a writer, and a file in /proc could block a reader.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const status = fstatSync(fd);
    if (!status.isFile()) throw new Error('it is no regular file');
    const fault = ownerFault(status, owner);
    if (fault !== undefined) throw new Error(fault);
    const buffer = new Uint8Array(Math.min(limit, status.size || limit) + 1);
    let size = 0;
    for (;;) {
      const read = readSync(fd, buffer, size, buffer.byteLength - size, null);
      size += read;
      if (size > limit) throw new Error(`it is larger than ${limit} bytes`);
      if (read === 0 || size === buffer.byteLength) return buffer.subarray(0, size);
    }
  } finally {
    closeSync(fd);
  }
}
