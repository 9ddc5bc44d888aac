import { createClient } from '../client/index.ts';
import { createPkce } from '../client/oauth2.ts';
import type { TextSocket } from '../client/text-socket.ts';
import { authorizeInBrowser } from './browser-flow.ts';
import type { Host } from './host.ts';

/** No message of the service is larger (bytes). */
const MOST_BYTES = 16 * 1024 * 1024;

/** A game in Node. */
export const nodeHost: Host = {
  createRpc: createClient,
  createPkce,
  async openSocket(address) {
    // Node's own takes messages of any size, cannot be ended when the other side is silent, and does not say when nobody is there.
    const { WebSocket } = await import('ws');
    const options = { maxPayload: MOST_BYTES, perMessageDeflate: false };
    return new WebSocket(address, options) as unknown as TextSocket;
  },
  askOnSite: (webBase, { openUrl }, request, signal) =>
    openUrl && authorizeInBrowser(webBase, request, openUrl, signal),
  pid: process.pid,
};
