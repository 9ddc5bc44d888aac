import { sha256 } from '@noble/hashes/sha2.js';
import { ownWebSocket } from '../client/text-socket.ts';
import { createClient } from '../client/web-client.ts';
import type { Host } from './host.ts';
import { base64Url, randomText } from './random-text.ts';
import { ValidationError } from './result.ts';
import { authorizeInWindow, type GamePage } from './window-flow.ts';

/** Host for a game in a page. */
export const pageHost: Host = {
  // Without `paths` there is no search for a chat client, because browsers prompt the user before a page may connect to
  // the local machine.
  createRpc: (options) => createClient({ ...options, paths: options.paths ?? [] }),
  createPkce() {
    const verifier = randomText(32);
    // Web Crypto is not used, because its digest is asynchronous and the entry point is synchronous.
    return { verifier, challenge: base64Url(sha256(new TextEncoder().encode(verifier))) };
  },
  async openSocket(address) {
    const Own = ownWebSocket();
    if (Own === undefined) throw new TypeError('There is no WebSocket here');
    return new Own(address);
  },
  authorizeOnSite(webBase, { paths, redirectUri }, request, signal) {
    if (redirectUri !== undefined)
      return authorizeInWindow(globalThis as unknown as GamePage, webBase, request, redirectUri, signal);
    // With `paths`, the chat client prompts the user, so Authorize waits for one.
    if (paths !== undefined && paths.length > 0) return undefined;
    const message =
      'settings.redirectUri: is unset, and settings.paths too: there is nobody who could ask the player';
    return Promise.reject(new ValidationError(message));
  },
  pid: undefined,
};
