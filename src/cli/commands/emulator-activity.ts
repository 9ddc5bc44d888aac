import { type CliPositional, defineCommand } from '../command.ts';
import { changeEmulator } from './emulator-change.ts';

const USER: CliPositional = { name: 'USER', help: 'id or username', arity: 'one' };
const APP: CliPositional = { name: 'APP', help: 'id or exact name of the application', arity: 'one' };

const reached = ({ sessions }: { readonly sessions: number }): string =>
  sessions === 0
    ? 'No connected app has subscribed to it.'
    : `It went to ${sessions} connected ${sessions === 1 ? 'app' : 'apps'}.`;

/** `footbridge emulator activity invite USER APP`. */
export const emulatorActivityInvite = defineCommand({
  name: 'emulator activity invite',
  summary: 'Let a user invite the logged-in user to their game (ACTIVITY_INVITE)',
  positionals: [USER, APP],
  json: true,
  run({ positionals: [user, app], json }, io) {
    return changeEmulator(io, json, { operation: 'activity.invite', args: { user, app }, say: reached });
  },
});

/** `footbridge emulator activity request-join USER APP`. */
export const emulatorActivityRequestJoin = defineCommand({
  name: 'emulator activity request-join',
  summary: 'Let a user ask to join what the logged-in user plays (ACTIVITY_JOIN_REQUEST)',
  positionals: [USER, APP],
  json: true,
  run({ positionals: [user, app], json }, io) {
    return changeEmulator(io, json, {
      operation: 'activity.request-join',
      args: { user, app },
      say: reached,
    });
  },
});

/** `footbridge emulator activity join APP`. */
export const emulatorActivityJoin = defineCommand({
  name: 'emulator activity join',
  summary: "Let the user join the party of an application's activity (ACTIVITY_JOIN)",
  positionals: [APP],
  json: true,
  run({ positionals: [app], json }, io) {
    return changeEmulator(io, json, { operation: 'activity.join', args: { app }, say: reached });
  },
});

/** `footbridge emulator activity spectate APP`. */
export const emulatorActivitySpectate = defineCommand({
  name: 'emulator activity spectate',
  summary: "Let the user watch the game of an application's activity (ACTIVITY_SPECTATE)",
  positionals: [APP],
  json: true,
  run({ positionals: [app], json }, io) {
    return changeEmulator(io, json, { operation: 'activity.spectate', args: { app }, say: reached });
  },
});
