import type { WebSocketServer } from 'ws';

/** Maximum number of fragments of one message, because each fragment needs memory however small it is. */
const PIECES = 4096;

/**
 * Loads the library that upgrades requests to WebSockets. It needs ten megabytes of memory, which a bridge without
 * WebSockets saves. `maxPayload` is the maximum size of a message in bytes.
 */
export async function loadUpgrader(maxPayload: number): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws');
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    maxFragments: PIECES,
    maxBufferedChunks: PIECES,
  });
}
