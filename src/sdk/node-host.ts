import { createClient } from '../client/index.ts';
import { createPkce } from '../client/oauth2.ts';
import type { TextSocket } from '../client/text-socket.ts';
import { authorizeInBrowser } from './browser-flow.ts';
import type { Host } from './host.ts';

/** Maximum size of a message from the service (bytes). */
const MAX_BYTES = 16 * 1024 * 1024;

/** Host for a game in Node. */
export const nodeHost: Host = {
  createRpc: createClient,
  createPkce,
  async openSocket(address) {
    // `ws` is used because Node's own WebSocket has no size limit, cannot be ended while the peer is silent, and does
    // not report a refused connection.
    const { WebSocket } = await import('ws');
    const options = { maxPayload: MAX_BYTES, perMessageDeflate: false };
    return new WebSocket(address, options) as unknown as TextSocket;
  },
  authorizeOnSite: (webBase, { openUrl }, request, signal) =>
    openUrl && authorizeInBrowser(webBase, request, openUrl, signal),
  pid: process.pid,
};
