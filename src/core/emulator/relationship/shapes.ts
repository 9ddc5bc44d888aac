import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { presenceOf } from '../../../emulator/users/presence/statuses.ts';
import type { Relationship } from '../../../emulator/users/relationships/records.ts';
import type { EventDataOf } from '../../../protocol/registry.ts';
import { rpcUser } from '../user/shapes.ts';

/**
 * Relationship with the user's presence in the application of the requesting app; undefined when the user no longer
 * exists.
 */
export function rpcRelationship(
  emulator: Emulator,
  { user: userId, type }: Relationship,
  clientId: string,
): EventDataOf<'RELATIONSHIP_UPDATE'> | undefined {
  const user = emulator.user(userId);
  if (user === undefined) return undefined;
  const { status, activities } = presenceOf(emulator.tables, userId);
  const own = activities.find((one) => one['application_id'] === clientId);
  const activity =
    own === undefined ? null : { ...own, name: own.name || (emulator.application(clientId)?.name ?? '') };
  return { type, user: rpcUser(user), presence: { status, activity } };
}
