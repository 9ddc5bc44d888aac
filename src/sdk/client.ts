import { ClientBase } from './client-base.ts';
import { nodeHost } from './node-host.ts';
import type { ClientSettings } from './settings.ts';

/**
 * The main entry point, as in the Social SDK. Games in Node and in a page use the same types; README lists the
 * differences of a page. Every asynchronous entry point takes its callback as the last argument and also returns a
 * promise of the same values, which never rejects.
 */
export class Client extends ClientBase {
  /**
   * @param apiBase HTTP API of the service, such as the address that a bridge prints behind "tokens come from"
   * @param webBase its web site
   * Throws TypeError for an argument of another type.
   */
  constructor(apiBase: string, webBase: string, settings: ClientSettings = {}) {
    super(nodeHost, apiBase, webBase, settings);
  }
}
