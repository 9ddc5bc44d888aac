import type { WebSocketServer } from 'ws';

/** Pieces that one message may come in: each costs memory of its own, however small it is. */
const PIECES = 4096;

/**
 * Turns requests into WebSockets. Loads ten megabytes that a bridge without WebSockets never needs. `maxPayload` in
 * bytes, of a message.
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
