import * as z from 'zod/mini';
import { ErrorCode } from '../../wire/codes.ts';
import { defineCommand } from '../command.ts';
import { RpcError } from '../errors.ts';
import { anyOf, LOCAL_SCOPE } from '../scope.ts';
import { activity, shownActivity } from '../shapes/activity.ts';
import { nothing, snowflake } from '../shapes/common.ts';

/**
 * Characters of JSON that an activity may have. All documented fields at their longest stay below; without a bound
 * each connection could have a whole frame of other keys kept, and be told by an ERROR that its answer is too large.
 */
const MAX_ACTIVITY = 32 * 1024;

const boundedActivity = () =>
  activity().check(
    z.refine((value) => JSON.stringify(value).length <= MAX_ACTIVITY, {
      error: `at most ${MAX_ACTIVITY} characters of JSON are allowed`,
      abort: true,
    }),
  );

/** Sets or clears (null or absent `activity`) this connection's presence; `pid` is the app's process. */
export const SET_ACTIVITY = defineCommand({
  scope: anyOf('rpc', 'rpc.activities.write', LOCAL_SCOPE),
  // A presence lasts as long as its connection, and over HTTP there is none.
  notOver: 'http',
  errors: [4002, 5005],
  args: () =>
    z.object({ pid: z.nullish(z.int().check(z.minimum(0))), activity: z.nullish(boundedActivity()) }),
  result: () => z.nullable(shownActivity()),
  check({ activity, pid }, { transport }) {
    if (transport === 'ipc' && (pid === undefined || pid === null)) {
      throw new RpcError(ErrorCode.INVALID_COMMAND, 'pid: the process id of the app is required');
    }
    if (!activity?.secrets) return;
    const secrets = Object.values(activity.secrets).filter((secret) => typeof secret === 'string');
    const partyId = activity.party?.id;
    if (partyId !== undefined && secrets.some((secret) => secret.includes(partyId))) {
      throw new RpcError(ErrorCode.INVALID_ACTIVITY_SECRET, 'secrets: none may contain the party id');
    }
    if (new Set(secrets).size < secrets.length) {
      throw new RpcError(ErrorCode.INVALID_ACTIVITY_SECRET, 'secrets: each must differ from the others');
    }
    if (secrets.length > 0 && activity.buttons !== undefined) {
      throw new RpcError(ErrorCode.INVALID_ACTIVITY_SECRET, 'secrets: cannot be sent together with buttons');
    }
  },
});

const invitee = () => z.object({ user_id: snowflake(), pid: z.nullish(z.int().check(z.minimum(0))) });

/** Lets the user who asked join. Error 4012 when they have not asked, 5006 without a joinable activity. */
export const SEND_ACTIVITY_JOIN_INVITE = defineCommand({
  scope: anyOf('rpc', LOCAL_SCOPE),
  errors: [4012, 5006],
  args: invitee,
  result: nothing,
});

/** Turns a request to join down. Error 4012 when there is none. */
export const CLOSE_ACTIVITY_JOIN_REQUEST = defineCommand({
  scope: anyOf('rpc', LOCAL_SCOPE),
  errors: [4012],
  args: invitee,
  result: nothing,
});

/** The same command under the name that older documents and libraries give it. */
export const CLOSE_ACTIVITY_REQUEST = defineCommand({
  scope: anyOf('rpc', LOCAL_SCOPE),
  errors: [4012],
  args: invitee,
  result: nothing,
});

/** Invites a user to the activity. Errors 4010 (unknown user), 5006 (no activity with party and join secret). */
export const ACTIVITY_INVITE_USER = defineCommand({
  scope: anyOf('rpc', LOCAL_SCOPE),
  errors: [4010, 5006],
  args: () =>
    z.object({
      user_id: snowflake(),
      type: z.literal(1),
      content: z.optional(z.string().check(z.maxLength(1024))),
      pid: z.int().check(z.minimum(0)),
    }),
  result: nothing,
});

/** Accepts an invite that came as ACTIVITY_INVITE. Error 4011 when it is expired or was never sent. */
export const ACCEPT_ACTIVITY_INVITE = defineCommand({
  scope: anyOf('rpc', LOCAL_SCOPE),
  errors: [4011],
  args: () =>
    z.object({
      type: z.literal(1),
      user_id: snowflake(),
      session_id: z.string().check(z.maxLength(128)),
      channel_id: snowflake(),
      message_id: snowflake(),
      application_id: z.optional(snowflake()),
    }),
  result: nothing,
});
