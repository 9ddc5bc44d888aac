import { sha256 } from '@noble/hashes/sha2.js';
import { ownWebSocket } from '../client/text-socket.ts';
import { createClient } from '../client/web-client.ts';
import type { Host } from './host.ts';
import { base64Url, randomText } from './random-text.ts';
import { ValidationError } from './result.ts';
import { authorizeInWindow, type GamePage } from './window-flow.ts';

/** A game in a page. */
export const pageHost: Host = {
  // Looked for only where the game says so: browsers ask the user before a page may reach their machine.
  createRpc: (options) => createClient({ ...options, paths: options.paths ?? [] }),
  createPkce() {
    const verifier = randomText(32);
    // Not of Web Crypto, whose digest comes later, while the entry point answers at once.
    return { verifier, challenge: base64Url(sha256(new TextEncoder().encode(verifier))) };
  },
  async openSocket(address) {
    const Own = ownWebSocket();
    if (Own === undefined) throw new TypeError('There is no WebSocket here');
    return new Own(address);
  },
  askOnSite(webBase, { paths, redirectUri }, request, signal) {
    if (redirectUri !== undefined)
      return authorizeInWindow(globalThis as unknown as GamePage, webBase, request, redirectUri, signal);
    // Else it is for whoever was looked for to be there.
    if (paths !== undefined && paths.length > 0) return undefined;
    const message =
      'settings.redirectUri: is unset, and settings.paths too: there is nobody who could ask the player';
    return Promise.reject(new ValidationError(message));
  },
  pid: undefined,
};
