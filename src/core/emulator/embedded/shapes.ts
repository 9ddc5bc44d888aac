import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { ResultOf } from '../../../protocol/registry.ts';
import type { AppSession } from '../app-session.ts';
import { rpcUser } from '../user/shapes.ts';

/** Participants of an app's activity: of the app's instance, or of any instance for an app outside a frame. */
export function participants(
  emulator: Emulator,
  { clientId, instance: id }: Pick<AppSession, 'clientId' | 'instance'>,
): ResultOf<'GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS'> {
  const instance = id === undefined ? undefined : emulator.activities.instance(clientId, id);
  const users =
    instance === undefined
      ? emulator.store.participants(clientId)
      : emulator.activities.users(instance).flatMap((user) => emulator.user(user) ?? []);
  return {
    participants: users.map((user) => ({
      ...rpcUser(user),
      nickname: user.global_name ?? user.username,
    })),
  };
}
