import { optionalCallable } from './values.ts';

/** Settings beyond those of the SDK. */
export interface ClientSettings {
  /**
   * Endpoints of the chat client to use instead of a search. In a page: addresses such as `ws://127.0.0.1:6463`;
   * without them there is no search.
   */
  readonly paths?: readonly string[];
  /** Accept a chat client of another user too, who then receives the access token. Default false. */
  readonly anyOwner?: boolean;
  /** In Node: opens an address in the user's browser, for Authorize without a chat client. */
  readonly openUrl?: (url: string) => void;
  /**
   * In a page: an address of its own origin that the application has registered. Without a chat client, Authorize opens
   * a window, which the web site redirects there.
   */
  readonly redirectUri?: string;
}

/** Throws TypeError that names a setting of another type. */
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
