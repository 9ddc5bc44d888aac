import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { ResultOf } from '../../../protocol/registry.ts';
import type { AppSession } from '../app-session.ts';
import { rpcUser } from '../user/shapes.ts';

/** Who takes part in the activity of an app: in its instance, or in any where it does not run in the frame of one. */
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
