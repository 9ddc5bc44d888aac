import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import { clearable, flagText, idList, integer, queryInteger } from '../../api/fields.ts';
import { defineOperation, ok } from '../../api/operation.ts';
import type { Reading } from '../../api/world.ts';
import { idAt, isBefore, timeOf } from '../../kernel/snowflake.ts';
import { AUDIT, writeAudit } from '../audit/audit.ts';
import { need, type RequestingMember, requestingMember } from '../guild-access.ts';
import { membersAfter } from './list.ts';
import { leave } from './membership.ts';
import type { Member } from './records.ts';

/** Maximum number of prunes of a guild per hour. The platform's number is not published. */
const MAX_PRUNES_PER_HOUR = 10;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const USUAL_DAYS = 7;

/** Checks the permission to prune, which depends on a feature of the guild. */
function needPrune(who: RequestingMember): RequestingMember {
  return who.guild.features.includes('PRUNE_REQUIRES_ADMIN')
    ? need(who, 'ADMINISTRATOR')
    : need(who, 'MANAGE_GUILD', 'KICK_MEMBERS');
}

/** Start of the period of activity: the time in milliseconds, and the smallest id of that time. */
interface Since {
  readonly time: number;
  readonly id: string;
}

/**
 * Whether a member was active in the period: the member joined, wrote a message in any guild, or is in a voice channel
 * now.
 */
function isSeen({ messages, voice_states, client, me }: Reading, member: Member, since: Since): boolean {
  const { guild, user, joined_at } = member;
  if (voice_states.has(user) || (user === me.value && client.value.logged_in)) return true;
  // A member without a stored join time joined when the guild or the account was created. There may be many members, so
  // the ids are compared without conversion.
  const came =
    joined_at === null
      ? !isBefore(guild, since.id) || !isBefore(user, since.id)
      : Date.parse(joined_at) >= since.time;
  if (came) return true;
  const [last] = messages.by('author', user).last(1);
  return last !== undefined && !isBefore(last.id, since.id);
}

/** Ids of the members to prune: users who were inactive in the period and have no roles except the named ones. */
function inactive(
  tables: Reading,
  { guild, now }: RequestingMember,
  days: number,
  roles: readonly string[],
): string[] {
  const time = now - days * DAY_MS;
  const since = { time, id: idAt(time) };
  const inactiveIds: string[] = [];
  for (const member of membersAfter(tables, guild)) {
    const { user } = member;
    if (user === guild.owner || tables.users.get(user)?.bot === true) continue;
    if (!member.roles.every((id) => roles.includes(id))) continue;
    if (!isSeen(tables, member, since)) inactiveIds.push(user);
  }
  return inactiveIds;
}

const roleIds = idList(100);

const shape = z.object({ pruned: z.nullable(z.int()) });
const path = '/guilds/{guild_id}/prune';

/** Routes that prune inactive members. */
export const pruneOperations = [
  defineOperation({
    id: 'preview_prune_guild',
    summary: 'Number of members that a prune would remove.',
    route: `GET ${path}`,
    query: z.object({ days: z.optional(queryInteger(1, 30)), include_roles: z.optional(roleIds) }),
    answers: { 200: shape },
    ours: 'A member is active when they join, write or are in a voice channel; the emulator knows no other activity.',
    handle: ({ caller, params, query: { days = USUAL_DAYS, include_roles = [] } }, platform) => {
      const who = needPrune(requestingMember(caller, params.guild_id, platform));
      return ok({ pruned: inactive(platform.world.tables, who, days, include_roles).length });
    },
  }),
  defineOperation({
    id: 'prune_guild',
    summary: 'Removes members who were inactive for some days and have no roles but the named ones.',
    route: `POST ${path}`,
    makesRoom: true,
    body: z.object({
      days: clearable(integer(1, 30)),
      compute_prune_count: clearable(z.union([z.boolean(), flagText()])),
      include_roles: clearable(roleIds),
    }),
    answers: { 200: shape },
    ours: `After ${MAX_PRUNES_PER_HOUR} prunes in an hour a guild answers 30040; the number is not published. compute_prune_count may be a text, and include_roles one with commas: seen with discord.py.`,
    handle: ({ caller, params, body, reason }, platform) => {
      const who = needPrune(requestingMember(caller, params.guild_id, platform));
      const { world } = platform;
      const { tables } = world;
      const recent = tables.audit_log
        .by('guild', who.guild.id)
        .last(200)
        .filter(
          ({ id, action_type }) => action_type === AUDIT.MEMBER_PRUNE && timeOf(id) > who.now - HOUR_MS,
        );
      if (recent.length >= MAX_PRUNES_PER_HOUR) {
        throw new ApiError('MaximumNumberOfPruneRequestsHasBeenReached');
      }
      const days = body.days ?? USUAL_DAYS;
      const pruned = inactive(tables, who, days, body.include_roles ?? []);
      world.transaction((writing) => {
        for (const user of pruned) leave(writing, who.guild, user);
        writeAudit(world, writing, who, {
          action: AUDIT.MEMBER_PRUNE,
          target: null,
          reason,
          options: { delete_member_days: String(days), members_removed: String(pruned.length) },
        });
      });
      return ok({ pruned: body.compute_prune_count === false ? null : pruned.length });
    },
  }),
];
