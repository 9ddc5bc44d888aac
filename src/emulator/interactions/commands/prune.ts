import type { StateRule } from '../../api/world.ts';
import { type CommandPermissions, PERMISSION_TYPES } from './records.ts';

const { role, user, channel } = PERMISSION_TYPES;

/** Removes deleted roles, users and channels from command permissions. */
export const pruneCommandPermissions: StateRule = ({ command_permissions: table }, commit, restoring) => {
  if (restoring || !commit.touches('roles', 'users', 'channels')) return;
  const removedKeys = new Set([
    ...commit.of('roles').removed.map(({ id }) => `${role} ${id}`),
    ...commit.of('users').removed.map(({ id }) => `${user} ${id}`),
    ...commit.of('channels').removed.map(({ id }) => `${channel} ${id}`),
  ]);
  if (removedKeys.size === 0) return;
  const stays = ({ type, id }: CommandPermissions['permissions'][number]): boolean =>
    !removedKeys.has(`${type} ${id}`);
  for (const row of [...table]) {
    const permissions = row.permissions.filter(stays);
    const key = `${row.guild} ${row.command}`;
    if (permissions.length === row.permissions.length) continue;
    if (permissions.length === 0) table.remove(key);
    else table.update(key, { permissions });
  }
};
