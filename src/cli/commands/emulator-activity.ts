import { type CliPositional, defineCommand } from '../command.ts';
import { changeEmulator } from './emulator-change.ts';

const USER: CliPositional = { name: 'USER', help: 'id or username', arity: 'one', completes: 'users' };
const APP: CliPositional = {
  name: 'APP',
  help: 'id or exact name of the application',
  arity: 'one',
  completes: 'applications',
};

const reached = ({ sessions }: { readonly sessions: number }): string =>
  sessions === 0
    ? 'No connected app has subscribed to it.'
    : `It went to ${sessions} connected ${sessions === 1 ? 'app' : 'apps'}.`;

/** `footbridge emulator activity invite USER APP`. */
export const emulatorActivityInvite = defineCommand({
  name: 'emulator activity invite',
  summary: 'Let a user invite the logged-in user to their game (ACTIVITY_INVITE)',
  group: 'emulator',
  positionals: [USER, APP],
  json: true,
  examples: [["footbridge emulator activity invite heron 'Harbour Example'", 'Come and play']],
  run({ positionals: [user, app], json }, io) {
    return changeEmulator(io, json, { operation: 'activity.invite', args: { user, app }, say: reached });
  },
});

/** `footbridge emulator activity request-join USER APP`. */
export const emulatorActivityRequestJoin = defineCommand({
  name: 'emulator activity request-join',
  summary: 'Let a user ask to join what the logged-in user plays (ACTIVITY_JOIN_REQUEST)',
  group: 'emulator',
  positionals: [USER, APP],
  json: true,
  examples: [["footbridge emulator activity request-join heron 'Harbour Example'", 'May I come along?']],
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
  group: 'emulator',
  positionals: [APP],
  json: true,
  examples: [
    [
      "footbridge emulator activity join 'Harbour Example'",
      'The app gets the join secret of its own activity',
    ],
  ],
  run({ positionals: [app], json }, io) {
    return changeEmulator(io, json, { operation: 'activity.join', args: { app }, say: reached });
  },
});

/** `footbridge emulator activity spectate APP`. */
export const emulatorActivitySpectate = defineCommand({
  name: 'emulator activity spectate',
  summary: "Let the user watch the game of an application's activity (ACTIVITY_SPECTATE)",
  group: 'emulator',
  positionals: [APP],
  json: true,
  examples: [
    [
      "footbridge emulator activity spectate 'Harbour Example'",
      'The app gets the spectate secret of its own activity',
    ],
  ],
  run({ positionals: [app], json }, io) {
    return changeEmulator(io, json, { operation: 'activity.spectate', args: { app }, say: reached });
  },
});
