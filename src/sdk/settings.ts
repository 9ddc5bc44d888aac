import { optionalCallable } from './values.ts';

/** Settings that the SDK does not have. */
export interface ClientSettings {
  /**
   * Endpoints of the chat client, instead of a search. In a page, addresses such as `ws://127.0.0.1:6463`; without this
   * setting, a page does not search for a chat client.
   */
  readonly paths?: readonly string[];
  /**
   * Whether to accept a chat client that runs under another user of the system, which then receives the access token.
   * Default false.
   */
  readonly anyOwner?: boolean;
  /** In Node: opens an address in the user's browser. Authorize uses it when no chat client runs. */
  readonly openUrl?: (url: string) => void;
  /**
   * In a page: an address of the page's own origin that is registered for the application. Without a chat client,
   * Authorize opens a window, which the web site redirects to this address.
   */
  readonly redirectUri?: string;
}

/** Checks the settings. Throws TypeError that names a setting of the wrong type. */
export function checkSettings(settings: ClientSettings): ClientSettings {
  if (typeof settings !== 'object' || settings === null) throw new TypeError('settings: must be an object');
  const { paths, anyOwner, openUrl, redirectUri, ...others } = settings;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new TypeError(
      `settings.${unknown}: is no setting; there are paths, anyOwner, openUrl and redirectUri`,
    );
  if (paths !== undefined && !(Array.isArray(paths) && paths.every((path) => typeof path === 'string'))) {
    throw new TypeError('settings.paths: must be a list of strings');
  }
  if (anyOwner !== undefined && typeof anyOwner !== 'boolean') {
    throw new TypeError('settings.anyOwner: must be a boolean');
  }
  optionalCallable('settings.openUrl', openUrl);
  if (redirectUri !== undefined && typeof redirectUri !== 'string') {
    throw new TypeError('settings.redirectUri: must be a string');
  }
  return settings;
}
