import { full } from '../../api/api-error.ts';
import type { Reading, StateRule, World } from '../../api/world.ts';
import type { Clock } from '../../kernel/clock.ts';
import { MAX_RECORDS } from '../../kernel/limits.ts';
import { DIRECT, GROUP, isDirect, type PrivateChannel } from './private-records.ts';

/** The direct channel of two users; undefined where they have none. */
export function directBetween(
  { private_channels: table }: Pick<Reading, 'private_channels'>,
  one: string,
  other: string,
): PrivateChannel | undefined {
  const [ofOne, ofOther] = [table.by('recipients', one), table.by('recipients', other)];
  // The search covers the account with fewer channels: a bot may have many, a user has few.
  const [few, who] = ofOne.size < ofOther.size ? [ofOne, other] : [ofOther, one];
  for (const channel of few) if (isDirect(channel) && channel.recipients.includes(who)) return channel;
  return undefined;
}

/** Services that are necessary for creating private channels. */
export interface Making {
  readonly world: World;
  readonly clock: Pick<Clock, 'now'>;
}

/** The direct channel of two users; it is created if they have none. @throws ApiError 503 at the limit of rows. */
export function openDirect(making: Making, one: string, other: string): PrivateChannel {
  return (
    directBetween(making.world.tables, one, other) ??
    make(making, { type: DIRECT, name: null, recipients: [one, other], owner: null, nicks: {} })
  );
}

/** Creates a group that a bot owns. @throws ApiError 503 at the limit of rows. */
export function openGroup(
  making: Making,
  {
    bot,
    application,
    others,
    nicks,
  }: { bot: string; application: string; others: readonly string[]; nicks: Readonly<Record<string, string>> },
): PrivateChannel {
  return make(making, {
    type: GROUP,
    name: null,
    recipients: [bot, ...others],
    owner: bot,
    application,
    nicks,
  });
}

function make({ world, clock }: Making, channel: Omit<PrivateChannel, 'id'>): PrivateChannel {
  const { channels, private_channels, messages } = world.tables;
  if (private_channels.size >= MAX_RECORDS) throw full('private channels');
  const isTaken = (id: string) => channels.has(id) || private_channels.has(id) || messages.has(id);
  const id = world.ids.next(clock.now(), isTaken);
  return world.transaction((tables) => tables.private_channels.insert({ id, ...channel }));
}

/**
 * Removes a direct channel together with one of its users, and a group together with its last member. If the owner of a
 * group was removed, the oldest member becomes the owner.
 */
export const settlePrivateChannels: StateRule = ({ private_channels }, commit) => {
  for (const { after } of commit.of('private_channels').updated) {
    if (!private_channels.has(after.id)) continue;
    const { id, recipients, owner } = after;
    if (recipients.length < (isDirect(after) ? 2 : 1)) private_channels.remove(id);
    else if (!isDirect(after) && owner === null)
      private_channels.update(id, { owner: recipients[0] ?? null });
  }
};

/** Name of a private channel for one of its members: that of the group, or the names of the others. */
export function privateName(
  { users }: Pick<Reading, 'users'>,
  { name, recipients }: PrivateChannel,
  userId: string,
): string {
  const others = recipients.filter((id) => id !== userId);
  return name ?? others.map((id) => users.get(id)?.username ?? id).join(', ');
}
