import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { requireGuild, requireReadable } from '../refusals.ts';
import type { Replays } from '../replays.ts';
import { ownMember, partialGuild } from './shapes.ts';

/**
 * Current values at the start of a subscription. Throws RpcError 4003 (unknown guild) or 4005 (unknown or unreadable
 * channel).
 */
export function guildReplays(emulator: Emulator): Replays {
  const readable = ({ channel_id }: { readonly channel_id: string }): [] => {
    requireReadable(emulator, channel_id);
    return [];
  };
  return {
    CURRENT_GUILD_MEMBER_UPDATE: ({ guild_id }) => [ownMember(emulator, requireGuild(emulator, guild_id).id)],
    GUILD_STATUS: ({ guild_id }) => [
      { guild: partialGuild(requireGuild(emulator, guild_id)), online: 0 as const },
    ],
    MESSAGE_CREATE: readable,
    MESSAGE_UPDATE: readable,
    MESSAGE_DELETE: readable,
  };
}
