import type { Committed, Reading } from '../../api/world.ts';

/**
 * The new voice channel of the logged-in user and the channel's guild; null for no channel, undefined if the commit did
 * not change it.
 */
export function ownChannelChange(
  commit: Committed,
  { me, voice_states, channels }: Reading,
): { readonly channel: string | null; readonly guild: string | null } | undefined {
  const before = commit.was('voice_states', commit.was('me') ?? me.value)?.channel ?? null;
  const channel = voice_states.get(me.value)?.channel ?? null;
  if (before === channel) return undefined;
  return { channel, guild: (channel === null ? undefined : channels.get(channel)?.guild) ?? null };
}
