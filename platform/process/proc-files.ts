import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';

/** Maximum size of each file that is read (bytes); a longer one proves nothing. */
const MAX_BYTES = 64 * 1024;

/** Content of a small file, and the time of its last change (ms since 1970). */
export interface ReadFile {
  readonly text: string;
  readonly mtimeMs: number;
}

/** Returns the target of a link of proc(5); undefined where it cannot be read. */
export function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Reads a regular file without waiting and without following a link at its end. Undefined for another kind of file and
 * for one above {@link MAX_BYTES}.
 */
export function readSmall(path: string): ReadFile | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const status = fstatSync(fd);
    if (!status.isFile()) return undefined;
    const text = readAll(fd);
    return text === undefined ? undefined : { text, mtimeMs: status.mtimeMs };
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function readAll(fd: number): string | undefined {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(4096);
    const read = readSync(fd, chunk, 0, chunk.length, null);
    if (read === 0) return Buffer.concat(chunks).toString('latin1');
    size += read;
    if (size > MAX_BYTES) return undefined;
    chunks.push(chunk.subarray(0, read));
  }
}
