import type { BotCaller } from '../caller.ts';
import { type Deed, writeAudit } from '../guilds/audit.ts';
import type { Writing } from '../world.ts';
import type { Deciding } from './channel-access.ts';
import type { ChannelRecord } from './records.ts';

/** Notes in the audit log what a bot does to a channel, or in it, in this transaction. */
export function noteInChannel(
  { world, clock }: Deciding,
  tables: Writing,
  { user }: Pick<BotCaller, 'user'>,
  { guild }: Pick<ChannelRecord, 'guild'>,
  deed: Deed,
): void {
  writeAudit(world, tables, { guild: { id: guild }, member: { user: user.id }, now: clock.now() }, deed);
}
