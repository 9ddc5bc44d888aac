import { defineCommand } from '../command.ts';
import { changeEmulator } from './emulator-change.ts';

/** `footbridge emulator onboard ID USER ANSWER…`. */
export const emulatorOnboard = defineCommand({
  name: 'emulator onboard',
  summary: 'Have a member answer the questions of a guild, and get the roles of what they chose',
  group: 'emulator',
  positionals: [
    { name: 'ID', help: 'id of the guild', arity: 'one', completes: 'guilds' },
    { name: 'USER', help: 'id or username', arity: 'one', completes: 'users' },
    { name: 'ANSWER', help: 'id or title of each answer that they choose', arity: 'many' },
  ],
  json: true,
  examples: [
    ['footbridge emulator onboard 400000000000000001 otter "Tug boats"', 'Their only answer, by its title'],
  ],
  run({ positionals: [guild, user, ...options], json }, io) {
    return changeEmulator<{ user: string; roles: readonly string[] }>(io, json, {
      operation: 'guild.onboard',
      args: { guild, user, options },
      say: ({ user: name, roles }) => `${name} has answered, and has ${roles.length} roles now.`,
    });
  },
});
