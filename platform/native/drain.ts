import type { Server, Socket } from 'node:net';
import type { Native, NativeAbsence } from './native.ts';

/**
 * Makes a function that returns the bytes of kernel buffer that a peer has not read yet: 0 once it has everything,
 * undefined when that cannot be known (no native calls, no descriptor, an operating system without the count).
 */
export function drainCheck(native: Native | NativeAbsence): (socket: Socket) => number | undefined {
  if (native.kind === 'absent') return () => undefined;
  return (socket) => {
    const fd = socketFd(socket);
    return fd === undefined ? undefined : native.unsentBytes(fd);
  };
}

/**
 * The descriptor of a connected or listening socket, or undefined once it is closed and on Windows. Node documents no
 * access to it, so only this function reads the handle.
 */
export function socketFd(socket: Socket | Server): number | undefined {
  const fd = (socket as unknown as { readonly _handle?: { readonly fd?: unknown } | null })._handle?.fd;
  return typeof fd === 'number' && fd >= 0 ? fd : undefined;
}
