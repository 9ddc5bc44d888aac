import type { Emulator } from '../../emulator/compose/emulator.ts';
import type { Channel } from '../../emulator/guilds/channels/channels.ts';
import { hasText } from '../../emulator/guilds/channels/records.ts';
import type { Guild } from '../../emulator/guilds/records.ts';
import type { User } from '../../emulator/users/records.ts';
import { ErrorCode } from '../../protocol/error-code.ts';
import { RpcError } from '../../protocol/errors.ts';

/** @throws RpcError 4003 */
export function requireGuild(emulator: Emulator, id: string): Guild {
  const guild = emulator.guild(id);
  if (guild !== undefined) return guild;
  throw new RpcError(ErrorCode.INVALID_GUILD, `guild_id: the user is in no guild ${id}`);
}

/** Returns a channel; a channel that the user cannot view is refused like an unknown channel. @throws RpcError 4005 */
export function requireChannel(emulator: Emulator, id: string): Channel {
  const found = emulator.channel(id);
  if (found.kind === 'found') return found.channel;
  throw invalidChannel(`the user sees no channel ${id}`);
}

/** Returns a channel whose messages apps may read: age-restricted channels are closed to apps. @throws RpcError 4005 */
export function requireReadable(emulator: Emulator, id: string): Channel {
  const channel = requireChannel(emulator, id);
  if (channel.nsfw) throw invalidChannel('the channel is age-restricted');
  return channel;
}

/** @throws RpcError 4005 */
export function requireTextChannel(emulator: Emulator, id: string): Channel {
  const channel = requireReadable(emulator, id);
  if (!hasText(channel)) throw invalidChannel('the channel is not a text channel');
  return channel;
}

/** @throws RpcError 4010 */
export function requireUser(emulator: Emulator, id: string, argument = 'user_id'): User {
  const user = emulator.user(id);
  if (user !== undefined) return user;
  throw new RpcError(ErrorCode.INVALID_USER, `${argument}: there is no user ${id}`);
}

/** Returns a user other than the logged-in user. @throws RpcError 4010 */
export function requireOther(emulator: Emulator, id: string): User {
  if (id === emulator.me().id) {
    throw new RpcError(ErrorCode.INVALID_USER, 'user_id: is the logged-in user; name another');
  }
  return requireUser(emulator, id);
}

/** RpcError 4005 about the argument `channel_id`. */
export function invalidChannel(reason: string): RpcError {
  return new RpcError(ErrorCode.INVALID_CHANNEL, `channel_id: ${reason}`);
}
