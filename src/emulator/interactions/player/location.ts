import { findChannel, findUser } from '../../api/lookup.ts';
import type { Base, Reading } from '../../api/world.ts';
import { mayView } from '../../guilds/channels/access.ts';
import { openDirect } from '../../guilds/channels/private-channels.ts';
import { isDirect, isPrivate } from '../../guilds/channels/private-records.ts';
import { type ChannelRecord, hasText, isThread } from '../../guilds/channels/records.ts';
import { isIn } from '../../guilds/members/membership.ts';
import { SettingError } from '../../kernel/errors.ts';
import type { User } from '../../users/records.ts';

/** Channel where a user uses an application: in a guild, or private. */
export interface UseLocation {
  readonly id: string;
  /** Null for a private channel. */
  readonly guild: string | null;
  /** Display name: `#general`, or the names of the other members of a private channel. */
  readonly name: string;
}

/** The acting user: the logged-in user, unless the request names another user. @throws SettingError */
export function userFor(tables: Reading, me: User, named: string | undefined): User {
  const user = named === undefined ? me : findUser(tables, withoutSigil(named, '@'));
  if (user.bot)
    throw new SettingError('user', `${user.username} is a bot; only human users use applications`);
  return user;
}

/** A name without its leading sign. */
export function withoutSigil(text: string, sigil: '@' | '#'): string {
  return text.startsWith(sigil) && text.length > 1 ? text.slice(1) : text;
}

/** The location of a channel id. @throws SettingError for a channel that the user does not see */
export function locationFor(tables: Reading, user: User, id: string): UseLocation {
  const channel = tables.channels.get(id) ?? tables.private_channels.get(id);
  if (channel === undefined) throw new SettingError('channel', `there is no channel ${id.slice(0, 20)}`);
  if (isPrivate(channel)) {
    if (!channel.recipients.includes(user.id)) throw hidden(user, `the private channel ${id}`);
    const others = channel.recipients.filter((one) => one !== user.id);
    const names = others.map((one) => tables.users.get(one)?.username ?? one);
    return { id, guild: null, name: `private with ${names.join(', ')}` };
  }
  const name = `#${channel.name}`;
  if (!mayView(tables, channel, user.id)) throw hidden(user, name);
  return { id, guild: channel.guild, name };
}

function hidden(user: User, what: string): SettingError {
  return new SettingError('channel', `${user.username} does not see ${what}; give another with --channel`);
}

/** The location of a named channel: by id or name, or by `@USER` for their direct messages. @throws SettingError */
export function namedLocation({ world, clock }: Base, user: User, named: string): UseLocation {
  const { tables } = world;
  if (named.startsWith('@')) {
    const other = findUser(tables, withoutSigil(named, '@'));
    return locationFor(tables, user, openDirect({ world, clock }, user.id, other.id).id);
  }
  if (tables.private_channels.has(named)) return locationFor(tables, user, named);
  return locationFor(tables, user, findChannel(tables, withoutSigil(named, '#'), takesCommands).id);
}

/** Whether users can use commands in a channel. Voice channels have messages, too. */
function takesCommands(channel: { readonly type: number }): boolean {
  return hasText(channel) || TALKED_IN.includes(channel.type);
}

const TALKED_IN: readonly number[] = [2, 13];

/**
 * Default locations: first the channels that both the user and the application's bot see, in fixture order, then their
 * direct messages, then other channels that the user sees.
 */
export function* defaultLocations(tables: Reading, user: User, bot: string): Generator<UseLocation> {
  const seen = [...tables.guilds]
    .filter(({ id }) => isIn(tables, id, user.id))
    .flatMap(({ id }) => inOrder([...tables.channels.by('guild', id)]))
    .filter((channel) => hasText(channel) && mayView(tables, channel, user.id));
  const isShared = (channel: ChannelRecord): boolean => mayView(tables, channel, bot);
  for (const { id } of seen.filter(isShared)) yield locationFor(tables, user, id);
  for (const channel of tables.private_channels.by('recipients', user.id)) {
    if (isDirect(channel) && channel.recipients.includes(bot)) yield locationFor(tables, user, channel.id);
  }
  for (const { id } of seen.filter((one) => !isShared(one))) yield locationFor(tables, user, id);
}

/** Sorts channels before their threads. */
function inOrder(channels: readonly ChannelRecord[]): ChannelRecord[] {
  return [...channels.filter((one) => !isThread(one)), ...channels.filter(isThread)];
}
