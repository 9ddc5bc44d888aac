import type { BotCaller } from '../../api/caller.ts';
import type { Base, Writing } from '../../api/world.ts';
import { type Deed, writeAudit } from '../audit/audit.ts';
import type { AnyChannel } from './channel-access.ts';
import { isPrivate } from './private-records.ts';

/** Adds an action in a channel to the audit log, in this transaction. The author is a bot or unknown. */
export function noteInChannel(
  { world, clock }: Base,
  tables: Writing,
  caller: Pick<BotCaller, 'user'> | undefined,
  channel: AnyChannel,
  deed: Deed,
): void {
  if (isPrivate(channel)) return;
  const { guild } = channel;
  writeAudit(
    world,
    tables,
    { guild: { id: guild }, member: { user: caller?.user.id ?? null }, now: clock.now() },
    deed,
  );
}
