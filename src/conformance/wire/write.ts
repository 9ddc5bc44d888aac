import type { Socket } from 'node:net';

/** Resolves once the system has accepted the bytes, or the peer has closed. */
export function writeAll(socket: Socket, bytes: Uint8Array): Promise<void> {
  if (!socket.writable) return Promise.resolve();
  return new Promise((resolve) => {
    // The close also settles the promise: for a peer that stopped reading, the callback of the write never runs.
    const settle = () => {
      socket.off('close', settle);
      resolve();
    };
    socket.once('close', settle);
    socket.write(bytes, settle);
  });
}
