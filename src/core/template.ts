import { ErrorCode } from '../protocol/error-code.ts';
import { RpcError } from '../protocol/errors.ts';
import type { ClientCore, CoreHost, CoreSession, Peer } from './core.ts';

/**
 * A core to start from: copy it, and replace what it knows. From outside of this tree the imports above come from
 * `footbridge/core`. It has one user, one guild and a presence for each app, and asks nobody.
 */
export function createCore(): ClientCore {
  // What the bridge offers, from `start` on: events, scopes, the end of sessions, the log.
  let host: CoreHost | undefined;
  const guild = { id: '100', name: 'Template Harbour', icon_url: null };

  return {
    // Shown by `footbridge status`: letters, digits, "-", "_" and ".".
    name: 'template',

    // Once, before anybody can connect. Connect to what really has the guilds and the voice here. Throw when the bridge
    // had better not start.
    start(given) {
      host = given;
      return {};
    },

    // For each app, after its handshake and before READY. `peer.signal` aborts when it leaves. Throw CloseError to
    // turn it away; it then sees the code and the text.
    open(peer: Peer): CoreSession {
      // A scope opens the commands that need it. Where people log in, leave this to AUTHENTICATE, whose answer names
      // the scopes of the token.
      host?.grant(peer.sessionId, ['rpc']);
      return {
        ready: {
          v: 1,
          config: { cdn_host: 'cdn.example', api_endpoint: '//localhost/api', environment: 'production' },
          user: {
            id: '1',
            username: 'template',
            discriminator: '0',
            global_name: null,
            avatar: null,
            avatar_decoration_data: null,
            bot: false,
            flags: 0,
            premium_type: 0,
          },
        },

        // One function a command, by its name on the wire. Arguments and scopes are checked before it is called, its
        // answer after. A command without a function here is answered with ERROR 4002.
        handlers: {
          GET_GUILDS: () => ({ guilds: [guild] }),
          GET_GUILD({ guild_id }) {
            if (guild_id === guild.id) return { ...guild, members: [], vanity_url_code: null };
            // The app gets this code and text; any other error reaches it as 1000 without its text.
            throw new RpcError(ErrorCode.INVALID_GUILD, 'There is no such guild');
          },
          SET_ACTIVITY({ activity }) {
            if (!activity) return null;
            return { ...activity, name: 'Template', application_id: peer.clientId, type: 0, metadata: {} };
          },
        },

        // What an app gets right after SUBSCRIBE: the current values of what has a state. Changes go out with
        // `host.emit(event, data, {filter})`, to those whose arguments equal the filter.
        subscribe(event, args) {
          const { guild_id } = args as { guild_id?: string };
          return event === 'GUILD_STATUS' && guild_id === guild.id ? [{ guild, online: 0 }] : [];
        },

        // The app has left: drop its presence, and whatever else it held.
        close() {},
      };
    },

    // Once, at the end.
    stop() {},
  };
}
