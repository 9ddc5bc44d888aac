import type { Emulator } from '../../../emulator/emulator.ts';
import type { ResultOf } from '../../../protocol/registry.ts';
import { rpcUser } from '../user/shapes.ts';

/** Who takes part in an application's embedded activity. */
export function participants(
  emulator: Emulator,
  clientId: string,
): ResultOf<'GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS'> {
  return {
    participants: emulator.store.participants(clientId).map((user) => ({
      ...rpcUser(user),
      nickname: user.global_name ?? user.username,
    })),
  };
}
