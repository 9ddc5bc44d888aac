import type { Reading, Writing } from '../world.ts';
import type { Role } from './role-records.ts';

/**
 * Compares two roles of a guild: positive when the first stands above. Of two at one position the older one does, and the
 * role of everybody stands below all.
 */
function compareRoles(a: Role, b: Role): number {
  if (a.position !== b.position) return a.position - b.position;
  if (a.id === b.id) return 0;
  if (a.id === a.guild) return -1;
  if (b.id === b.guild) return 1;
  return BigInt(a.id) < BigInt(b.id) ? 1 : -1;
}

/** The roles of a guild from the lowest, which is that of everybody, to the highest. */
export function rolesInOrder({ roles }: Reading, guildId: string): Role[] {
  return [...roles.by('guild', guildId)].sort(compareRoles);
}

/** Puts a new role directly above that of everybody; the others move up. */
export function insertRole(tables: Writing, role: Role): void {
  for (const [index, other] of rolesInOrder(tables, role.guild).entries()) {
    const position = index === 0 ? 0 : index + 1;
    if (other.position !== position) tables.roles.update(other.id, { position });
  }
  tables.roles.insert({ ...role, position: 1 });
}
