import type { Server, Socket } from 'node:net';
import { AcceptedSocket } from './accepted-socket.ts';
import type { Native, NativeAbsence } from './native.ts';

/**
 * Creates a function that returns the number of bytes in the kernel's buffer that a peer has not read yet: 0 when the
 * peer has read everything, undefined when the number is not available (no native calls, no descriptor, or an operating
 * system without this count).
 */
export function drainCheck(native: Native | NativeAbsence): (socket: Socket) => number | undefined {
  if (native.kind === 'absent') return () => undefined;
  return (socket) => {
    const fd = socketFd(socket);
    return fd === undefined ? undefined : native.unsentBytes(fd);
  };
}

/**
 * Returns the descriptor of a connected or listening socket; undefined after it was closed, and on Windows. Node
 * documents no access to the descriptor, so only this function reads the socket's handle.
 */
export function socketFd(socket: Socket | Server | AcceptedSocket): number | undefined {
  if (socket instanceof AcceptedSocket) return socket.fd;
  const fd = (socket as unknown as { readonly _handle?: { readonly fd?: unknown } | null })._handle?.fd;
  return typeof fd === 'number' && fd >= 0 ? fd : undefined;
}
