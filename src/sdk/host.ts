import type { Pkce } from '../client/ask-for-code.ts';
import type { Client as Rpc } from '../client/client.ts';
import type { ClientOptions } from '../client/options.ts';
import type { TextSocket } from '../client/text-socket.ts';
import type { AuthorizationRequest, SiteAnswer } from './authorization-page.ts';
import type { ClientSettings } from './settings.ts';

/** What differs between Node and a page. */
export interface Host {
  /** Finds the chat client, and keeps the connection to it. */
  createRpc(options: ClientOptions): Rpc;
  /** A WebSocket that connects, at an address that was checked. */
  openSocket(address: string): Promise<TextSocket>;
  /** A verifier and its challenge. */
  createPkce(): Pkce;
  /**
   * Asks the user on the service's web site; undefined where `settings` do not say how. Rejects with the signal's reason, or with
   * Failed when the user said no.
   */
  askOnSite(
    webBase: string,
    settings: ClientSettings,
    request: AuthorizationRequest,
    signal: AbortSignal,
  ): Promise<SiteAnswer> | undefined;
  /** Of the game; undefined where there is none. */
  readonly pid: number | undefined;
}
