import { defineCommand } from '../command.ts';
import { changeEmulator } from './emulator-change.ts';

interface LoggedIn {
  readonly user: { readonly id: string; readonly username: string };
  readonly loggedIn: boolean;
}

const whoIsIn = ({ user, loggedIn }: LoggedIn): string =>
  loggedIn ? `${user.username} (${user.id}) is logged in.` : 'Nobody is logged in.';

/** `footbridge emulator friend USER STATUS`. */
export const emulatorFriend = defineCommand({
  name: 'emulator friend',
  summary: 'Make a user a friend of the logged-in user, or change their status',
  group: 'emulator',
  positionals: [
    { name: 'USER', help: 'id or username', arity: 'one', completes: 'users' },
    {
      name: 'STATUS',
      help: 'online, idle, dnd, offline; none ends the friendship',
      arity: 'one',
      choices: ['online', 'idle', 'dnd', 'offline', 'none'],
    },
  ],
  options: {
    type: {
      type: 'string',
      value: 'TYPE',
      choices: ['friend', 'blocked', 'incoming', 'outgoing', 'implicit'],
      help: 'friend, blocked, incoming, outgoing or implicit; friend unless they are listed already',
    },
  },
  json: true,
  examples: [
    ['footbridge emulator friend otter idle', 'A friend who is away'],
    ['footbridge emulator friend otter online --type incoming', 'Somebody who asks to be a friend'],
    ['footbridge emulator friend heron none', 'Friends no longer'],
  ],
  run({ positionals: [user, status], values, json }, io) {
    return changeEmulator(io, json, {
      operation: 'relationship.set',
      args: { user, status, ...(values.type === undefined ? {} : { type: values.type }) },
      say: () => (status === 'none' ? `${user} is on the list no longer.` : `${user} is ${status}.`),
    });
  },
});

/** `footbridge emulator user switch ID`. */
export const emulatorUserSwitch = defineCommand({
  name: 'emulator user switch',
  summary: 'Log another user in; every app is disconnected and comes back as that user',
  group: 'emulator',
  positionals: [{ name: 'ID', help: 'id or username', arity: 'one', completes: 'users' }],
  json: true,
  examples: [['footbridge emulator user switch heron', 'Go on as somebody else']],
  run({ positionals: [id], json }, io) {
    return changeEmulator(io, json, { operation: 'user.switch', args: { id }, say: whoIsIn });
  },
});

/** `footbridge emulator user log-in [ID]`. */
export const emulatorUserLogIn = defineCommand({
  name: 'emulator user log-in',
  summary: 'Log a user in, the last one unless told',
  group: 'emulator',
  positionals: [{ name: 'ID', help: 'id or username', arity: 'optional', completes: 'users' }],
  json: true,
  examples: [
    ['footbridge emulator user log-in', 'As whoever was logged in last'],
    ['footbridge emulator user log-in heron', 'As somebody else'],
  ],
  run({ positionals: [id], json }, io) {
    const args = id === undefined ? {} : { id };
    return changeEmulator(io, json, { operation: 'user.log-in', args, say: whoIsIn });
  },
});

/** `footbridge emulator user log-out`. */
export const emulatorUserLogOut = defineCommand({
  name: 'emulator user log-out',
  summary: 'Log the user out; every app is disconnected and none gets in until somebody logs in',
  group: 'emulator',
  json: true,
  examples: [['footbridge emulator user log-out', 'What does the app do without a user?']],
  run({ json }, io) {
    return changeEmulator(io, json, { operation: 'user.log-out', args: {}, say: whoIsIn });
  },
});

/** `footbridge emulator sign-in`. */
export const emulatorSignIn = defineCommand({
  name: 'emulator sign-in',
  summary: 'Print an address that signs a browser in, so that an Allow on a page counts there',
  group: 'emulator',
  positionals: [],
  json: true,
  examples: [['footbridge emulator sign-in', 'Good once, for ten minutes']],
  run({ json }, io) {
    return changeEmulator(io, json, {
      operation: 'sign-in',
      args: {},
      say: ({ address }: { readonly address: string }) => address,
    });
  },
});
