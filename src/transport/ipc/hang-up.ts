import type { Socket } from 'node:net';

/** Time limit for written bytes to leave before the socket is closed (ms). */
const FLUSH_MS = 1000;

/** Closes the sockets after the bytes already written to them have left. Resolves when all are closed. */
export async function hangUp(sockets: Iterable<Socket>): Promise<void> {
  await Promise.all(
    [...sockets].map(async (socket) => {
      if (socket.destroyed) return;
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.destroySoon();
      const timer = setTimeout(() => socket.destroy(), FLUSH_MS);
      await closed;
      clearTimeout(timer);
    }),
  );
}
