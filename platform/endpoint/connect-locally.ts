import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCode } from '../../src/base/local-error.ts';
import { connectDirectly } from './connect-directly.ts';
import { endpointBehind } from './search.ts';

/** Delay between two tries while the queue is full (ms). */
const RETRY_MS = 20;

/**
 * Connects to a unix socket or named pipe. EAGAIN means that the queue of a live server is full; the connect is then
 * repeated until the signal aborts. Rejects with the signal's reason after an abort, else with the operating system's
 * error.
 */
export async function connectLocally(path: string, signal: AbortSignal): Promise<Socket> {
  for (;;) {
    signal.throwIfAborted();
    const socket = connectDirectly(endpointBehind(path), net);
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
