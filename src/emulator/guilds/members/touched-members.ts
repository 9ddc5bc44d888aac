import type { Committed, Reading } from '../../api/world.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import { userAnswer } from '../../users/answers.ts';
import { stays } from '../dispatch-audience.ts';
import { memberOf, memberRowsBefore } from './membership.ts';
import type { Member } from './records.ts';

/** Tables that determine memberships and their settings. */
export const MEMBER_TABLES = ['members', 'departures', 'users', 'guilds', 'external_identities'] as const;

/** A member of a guild before and after a transaction; undefined where the user was not, or is not, a member. */
interface MemberPair {
  readonly guild: string;
  readonly user: string;
  readonly before: Member | undefined;
  readonly after: Member | undefined;
}

/** The result is cached for each transaction, because several events are derived from it. */
const found = new WeakMap<Committed, readonly MemberPair[]>();

/** All members whose membership or settings may have changed, in guilds that still exist. */
export function touchedMembers(commit: Committed, tables: Reading): readonly MemberPair[] {
  let pairs = found.get(commit);
  if (pairs === undefined) {
    pairs = [...pairsOf(commit, tables)];
    found.set(commit, pairs);
  }
  return pairs;
}

function* pairsOf(commit: Committed, tables: Reading): Generator<MemberPair> {
  const rows = memberRowsBefore(commit, tables);
  const seen = new Set<string>();
  const pair = function* (guild: string, user: string): Generator<MemberPair> {
    const key = `${guild} ${user}`;
    if (seen.has(key) || !stays(commit, tables, guild)) return;
    seen.add(key);
    yield { guild, user, before: memberOf(rows, guild, user), after: memberOf(tables, guild, user) };
  };
  const everywhere = function* (user: string): Generator<MemberPair> {
    for (const { id } of tables.guilds.by('membership', 'everybody')) yield* pair(id, user);
  };
  for (const name of ['members', 'departures'] as const) {
    const { created, updated, removed } = commit.of(name);
    for (const row of [...created, ...updated.map(({ after }) => after), ...removed])
      yield* pair(row.guild, row.user);
  }
  const users = commit.of('users');
  const changed = users.updated.filter(
    ({ before, after }) => !isSameJson(userAnswer(before), userAnswer(after)),
  );
  for (const { id } of [...users.created, ...changed.map(({ after }) => after), ...users.removed]) {
    for (const { guild } of tables.members.by('user', id)) yield* pair(guild, id);
    yield* everywhere(id);
  }
  // A change of identities can make a provisional account a full account, or the reverse.
  const identities = commit.of('external_identities');
  for (const row of [
    ...identities.created,
    ...identities.updated.flatMap(({ before, after }) => [before, after]),
    ...identities.removed,
  ]) {
    for (const id of [row.user, row.source]) if (id !== null) yield* everywhere(id);
  }
  for (const { before, after } of commit.of('guilds').updated) {
    for (const owner of [before.owner, after.owner]) {
      if (before.owner !== after.owner && owner !== null) yield* pair(after.id, owner);
    }
    if (before.membership !== after.membership) {
      // Users who were deleted in the same transaction are included, because they were members of an open guild as
      // well.
      for (const { id } of [...tables.users, ...users.removed]) yield* pair(after.id, id);
    }
  }
}
