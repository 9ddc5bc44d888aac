import type { Reading, World } from '../../api/world.ts';
import { SettingError } from '../../kernel/errors.ts';
import { join, memberObstacle, memberOf } from '../members/membership.ts';
import type { Guild } from '../records.ts';
import type { GuildJoinRequest } from './records.ts';

/** Features of a guild whose members are let in one by one; it needs both. */
export const APPROVAL_FEATURES = [
  'MEMBER_VERIFICATION_GATE_ENABLED',
  'MEMBER_VERIFICATION_MANUAL_APPROVAL',
] as const;
/** Feature of a guild in which applicants are members already, who may only look. */
const PREVIEW = 'PREVIEW_ENABLED';

/** Whether users ask before they become members of a guild. */
export function takesRequests({ features }: Pick<Guild, 'features'>): boolean {
  return APPROVAL_FEATURES.every((feature) => features.includes(feature));
}

/** A user who asks to join a guild. */
export interface JoinApplicant {
  readonly guild: string;
  readonly user: string;
  /** Texts `QUESTION=ANSWER`. */
  readonly answers: readonly string[];
  /** True while the user has not submitted the answers. */
  readonly isStarted: boolean;
  /** In milliseconds. */
  readonly now: number;
}

/**
 * Asks to join a guild on behalf of a user; a request that the user has started becomes a submitted one. In a guild
 * with a preview the user is a pending member from then on. @throws SettingError where the user cannot ask.
 */
export function askToJoin(world: World, applicant: JoinApplicant): GuildJoinRequest {
  const { tables } = world;
  const { guild: id, user, isStarted, now } = applicant;
  const guild = guildOf(tables, id);
  if (!takesRequests(guild)) {
    throw new SettingError(
      'guild',
      `takes no requests: its \`features\` in the fixture need ${APPROVAL_FEATURES.join(' and ')}`,
    );
  }
  const obstacle = memberObstacle(tables, id, user);
  if (obstacle === 'banned') throw new SettingError('user', 'is banned from the guild');
  if (obstacle !== undefined)
    throw new SettingError('user', 'is a provisional account, which joins no guild');
  const member = memberOf(tables, id, user);
  if (member?.pending === false) {
    throw new SettingError(
      'user',
      'is a member already; a guild with `membership = "listed"` has only those of `[[guilds.members]]`',
    );
  }
  const open = openRequest(tables, id, user);
  if (open?.status === 'SUBMITTED')
    throw new SettingError('user', `has asked already: request ${open.id} waits`);
  const form_responses = applicant.answers.map(formResponse);
  const status = isStarted ? 'STARTED' : 'SUBMITTED';
  return world.transaction((writing) => {
    if (guild.features.includes(PREVIEW) && member === undefined) {
      join(writing, { guild: id, user, now }, { pending: true });
    }
    if (open !== undefined) return writing.guild_join_requests.update(open.id, { status, form_responses });
    return writing.guild_join_requests.insert({
      id: world.ids.next(now, (taken) => writing.guild_join_requests.has(taken)),
      guild: id,
      user,
      status,
      reviewed_at: null,
      reviewer: null,
      rejection_reason: null,
      form_responses,
    });
  });
}

/** Withdraws the open request of a user. @throws SettingError if there is none. */
export function withdrawRequest(world: World, guild: string, user: string): GuildJoinRequest {
  const open = openRequest(world.tables, guildOf(world.tables, guild).id, user);
  if (open === undefined) throw new SettingError('user', 'has no request that waits');
  world.transaction(({ guild_join_requests }) => guild_join_requests.remove(open.id));
  return open;
}

function guildOf(tables: Reading, id: string): Guild {
  const guild = tables.guilds.get(id);
  if (guild === undefined) throw new SettingError('guild', 'there is no such guild; give the id of one');
  return guild;
}

/** The request of a user that nobody has reviewed. */
function openRequest(tables: Reading, guild: string, user: string): GuildJoinRequest | undefined {
  return [...tables.guild_join_requests.by('guild', guild)].find(
    (one) => one.user === user && one.reviewed_at === null && OPEN.has(one.status),
  );
}

const OPEN: ReadonlySet<string> = new Set(['STARTED', 'SUBMITTED']);

/** One answer in the platform's form, as a short text. */
function formResponse(text: string): { readonly [key: string]: string | boolean } {
  const [label = '', ...rest] = text.split('=');
  if (label === '' || rest.length === 0) {
    throw new SettingError(
      'answers',
      `must be QUESTION=ANSWER each, but one is ${JSON.stringify(text.slice(0, 50))}`,
    );
  }
  return { field_type: 'TEXT_INPUT', label, required: true, response: rest.join('=') };
}
