import { MAX_TIMER_MS } from './limit.ts';
import type { ClientOptions } from './options.ts';
import { checkSocketAddress, type MakeSocket } from './text-socket.ts';
import type { Transport } from './transport.ts';
import { webWire } from './web-wire.ts';

/** Loopback ports on which chat clients listen for pages. */
const PORTS = [6463, 6464, 6465, 6466, 6467, 6468, 6469, 6470, 6471, 6472];
/** Maximum delay between two attempts (ms), because each failed attempt prints a line in the console of the page. */
const MAX_RETRY_DELAY_MS = 30_000;

/**
 * Transport of a page to chat clients: by WebSocket, at `paths` or at the usual ports. Each chat client admits only its
 * configured pages. Throws TypeError for an invalid path.
 */
export function webTransport({ paths }: Pick<ClientOptions, 'paths'>, makeSocket: MakeSocket): Transport {
  const addresses = paths ?? PORTS.map((port) => `ws://127.0.0.1:${port}`);
  for (const address of addresses) checkSocketAddress('paths', address);
  return {
    addresses: () => addresses,
    // A browser has no such check.
    objection: () => undefined,
    dial(address, clientId, listener) {
      const socket = new makeSocket(
        `${address.replace(/\/+$/, '')}/?v=1&encoding=json&client_id=${clientId}`,
      );
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
            : { path: address, reason: 'failed', message: 'no WebSocket, or none for pages of this origin' },
      };
    },
    createWait() {
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
    maxRetryDelayMs: addresses.length === 0 ? MAX_TIMER_MS : MAX_RETRY_DELAY_MS,
    isLocal: false,
    pid: undefined,
  };
}
