import { ErrorCode } from '../protocol/error-code.ts';
import { RpcError } from '../protocol/errors.ts';
import type { ClientCore, CoreHost, CoreSession, Peer } from './core.ts';

/**
 * A core to start from: copy this file and replace its data. Outside of this repository the imports above come from
 * `footbridge/core`. The core has one user, one guild and a presence for each app, and needs no consent.
 */
export function createCore(): ClientCore {
  // Services of the bridge, available from `start` on: events, scopes, closing sessions, the log.
  let host: CoreHost | undefined;
  const guild = { id: '100', name: 'Template Harbour', icon_url: null };

  return {
    // Name of the core in `footbridge status`: letters, digits, "-", "_" and ".".
    name: 'template',

    // Runs once, before any app connects. Connect to the source of guilds and voice here. Throw to prevent the bridge from
    // starting.
    start(coreHost) {
      host = coreHost;
      return {};
    },

    // Runs for each app, after its handshake and before READY. `peer.signal` aborts when the app disconnects. Throw
    // CloseError to refuse the app, which then gets the code and the text.
    open(peer: Peer): CoreSession {
      // A scope enables its commands. A core with logins leaves this to AUTHENTICATE, whose answer names the scopes of
      // the token.
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

        // One function per command, by the command's name on the wire. Arguments and scopes are checked before the
        // call, and the answer after the call. A command without a function is answered with ERROR 4002.
        handlers: {
          GET_GUILDS: () => ({ guilds: [guild] }),
          GET_GUILD({ guild_id }) {
            if (guild_id === guild.id) return { ...guild, members: [], vanity_url_code: null };
            // The app gets this code and this text. The app gets any other error as 1000, without its text.
            throw new RpcError(ErrorCode.INVALID_GUILD, 'There is no such guild');
          },
          SET_ACTIVITY({ activity }) {
            if (!activity) return null;
            return { ...activity, name: 'Template', application_id: peer.clientId, type: 0, metadata: {} };
          },
        },

        // Current values of state-type events, sent right after SUBSCRIBE. Send changes with `host.emit(event, data,
        // {filter})`, to subscriptions whose arguments equal the filter.
        subscribe(event, args) {
          const { guild_id } = args as { guild_id?: string };
          return event === 'GUILD_STATUS' && guild_id === guild.id ? [{ guild, online: 0 }] : [];
        },

        // Called when the app has disconnected: drop its presence and other state.
        close() {},
      };
    },

    // Runs once, at the end.
    stop() {},
  };
}
