import * as z from 'zod';
import { ApiError, invalidField } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { choice, clearable, idList, integer, snowflake } from '../../api/fields.ts';
import type { UploadedFile } from '../../api/file.ts';
import type { Base, Reading } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import type { ChannelAccess } from '../channels/channel-access.ts';
import { type ChannelRecord, hasVoice } from '../channels/records.ts';
import { need, requestingMember } from '../guild-access.ts';
import { checkRole } from '../members/changes.ts';
import { isGood, type NewInvite } from './invites.ts';
import { type ChannelInviteRecord, MAX_AGE_S, TARGET } from './records.ts';
import { readTargets } from './targets-file.ts';

/** Services of these routes. */
type Needs = Base & HasApplications;

const MAX_INVITES = 1000;
const MAX_ROLES = 250;
/** Maximum number of target users in one JSON request. */
export const MAX_TARGETS = 1000;
const DAY_S = 86_400;

/** The file of target users in a request. Each line needs about twenty bytes. */
export const TARGETS_FILE = {
  fields: ['target_users_file'],
  maxCount: 1,
  maxFileBytes: 2 * 1024 * 1024,
  request: 3 * 1024 * 1024,
} as const;

/** Body of a request for an invite; null means the same as an absent field. */
export const createBody = z.object({
  max_age: clearable(integer(0, MAX_AGE_S)),
  max_uses: clearable(integer(0, 100)),
  temporary: clearable(z.boolean()),
  unique: clearable(z.boolean()),
  target_type: clearable(choice(TARGET.STREAM, TARGET.EMBEDDED_APPLICATION)),
  target_user_id: clearable(snowflake()),
  target_application_id: clearable(snowflake()),
  role_ids: clearable(idList(MAX_ROLES)),
  target_user_ids: clearable(idList(MAX_TARGETS)),
});

/** Validated request for an invite. */
export interface CreateRequest {
  readonly invite: NewInvite & Required<Pick<NewInvite, 'max_age' | 'max_uses' | 'temporary' | 'roles'>>;
  /** True if a new invite must be created even if an equal one exists. */
  readonly isUnique: boolean;
  /** Target users. A list applies at once; a file is read by a job. */
  readonly targets: { readonly from: 'list' | 'file'; readonly users: readonly string[] } | undefined;
}

/** Errors in a file of target users, in the platform's form. */
export interface FileFaults {
  readonly target_users_file: readonly string[];
}

/**
 * Validates a request for an invite to a channel. @throws ApiError 50013 for missing permissions, 10011 for an unknown
 * role, 50035 for invalid fields. For an invalid file it returns the errors instead.
 */
export function createRequest(
  platform: Needs,
  { channel, need: needHere }: ChannelAccess,
  request: {
    readonly caller: BotCaller;
    readonly body: z.output<typeof createBody>;
    readonly files: readonly UploadedFile[];
  },
): CreateRequest | FileFaults {
  const { caller, body, files } = request;
  const { tables } = platform.world;
  needHere('CREATE_INSTANT_INVITE');
  const roles = body.role_ids ?? [];
  if (roles.length > 0) {
    const who = need(requestingMember(caller, channel.guild, platform), 'MANAGE_ROLES');
    for (const role of roles) checkRole(tables, who, role);
  }
  const max_age = body.max_age ?? DAY_S;
  checkAge(tables, max_age);
  const targets = targetsOf(body.target_user_ids, files);
  if (targets?.from === 'broken') return { target_users_file: targets.faults };
  return {
    invite: {
      channel: channel.id,
      inviter: caller.user.id,
      max_age,
      max_uses: body.max_uses ?? 0,
      temporary: body.temporary ?? false,
      roles,
      ...targetOf(platform, channel, body),
    },
    isUnique: body.unique === true,
    targets,
  };
}

/** Checks the lifetime of an invite. @throws ApiError 50035 for a lifetime above the limit. */
function checkAge({ invite_max_age: { value: maxAge } }: Reading, age: number): void {
  if (age <= maxAge) return;
  const message = `int value should be less than or equal to ${maxAge}.`;
  throw invalidField(['max_age'], 'NUMBER_TYPE_MAX', message);
}

function targetsOf(ids: readonly string[] | null | undefined, [file]: readonly UploadedFile[]) {
  if (file === undefined) return ids == null ? undefined : ({ from: 'list', users: ids } as const);
  if (ids != null) {
    const message = 'Target users are either a list or a file, not both.';
    throw invalidField(['target_user_ids'], 'BASE_TYPE_EXCLUSIVE', message);
  }
  const read = readTargets(file.bytes);
  return read.kind === 'read'
    ? ({ from: 'file', users: read.users } as const)
    : ({ from: 'broken', faults: read.faults } as const);
}

/** Target of an invite to a voice channel: a stream or an application. */
function targetOf(
  { world, application }: Needs,
  channel: ChannelRecord,
  body: z.output<typeof createBody>,
): Partial<NewInvite> {
  const { target_type: type = null, target_user_id: user, target_application_id: app } = body;
  const wrong = (name: string, code: string, message: string): ApiError =>
    invalidField([name], code, message);
  if (type === null) return {};
  if (!hasVoice(channel)) {
    throw wrong(
      'target_type',
      'GUILD_INVITE_INVALID_TARGET_TYPE',
      'Only invites to voice channels have a target.',
    );
  }
  const name = type === TARGET.STREAM ? 'target_user_id' : 'target_application_id';
  if ((type === TARGET.STREAM ? user : app) == null) {
    throw wrong(name, 'BASE_TYPE_REQUIRED', 'This field is required');
  }
  if (type === TARGET.STREAM) {
    const isThere = world.tables.voice_states.get(user ?? '')?.channel === channel.id;
    if (!isThere) throw wrong(name, 'GUILD_INVITE_INVALID_STREAM', 'The user does not talk in the channel.');
    return { target_type: type, target_user: user ?? null };
  }
  if (application(app ?? '') === undefined) {
    throw wrong(name, 'GUILD_INVITE_INVALID_TARGET_APPLICATION', 'There is no such application.');
  }
  return { target_type: type, target_application: app ?? null };
}

/** Valid invites of a guild that appear in lists; `now` is in milliseconds. */
export function invitesOf(tables: Reading, guildId: string, now: number): ChannelInviteRecord[] {
  return [...tables.channels.by('guild', guildId)].flatMap(({ id }) => invitesTo(tables, id, now));
}

/** Valid invites of one channel that appear in lists. */
export function invitesTo(
  { channel_invites }: Reading,
  channelId: string,
  now: number,
): ChannelInviteRecord[] {
  return [...channel_invites.by('channel', channelId)].filter(
    (invite) => isGood(invite, now) && invite.target_type !== TARGET.LOBBY,
  );
}

/** Checks the number of invites of a guild. @throws ApiError 30016 for a guild that has reached the limit. */
export function checkRoom(tables: Reading, guildId: string, now: number): void {
  if (invitesOf(tables, guildId, now).length < MAX_INVITES) return;
  throw new ApiError('MaximumNumberOfInvitesReached', { limit: MAX_INVITES });
}

/** An existing invite with the same settings and without target users. */
export function alike(
  tables: Reading,
  wanted: CreateRequest['invite'],
  now: number,
): ChannelInviteRecord | undefined {
  return invitesTo(tables, wanted.channel, now).find(
    (one) =>
      one.inviter === wanted.inviter &&
      one.max_age === wanted.max_age &&
      one.max_uses === wanted.max_uses &&
      one.temporary === wanted.temporary &&
      one.target_type === (wanted.target_type ?? null) &&
      one.target_user === (wanted.target_user ?? null) &&
      one.target_application === (wanted.target_application ?? null) &&
      one.roles.length === 0 &&
      !one.targeted,
  );
}
