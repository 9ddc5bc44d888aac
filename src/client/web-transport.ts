import { LONGEST_TIMER_MS } from './limit.ts';
import type { ClientOptions } from './options.ts';
import { checkSocketAddress, type MakeSocket } from './text-socket.ts';
import type { Transport } from './transport.ts';
import { webWire } from './web-wire.ts';

/** Loopback ports on which chat clients listen for pages. */
const PORTS = [6463, 6464, 6465, 6466, 6467, 6468, 6469, 6470, 6471, 6472];
/** Each failed attempt prints a line in the console of the page. */
const LONGEST_RETRY_MS = 30_000;

/**
 * Transport of a page to chat clients: by WebSocket, at `paths` or at the usual ports. Each chat client admits only its
 * configured pages. Throws TypeError for an invalid path.
 */
export function webTransport({ paths }: Pick<ClientOptions, 'paths'>, makeSocket: MakeSocket): Transport {
  const places = paths ?? PORTS.map((port) => `ws://127.0.0.1:${port}`);
  for (const place of places) checkSocketAddress('paths', place);
  return {
    places: () => places,
    // A browser has no such check.
    objection: () => undefined,
    dial(place, clientId, listener) {
      const socket = new makeSocket(`${place.replace(/\/+$/, '')}/?v=1&encoding=json&client_id=${clientId}`);
      let wasOpen = false;
      socket.onopen = () => {
        wasOpen = true;
      };
      // The close event follows.
      socket.onerror = () => {};
      return {
        wire: webWire(socket, listener),
        failure: () =>
          wasOpen
            ? undefined
            : { path: place, reason: 'failed', message: 'no WebSocket, or none for pages of this origin' },
      };
    },
    wake() {
      let end = (): void => {};
      return {
        arm() {},
        disarm: () => end(),
        take: () => false,
        hold() {},
        sleep: (ms) =>
          new Promise((resolve) => {
            const timer = setTimeout(resolve, ms);
            end = () => {
              clearTimeout(timer);
              resolve();
            };
          }),
      };
    },
    longestRetryMs: places.length === 0 ? LONGEST_TIMER_MS : LONGEST_RETRY_MS,
    isLocal: false,
    pid: undefined,
  };
}
