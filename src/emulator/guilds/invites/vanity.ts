import type { Reading } from '../../api/world.ts';
import type { ChannelRecord } from '../channels/records.ts';
import { isThread } from '../channels/records.ts';
import type { Guild } from '../records.ts';

const CATEGORY = 4;

/** The guild that has this vanity code, and the channel that the code leads to. */
export function vanityOf(
  { guilds, channels }: Reading,
  code: string,
): { readonly guild: Guild; readonly channel: ChannelRecord } | undefined {
  for (const guild of guilds.by('vanity_url_code', code)) {
    const own = channels.get(guild.system_channel ?? guild.rules_channel ?? '');
    const [first] = [...channels.by('guild', guild.id)]
      .filter((one) => one.type !== CATEGORY && !isThread(one))
      .sort((a, b) => a.position - b.position);
    const channel = own ?? first;
    if (channel !== undefined) return { guild, channel };
  }
  return undefined;
}
