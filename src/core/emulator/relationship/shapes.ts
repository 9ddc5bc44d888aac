import type { Emulator } from '../../../emulator/emulator.ts';
import type { Relationship } from '../../../emulator/relationships/records.ts';
import type { EventDataOf } from '../../../protocol/registry.ts';
import { rpcUser } from '../user/shapes.ts';

/** Relationship with the presence in the application that asks; undefined when the user is gone. */
export function rpcRelationship(
  emulator: Emulator,
  { user: userId, type, status, activity }: Relationship,
  clientId: string,
): EventDataOf<'RELATIONSHIP_UPDATE'> | undefined {
  const user = emulator.user(userId);
  if (user === undefined) return undefined;
  const own = activity?.application === clientId ? activity : null;
  const shown = own && {
    application_id: clientId,
    name: own.name ?? emulator.application(clientId)?.name ?? '',
    type: 0,
    ...(own.details === null ? {} : { details: own.details }),
    ...(own.state === null ? {} : { state: own.state }),
  };
  return { type, user: rpcUser(user), presence: { status, activity: shown } };
}
