import { defineCommand } from '../command.ts';
import { changeEmulator } from './emulator-change.ts';

interface Launched {
  readonly instance: string;
  readonly users: readonly string[];
  readonly address: string | null;
}

/** `footbridge emulator activity launch APP`. */
export const emulatorActivityLaunch = defineCommand({
  name: 'emulator activity launch',
  summary: 'Launch the activity of an application, and print the address of the page that shows it',
  group: 'emulator',
  positionals: [
    { name: 'APP', help: 'id or exact name of the application', arity: 'one', completes: 'applications' },
  ],
  options: {
    channel: {
      type: 'string',
      value: 'CHANNEL',
      completes: 'voice-channels',
      help: 'id or name of the channel; where the logged-in user talks, or the first they see, unless given',
    },
    as: {
      type: 'string',
      value: 'USER',
      completes: 'users',
      help: 'who launches it or comes in; the logged-in user unless given, who alone gets a page',
    },
  },
  json: true,
  examples: [
    ["footbridge emulator activity launch 'Harbour Example'", 'Open in a browser what it prints'],
    [
      "footbridge emulator activity launch 'Harbour Example' --channel Lounge --as heron",
      'Somebody else comes into the one in that channel',
    ],
  ],
  run({ positionals: [app], values: { channel, as: user }, json }, io) {
    return changeEmulator<Launched>(io, json, {
      operation: 'activity.launch',
      args: { app, ...(channel === undefined ? {} : { channel }), ...(user === undefined ? {} : { user }) },
      say: ({ address, instance, users }) =>
        address ??
        `They are in ${instance} now, with ${users.length} ${users.length === 1 ? 'user' : 'users'} in all. ` +
          'There is no page to open: the client here is that of the logged-in user, who gets one without --as, ' +
          'or as another user after footbridge emulator user switch USER.',
    });
  },
});

/** `footbridge emulator activity leave INSTANCE`. */
export const emulatorActivityLeave = defineCommand({
  name: 'emulator activity leave',
  summary: 'Take a user out of an activity, which ends with the last',
  group: 'emulator',
  positionals: [{ name: 'INSTANCE', help: 'id that the launch answered with --json', arity: 'one' }],
  options: {
    as: {
      type: 'string',
      value: 'USER',
      completes: 'users',
      help: 'who leaves; the logged-in user unless given',
    },
  },
  json: true,
  examples: [
    [
      'footbridge emulator activity leave i-1461234567890123456-gc-400000000000000001-500000000000000001',
      'The page of the logged-in user ends',
    ],
  ],
  run({ positionals: [instance], values: { as: user }, json }, io) {
    return changeEmulator<{ readonly left: string }>(io, json, {
      operation: 'activity.leave',
      args: { instance, ...(user === undefined ? {} : { user }) },
      say: ({ left }) => `User ${left} has left.`,
    });
  },
});
