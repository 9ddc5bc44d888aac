import type { Socket } from 'node:net';

/** Resolves once the bytes are handed to the system, or the peer is gone. */
export function writeAll(socket: Socket, bytes: Uint8Array): Promise<void> {
  if (!socket.writable) return Promise.resolve();
  return new Promise((resolve) => {
    // A peer that stops reading never calls back; its closing must free the writer.
    const settle = () => {
      socket.off('close', settle);
      resolve();
    };
    socket.once('close', settle);
    socket.write(bytes, settle);
  });
}
