import * as z from 'zod';
import { ErrorCode } from '../../wire/codes.ts';
import { defineCommand } from '../command.ts';
import { RpcError } from '../errors.ts';
import { anyOf, LOCAL_SCOPE } from '../scope.ts';
import { activity, shownActivity } from '../shapes/activity.ts';

/** Sets or clears (null or absent `activity`) this connection's presence; `pid` is the app's process. */
export const SET_ACTIVITY = defineCommand({
  scope: anyOf('rpc', 'rpc.activities.write', LOCAL_SCOPE),
  args: () => z.object({ pid: z.int().min(0).nullish(), activity: activity().nullish() }),
  result: () => shownActivity().nullable(),
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
