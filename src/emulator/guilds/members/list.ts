import type { Reading } from '../../api/world.ts';
import { isBefore } from '../../kernel/snowflake.ts';
import { online } from '../../users/presence/statuses.ts';
import type { Guild } from '../records.ts';
import { isRegularUser, memberOf } from './membership.ts';
import type { Member } from './records.ts';

/**
 * Members of a guild after an id, in the order of their ids. The generator is lazy: its cost depends on the number of
 * members that are read.
 */
export function* membersAfter(tables: Reading, guild: Guild, after = '0'): Generator<Member> {
  for (const id of userIds(tables, guild, after)) {
    const member = memberOf(tables, guild.id, id);
    if (member !== undefined) yield member;
  }
}

/** Ids of all users who may be members, in order and without duplicates. */
function* userIds({ members, users }: Reading, guild: Guild, after: string): Generator<string> {
  const owner = guild.owner !== null && isBefore(after, guild.owner) ? [guild.owner] : [];
  const streams = [
    map(members.by('guild', guild.id).behind(`${guild.id} ${after}`), ({ user }) => user),
    map(guild.membership === 'everybody' ? users.by('bot', 'false').behind(after) : [], ({ id }) => id),
    map(owner, (id) => id),
  ];
  const heads = streams.map((stream) => stream.next());
  for (;;) {
    let smallest: string | undefined;
    for (const { value, done } of heads) {
      if (done !== true && (smallest === undefined || isBefore(value, smallest))) smallest = value;
    }
    if (smallest === undefined) return;
    yield smallest;
    for (const [at, head] of heads.entries()) {
      const stream = streams[at];
      if (head.done !== true && head.value === smallest && stream !== undefined) heads[at] = stream.next();
    }
  }
}

function* map<From>(items: Iterable<From>, of: (item: From) => string): Generator<string, undefined> {
  for (const item of items) yield of(item);
  return undefined;
}

/** Number of a guild's members. */
export function memberCount(tables: Reading, guild: Guild): number {
  const { members, users, departures, external_identities: identities } = tables;
  const listed = members.by('guild', guild.id);
  const owner = guild.owner === null ? undefined : members.get(guild.id, guild.owner);
  if (guild.membership === 'listed')
    return listed.size + (guild.owner === null || owner !== undefined ? 0 : 1);
  // Number of all users except provisional accounts, bots and users who left. Members who are only in the list are
  // added below.
  let count = users.by('bot', 'false').size - departures.by('guild', guild.id).size;
  for (const status of ['provisional', 'restricted'] as const) count -= identities.by('status', status).size;
  for (const { source } of identities.by('status', 'merging')) count -= source === null ? 0 : 1;
  for (const { user } of listed) {
    const account = users.get(user);
    if (account !== undefined && !isRegularUser(tables, account)) count += 1;
    // The user left, and later became a listed member again.
    if (departures.has(guild.id, user)) count += 1;
  }
  const isOwnerBack = guild.owner !== null && owner === undefined && departures.has(guild.id, guild.owner);
  return count + (isOwnerBack ? 1 : 0);
}

/** Number of members who appear online. */
export function presenceCount(tables: Reading, guild: Guild): number {
  return onlineIn(tables, guild).length;
}

/** Members who appear online. */
export function onlineIn(
  tables: Reading,
  guild: Guild,
): { readonly user: string; readonly status: string }[] {
  return [...online(tables)]
    .filter(([user]) => memberOf(tables, guild.id, user) !== undefined)
    .map(([user, status]) => ({ user, status }));
}
