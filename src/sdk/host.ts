import type { Client as Rpc } from '../client/client.ts';
import type { ClientOptions } from '../client/options.ts';
import type { Pkce } from '../client/request-code.ts';
import type { TextSocket } from '../client/text-socket.ts';
import type { AuthorizationRequest, SiteAnswer } from './authorization-page.ts';
import type { ClientSettings } from './settings.ts';

/** Functions that differ between Node and a page. */
export interface Host {
  /** Finds the chat client and maintains the connection to it. */
  createRpc(options: ClientOptions): Rpc;
  /** Opens a WebSocket to a validated address; the socket is still connecting when the promise resolves. */
  openSocket(address: string): Promise<TextSocket>;
  /** A verifier and its challenge. */
  createPkce(): Pkce;
  /**
   * Prompts the user on the service's web site; undefined when the `settings` allow no such prompt. Rejects with the
   * signal's reason, or with Failed when the user refuses.
   */
  authorizeOnSite(
    webBase: string,
    settings: ClientSettings,
    request: AuthorizationRequest,
    signal: AbortSignal,
  ): Promise<SiteAnswer> | undefined;
  /** Process id of the game; undefined in a page. */
  readonly pid: number | undefined;
}
