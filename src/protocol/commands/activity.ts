import * as z from 'zod';
import { defineCommand } from '../command.ts';
import { ErrorCode } from '../error-code.ts';
import { RpcError } from '../errors.ts';
import { anyOf, LOCAL_SCOPE } from '../scope.ts';
import { activity, activityView } from '../shapes/activity.ts';
import { nothing, snowflake } from '../shapes/common.ts';

/** Sets or clears (null or absent `activity`) this connection's presence; `pid` is the app's process. */
export const SET_ACTIVITY = defineCommand({
  scope: anyOf('rpc', 'rpc.activities.write', LOCAL_SCOPE),
  about: ['activity shown'],
  // A presence lasts as long as its connection, and requests over HTTP have no lasting connection.
  notOver: 'http',
  errors: [4002, 5005],
  args: () => z.object({ pid: z.nullish(z.int().check(z.gte(0))), activity: z.nullish(activity()) }),
  result: () => z.nullable(activityView()),
  check({ activity, pid }, { transport }) {
    if (transport === 'ipc' && (pid === undefined || pid === null)) {
      throw new RpcError(ErrorCode.INVALID_COMMAND, 'pid: the process id of the app is required');
    }
    if (!activity?.secrets) return;
    const secrets = Object.values(activity.secrets).filter((secret) => typeof secret === 'string');
    const partyId = activity.party?.id;
    // Only equality is refused. Games often derive the secret from the party id, which is unsafe, but works with the
    // real client.
    if (partyId !== undefined && secrets.includes(partyId)) {
      throw new RpcError(ErrorCode.INVALID_ACTIVITY_SECRET, 'secrets: none may equal the party id');
    }
    if (new Set(secrets).size < secrets.length) {
      throw new RpcError(ErrorCode.INVALID_ACTIVITY_SECRET, 'secrets: each must differ from the others');
    }
    if (secrets.length > 0 && activity.buttons !== undefined) {
      throw new RpcError(ErrorCode.INVALID_ACTIVITY_SECRET, 'secrets: cannot be sent together with buttons');
    }
  },
});

const invitee = () => z.object({ user_id: snowflake(), pid: z.nullish(z.int().check(z.gte(0))) });

/** Lets a user join who sent a join request. Error 4012 without a join request, 5006 without a joinable activity. */
export const SEND_ACTIVITY_JOIN_INVITE = defineCommand({
  scope: anyOf('rpc', LOCAL_SCOPE),
  about: ['invitations to play'],
  errors: [4012, 5006],
  args: invitee,
  result: nothing,
});

/** Declines a join request. Error 4012 without a join request. */
export const CLOSE_ACTIVITY_JOIN_REQUEST = defineCommand({
  scope: anyOf('rpc', LOCAL_SCOPE),
  about: ['invitations to play'],
  errors: [4012],
  args: invitee,
  result: nothing,
});

/** Alias of CLOSE_ACTIVITY_JOIN_REQUEST in older documents and libraries. */
export const CLOSE_ACTIVITY_REQUEST = defineCommand({
  scope: anyOf('rpc', LOCAL_SCOPE),
  about: ['invitations to play'],
  errors: [4012],
  args: invitee,
  result: nothing,
});

/** Invites a user to the activity. Errors 4010 (unknown user), 5006 (no activity with party and join secret). */
export const ACTIVITY_INVITE_USER = defineCommand({
  scope: anyOf('rpc', LOCAL_SCOPE),
  about: ['invitations to play'],
  errors: [4010, 5006],
  args: () =>
    z.object({
      user_id: snowflake(),
      type: z.literal(1),
      content: z.optional(z.string().check(z.maxLength(1024))),
      pid: z.int().check(z.gte(0)),
    }),
  result: nothing,
});

/**
 * Accepts an invite that an ACTIVITY_INVITE event announced. Error 4011 when the invite has expired or was never sent.
 */
export const ACCEPT_ACTIVITY_INVITE = defineCommand({
  scope: anyOf('rpc', LOCAL_SCOPE),
  about: ['invitations to play'],
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
