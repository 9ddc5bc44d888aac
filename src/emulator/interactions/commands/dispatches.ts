import { type Dispatched, defineDispatch } from '../../api/dispatch.ts';
import { commandPermissionsAnswer, commandPermissionsShape } from './answers.ts';
import type { CommandPermissions } from './records.ts';

function dispatchOf(row: CommandPermissions): Dispatched {
  return {
    guild: row.guild,
    canSee: ({ kind, application }) => kind === 'bot' && application.id === row.application,
    data: () => commandPermissionsAnswer(row),
  };
}

/** Gateway events of commands, for their application. */
export const commandDispatches = [
  defineDispatch({
    event: 'APPLICATION_COMMAND_PERMISSIONS_UPDATE',
    summary: 'A guild changed the permissions of one or all commands of the application.',
    intents: [],
    tables: ['command_permissions'],
    shape: commandPermissionsShape,
    ours: 'Removed permissions are sent as an empty list, unless the command or the guild was removed as well.',
    derive: (commit, { world: { tables } }) => {
      const { created, updated, removed } = commit.of('command_permissions');
      const lifted = removed.filter(
        ({ guild, command, application }) =>
          tables.guilds.has(guild) && (command === application || tables.commands.has(command)),
      );
      return [
        ...created.map(dispatchOf),
        ...updated.map(({ after }) => dispatchOf(after)),
        ...lifted.map((row) => dispatchOf({ ...row, permissions: [] })),
      ];
    },
  }),
];
