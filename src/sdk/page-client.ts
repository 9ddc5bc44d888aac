import { checkSocketAddress } from '../client/text-socket.ts';
import { ClientBase } from './client-base.ts';
import { pageHost } from './page-host.ts';
import type { ClientSettings } from './settings.ts';

/**
 * The main entry point, as in the Social SDK, for a game in a page. Every asynchronous entry point takes its callback
 * as the last argument and also returns a promise of the same values, which never rejects.
 */
export class Client extends ClientBase {
  /**
   * @param apiBase HTTP API of the service, such as the address that a bridge prints behind "tokens come from"
   * @param webBase its web site
   * Throws TypeError for an argument of another type.
   */
  constructor(apiBase: string, webBase: string, settings: ClientSettings = {}) {
    super(pageHost, apiBase, webBase, settings);
    for (const path of settings.paths ?? []) checkSocketAddress('settings.paths', path);
  }
}
