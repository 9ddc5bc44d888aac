import * as z from 'zod';
import { type Dispatched, defineDispatch, everyBot } from '../../api/dispatch.ts';
import type { Base, Committed, Reading } from '../../api/world.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import { userAnswer } from '../../users/answers.ts';
import type { User } from '../../users/records.ts';
import { userShape } from '../../users/shapes.ts';
import { botsWith, stays } from '../dispatch-audience.ts';
import { memberAnswer, memberShape } from './answers.ts';
import type { Member } from './records.ts';
import { MEMBER_TABLES, touchedMembers } from './touched-members.ts';

/** Whether a member changed only by the loss of deleted roles. The deletion of a role has its own event. */
function lostRolesAlone(tables: Reading, before: Member, after: Member): boolean {
  const left = before.roles.filter((id) => tables.roles.has(id));
  return left.length < before.roles.length && isSameJson({ ...before, roles: left }, after);
}

function wasUser(commit: Committed, tables: Reading, id: string): User | undefined {
  return tables.users.get(id) ?? commit.was('users', id);
}

const MEMBERS = ['GUILD_MEMBERS'] as const;

/** Events of changed members. A bot receives events of its own membership regardless of its intents. */
function* updates(commit: Committed, { world }: Base): Generator<Dispatched> {
  for (const { guild, user, before, after } of touchedMembers(commit, world.tables)) {
    if (before === undefined || after === undefined || lostRolesAlone(world.tables, before, after)) continue;
    const isUserSame = commit.was('users', user) === world.tables.users.get(user);
    if (isUserSame && isSameJson(before, after)) continue;
    const data = () => ({ ...memberAnswer(world.tables, after), guild_id: guild });
    if (world.tables.users.get(user)?.bot === true) {
      yield { guild, intents: [], canSee: (one) => one.kind === 'bot' && one.user === user, data };
    }
    yield { guild, canSee: (one) => one.kind === 'bot' && one.user !== user, data };
  }
}

const banShape = z.object({ guild_id: z.string(), user: userShape });
const BANS = { intents: ['GUILD_MODERATION'], tables: ['guild_bans'], shape: banShape } as const;

function* bans(commit: Committed, platform: Base, kind: 'created' | 'removed'): Generator<Dispatched> {
  const { tables: now } = platform.world;
  for (const { guild, user: id } of commit.of('guild_bans')[kind]) {
    const user = wasUser(commit, now, id);
    if (user === undefined || !stays(commit, now, guild)) continue;
    yield {
      guild,
      canSee: botsWith(platform, guild, 'BAN_MEMBERS'),
      data: () => ({ guild_id: guild, user: userAnswer(user) }),
    };
  }
}

/** Gateway events of members and bans. */
export const memberDispatches = [
  defineDispatch({
    event: 'GUILD_MEMBER_ADD',
    summary: 'A user joined a guild; a bot that joins receives the guild instead.',
    intents: MEMBERS,
    tables: MEMBER_TABLES,
    shape: memberShape.extend({ guild_id: z.string() }),
    *derive(commit, { world }) {
      for (const { guild, user, before, after } of touchedMembers(commit, world.tables)) {
        if (before !== undefined || after === undefined) continue;
        yield {
          guild,
          canSee: (one) => one.kind === 'bot' && one.user !== user,
          data: () => ({ ...memberAnswer(world.tables, after), guild_id: guild }),
        };
      }
    },
  }),
  defineDispatch({
    event: 'GUILD_MEMBER_UPDATE',
    summary: 'A member or their account changed; a bot receives its own update without GUILD_MEMBERS.',
    intents: MEMBERS,
    tables: MEMBER_TABLES,
    shape: memberShape.extend({ guild_id: z.string() }),
    ours: 'The loss of a deleted role is sent by GUILD_ROLE_DELETE alone.',
    derive: updates,
  }),
  defineDispatch({
    event: 'GUILD_MEMBER_REMOVE',
    summary: 'A member left a guild, was removed or banned, or their account was deleted.',
    intents: MEMBERS,
    tables: MEMBER_TABLES,
    shape: z.object({ guild_id: z.string(), user: userShape }),
    *derive(commit, { world }) {
      for (const { guild, user: id, before, after } of touchedMembers(commit, world.tables)) {
        const user = wasUser(commit, world.tables, id);
        if (before === undefined || after !== undefined || user === undefined) continue;
        yield { guild, canSee: everyBot, data: () => ({ guild_id: guild, user: userAnswer(user) }) };
      }
    },
  }),
  defineDispatch({
    ...BANS,
    event: 'GUILD_BAN_ADD',
    summary: 'A user was banned; sent to bots that may ban.',
    derive: (commit, platform) => bans(commit, platform, 'created'),
  }),
  defineDispatch({
    ...BANS,
    event: 'GUILD_BAN_REMOVE',
    summary: 'A ban was removed; sent to bots that may ban.',
    derive: (commit, platform) => bans(commit, platform, 'removed'),
  }),
];
