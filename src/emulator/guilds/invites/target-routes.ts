import * as z from 'zod';
import { ApiError, requiredField } from '../../api/api-error.ts';
import { list, snowflake, timestamp } from '../../api/fields.ts';
import { defineOperation, noContent, ok } from '../../api/operation.ts';
import { inviteFor } from './access.ts';
import { MAX_TARGETS, TARGETS_FILE } from './create.ts';
import type { TargetJob } from './records.ts';
import { brokenFile } from './routes.ts';
import { addTargets, removeTargets, replaceTargets, targetsOf } from './targets.ts';
import { readTargets, targetsFile } from './targets-file.ts';

/** Numbers of the job states in the platform's API; the number 0 is not used. */
const STATUS: Readonly<Record<TargetJob['state'], number>> = { processing: 1, completed: 2, failed: 3 };

const path = '/invites/{code}/target-users';
const READ = ['MANAGE_GUILD', 'VIEW_AUDIT_LOG'] as const;
const users = z.object({ user_ids: list(snowflake(), 0, MAX_TARGETS) });

function needTargets({ targeted }: { readonly targeted: boolean }): void {
  if (!targeted) throw new ApiError('UnknownInviteTargetUsers');
}

/** Routes of an invite's target users. */
export const inviteTargetOperations = [
  defineOperation({
    id: 'get_invite_target_users',
    summary: 'Target users of an invite: a file with the header user_id and one id in each line.',
    route: `GET ${path}`,
    answers: { 200: null },
    media: 'text/csv',
    ours: 'While a file is being read, the users that were read so far.',
    handle: ({ caller, params }, platform) => {
      const invite = inviteFor(platform, params.code, caller, ...READ);
      needTargets(invite);
      const found = targetsOf(platform.world.tables, invite.code);
      return { status: 200, type: 'text/csv; charset=utf-8', content: targetsFile(found) };
    },
  }),
  defineOperation({
    id: 'update_invite_target_users',
    summary:
      'Replaces the target users of an invite by those in a file, which is read a second of the clock later.',
    route: `PUT ${path}`,
    body: z.object({}),
    bodyKinds: ['multipart'],
    files: TARGETS_FILE,
    answers: { 204: null, 400: brokenFile },
    handle: ({ caller, params, files: [file] }, platform) => {
      const invite = inviteFor(platform, params.code, caller, 'MANAGE_GUILD');
      if (file === undefined) throw requiredField('target_users_file');
      const read = readTargets(file.bytes);
      if (read.kind === 'broken') return { status: 400, body: { target_users_file: read.faults } };
      const now = platform.clock.now();
      platform.world.transaction((tables) => replaceTargets(tables, invite.code, read.users, now));
      return noContent();
    },
  }),
  defineOperation({
    id: 'get_invite_target_users_job_status',
    summary: 'Progress of reading the file of target users of an invite.',
    route: `GET ${path}/job-status`,
    answers: {
      200: z.object({
        status: z.int(),
        total_users: z.int(),
        processed_users: z.int(),
        created_at: z.nullable(z.string()),
        completed_at: z.nullable(z.string()),
        error_message: z.nullable(z.string()),
      }),
    },
    handle: ({ caller, params }, platform) => {
      const { job } = inviteFor(platform, params.code, caller, ...READ);
      if (job === null) throw new ApiError('UnknownInviteTargetUsersJob');
      const { state, total, processed, created_at, completed_at, error } = job;
      return ok({
        status: STATUS[state],
        total_users: total,
        processed_users: processed,
        created_at: timestamp(Date.parse(created_at)),
        completed_at: completed_at === null ? null : timestamp(Date.parse(completed_at)),
        error_message: error,
      });
    },
  }),
  defineOperation({
    id: 'add_invite_target_user',
    summary: 'Adds a target user to an invite, at once.',
    route: `PUT ${path}/{user_id}`,
    answers: { 204: null },
    ours: 'Any user id is accepted, also one that the emulator does not know.',
    handle: ({ caller, params }, platform) => {
      const { code } = inviteFor(platform, params.code, caller, 'MANAGE_GUILD');
      platform.world.transaction((tables) => addTargets(tables, code, [params.user_id]));
      return noContent();
    },
  }),
  defineOperation({
    id: 'remove_invite_target_user',
    summary: 'Removes a target user from an invite, at once.',
    route: `DELETE ${path}/{user_id}`,
    answers: { 204: null },
    ours: 'A user who is not on the list is ignored. An invite with an empty list is valid for no user.',
    handle: ({ caller, params }, platform) => {
      const invite = inviteFor(platform, params.code, caller, 'MANAGE_GUILD');
      needTargets(invite);
      platform.world.transaction((tables) => removeTargets(tables, invite.code, [params.user_id]));
      return noContent();
    },
  }),
  defineOperation({
    id: 'bulk_add_invite_target_users',
    summary: 'Adds up to 1,000 target users to an invite, at once.',
    route: `POST ${path}/bulk-add`,
    body: users,
    answers: { 204: null },
    handle: ({ caller, params, body }, platform) => {
      const { code } = inviteFor(platform, params.code, caller, 'MANAGE_GUILD');
      platform.world.transaction((tables) => addTargets(tables, code, body.user_ids));
      return noContent();
    },
  }),
  defineOperation({
    id: 'bulk_delete_invite_target_users',
    summary: 'Removes up to 1,000 target users from an invite, at once.',
    route: `POST ${path}/bulk-delete`,
    makesRoom: true,
    body: users,
    answers: { 204: null },
    handle: ({ caller, params, body }, platform) => {
      const invite = inviteFor(platform, params.code, caller, 'MANAGE_GUILD');
      needTargets(invite);
      platform.world.transaction((tables) => removeTargets(tables, invite.code, body.user_ids));
      return noContent();
    },
  }),
];
