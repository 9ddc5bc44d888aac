import { closeSync, constants, existsSync, openSync } from 'node:fs';
import type * as Net from 'node:net';

/** Flag of open(2) for a reference to a file, which asks nothing of its file system. Node has no name for it. */
export const O_PATH = 0o10_000_000;

/**
 * Connects to the socket at a path, as `net.connect` does. On Linux a link at the path is never followed, also one that
 * another program puts there meanwhile: the connect is then refused, as by
 * any file that is no socket. The kernel follows links in the thread of the caller,
 * and a link of a program in a sandbox may lead through `/proc` into a file system that never answers.
 */
export function connectDirectly(path: string, net: Pick<typeof Net, 'connect' | 'Socket'>): Net.Socket {
  if (process.platform !== 'linux') return net.connect(path);
  let entry: number | undefined;
  try {
    entry = openSync(path, O_PATH | constants.O_NOFOLLOW);
    const direct = `/proc/self/fd/${entry}`;
    // Without proc(5) the path has to do.
    return net.connect(existsSync(direct) ? direct : path);
  } catch (error) {
    return new net.Socket().destroy(error as Error);
  } finally {
    // The connect itself has ended: that to a socket file does not wait.
    if (entry !== undefined) closeSync(entry);
  }
}
