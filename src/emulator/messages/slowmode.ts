import { ApiError } from '../api/api-error.ts';
import { grants } from '../api/permissions/dated.ts';
import type { Reading } from '../api/world.ts';
import { permissionsIn } from '../guilds/channels/access.ts';
import type { ChannelRecord } from '../guilds/channels/records.ts';
import { idAt } from '../kernel/snowflake.ts';

/** Maximum number of a channel's newest messages that are searched for the author's last message. */
const MAX_SEARCHED = 10_000;

/**
 * Checks the slow mode of a channel; `now` is in milliseconds. @throws ApiError 429 with code 20016 for an author who
 * must still wait.
 */
export function checkSlowmode(tables: Reading, channel: ChannelRecord, authorId: string, now: number): void {
  const pause = channel.rate_limit_per_user * 1000;
  const author = tables.users.get(authorId);
  if (pause === 0 || author === undefined) return;
  const bits = permissionsIn(tables, channel, authorId, now);
  if (grants(bits, 'BYPASS_SLOWMODE', { now, isBot: author.bot })) return;
  const recent = tables.messages.by('channel', channel.id).after(idAt(now - pause), MAX_SEARCHED);
  const last = recent.findLast((message) => message.author === authorId);
  const left = last === undefined ? 0 : Date.parse(last.timestamp) + pause - now;
  if (left <= 0) return;
  throw new ApiError('ActionCannotBePerformedDueToSlowmodeRateLimit', { more: { retry_after: left / 1000 } });
}
