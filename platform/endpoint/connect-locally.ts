import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCode } from '../../src/base/local-error.ts';

/** Between two tries where no more connects may wait (ms). */
const RETRY_MS = 20;

/**
 * Connects to a unix socket or named pipe. EAGAIN says that the queue of a living server is full: it is tried again until
 * the signal aborts. Rejects with the signal's reason then, and with what the system says otherwise.
 */
export async function connectLocally(path: string, signal: AbortSignal): Promise<Socket> {
  for (;;) {
    signal.throwIfAborted();
    const socket = connect(path);
    try {
      await once(socket, 'connect', { signal });
      return socket;
    } catch (error) {
      socket.destroy();
      signal.throwIfAborted();
      if (systemCode(error) !== 'EAGAIN') throw error;
    }
    await sleep(RETRY_MS);
  }
}
