import type { User } from '../../../emulator/users/records.ts';
import type { EventDataOf } from '../../../protocol/registry.ts';
import type { Ready } from '../../core.ts';

/** User in RPC form. `premium`: whether the token may see the subscription tier. */
export function rpcUser(
  user: Omit<User, 'locale' | 'email' | 'primary_guild'>,
  premium = false,
): EventDataOf<'CURRENT_USER_UPDATE'> {
  return {
    id: user.id,
    username: user.username,
    discriminator: user.discriminator,
    global_name: user.global_name,
    avatar: user.avatar,
    avatar_decoration_data: null,
    bot: user.bot,
    flags: user.flags,
    premium_type: premium ? user.premium_type : 0,
  };
}

/** Host of images, which is never contacted. */
export const CDN_HOST = 'cdn.discordapp.com';

/** `data` of READY, with every field that a client library reads unconditionally. */
export function readyFor(user: User): Ready {
  return {
    v: 1,
    config: {
      cdn_host: CDN_HOST,
      // Java clients derive the release channel from this value.
      api_endpoint: '//discord.com/api',
      environment: 'production',
    },
    user: rpcUser(user),
  };
}
