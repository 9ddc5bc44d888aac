import type { Server, Socket } from 'node:net';
import type { Native, NativeAbsence } from './native.ts';

/**
 * What the peer has not read yet, in bytes of kernel buffer: 0 once it has everything, undefined when that
 * cannot be known (no native calls, no descriptor, an operating system without the count).
 */
export function drainCheck(native: Native | NativeAbsence, fd: number | undefined): number | undefined {
  if (native.kind === 'absent' || fd === undefined || fd < 0) return undefined;
  return native.unsentBytes(fd);
}

/**
 * The descriptor of a connected or listening socket, or undefined once it is closed and on Windows. Node documents no way to
 * ask, so this is the only place that reads the handle.
 */
export function socketFd(socket: Socket | Server): number | undefined {
  const fd = (socket as unknown as { readonly _handle?: { readonly fd?: unknown } | null })._handle?.fd;
  return typeof fd === 'number' && fd >= 0 ? fd : undefined;
}
