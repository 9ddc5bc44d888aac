import { ApiError } from '../../api/api-error.ts';
import type { Reading, Writing } from '../../api/world.ts';
import type { Role } from './records.ts';

/** A role of the guild. @throws ApiError 10011 for an unknown role. */
export function roleIn({ roles }: Reading, guildId: string, roleId: string): Role {
  const role = roles.get(roleId);
  if (role === undefined || role.guild !== guildId) throw new ApiError('UnknownRole');
  return role;
}

/**
 * Compares two roles of a guild: positive when the first is above. At equal positions the older one is above, and
 * @everyone is below all.
 */
export function compareRoles(a: Role, b: Role): number {
  if (a.position !== b.position) return a.position - b.position;
  if (a.id === b.id) return 0;
  if (a.id === a.guild) return -1;
  if (b.id === b.guild) return 1;
  return BigInt(a.id) < BigInt(b.id) ? 1 : -1;
}

/** Roles of a guild in ascending order; the lowest is @everyone. */
export function rolesInOrder({ roles }: Reading, guildId: string): Role[] {
  return [...roles.by('guild', guildId)].sort(compareRoles);
}

/** Inserts a new role directly above @everyone; all roles above it move up. */
export function insertRole(tables: Writing, role: Role): void {
  for (const [index, other] of rolesInOrder(tables, role.guild).entries()) {
    const position = index === 0 ? 0 : index + 1;
    if (other.position !== position) tables.roles.update(other.id, { position });
  }
  tables.roles.insert({ ...role, position: 1 });
}

/**
 * Moves roles to new positions, given by the roles' ids. The other roles keep their order, and the positions have no
 * gaps.
 */
export function moveRoles(
  tables: Writing,
  guildId: string,
  positions: ReadonlyMap<string, number | undefined>,
): void {
  const [everyone, ...others] = rolesInOrder(tables, guildId);
  const goal = ({ id }: Role): number | undefined => positions.get(id);
  const order = others.filter((role) => goal(role) === undefined);
  const moved = others.filter((role) => goal(role) !== undefined);
  moved.sort((a, b) => (goal(a) ?? 0) - (goal(b) ?? 0) || compareRoles(a, b));
  for (const role of moved) order.splice(Math.max(0, (goal(role) ?? 1) - 1), 0, role);
  const all = everyone === undefined ? order : [everyone, ...order];
  for (const [position, role] of all.entries()) {
    if (role.position !== position) tables.roles.update(role.id, { position });
  }
}
