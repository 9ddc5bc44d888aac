import { grants } from '../api/permissions/dated.ts';
import type { Reading } from '../api/world.ts';
import { permissionsIn } from '../guilds/channels/access.ts';
import type { ChannelRecord } from '../guilds/channels/records.ts';
import { idAt } from '../kernel/snowflake.ts';

/** How many of a channel's last messages are looked through for one of the same author. */
const MOST = 10_000;

/** How long an author has to wait until they may write again in a channel, in milliseconds; `now` too. */
export function slowmodeLeft(tables: Reading, channel: ChannelRecord, authorId: string, now: number): number {
  const pause = channel.rate_limit_per_user * 1000;
  const author = tables.users.get(authorId);
  if (pause === 0 || author === undefined) return 0;
  const bits = permissionsIn(tables, channel, authorId, now);
  if (grants(bits, 'BYPASS_SLOWMODE', { now, isBot: author.bot })) return 0;
  const recent = tables.messages.by('channel', channel.id).after(idAt(now - pause), MOST);
  const last = recent.findLast((message) => message.author === authorId);
  return last === undefined ? 0 : Math.max(0, Date.parse(last.timestamp) + pause - now);
}
