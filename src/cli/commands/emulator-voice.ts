import { type CliPositional, defineCommand } from '../command.ts';
import { changeEmulator } from './emulator-change.ts';

const USER: CliPositional = { name: 'USER', help: 'id or username', arity: 'one', completes: 'users' };

/** `footbridge emulator join USER CHANNEL`. */
export const emulatorJoin = defineCommand({
  name: 'emulator join',
  summary: 'Put a user into a voice channel, out of any other',
  group: 'emulator',
  positionals: [
    USER,
    { name: 'CHANNEL', help: 'id or name of a voice channel', arity: 'one', completes: 'voice-channels' },
  ],
  json: true,
  examples: [
    ['footbridge emulator join otter Lounge', 'By name'],
    ['footbridge emulator join 200000000000000003 500000000000000005', 'By id'],
  ],
  run({ positionals: [user, channel], json }, io) {
    return changeEmulator<{ user: string; channel: string }>(io, json, {
      operation: 'voice.join',
      args: { user, channel },
      say: (answer) => `${answer.user} is in ${answer.channel}.`,
    });
  },
});

/** `footbridge emulator leave USER`. */
export const emulatorLeave = defineCommand({
  name: 'emulator leave',
  summary: 'Take a user out of their voice channel',
  group: 'emulator',
  positionals: [USER],
  json: true,
  examples: [['footbridge emulator leave otter', 'Whatever channel they are in']],
  run({ positionals: [user], json }, io) {
    return changeEmulator<{ user: string; left: boolean }>(io, json, {
      operation: 'voice.leave',
      args: { user },
      say: ({ user: name, left }) => `${name} ${left ? 'has left' : 'was in no voice channel'}.`,
    });
  },
});

/** `footbridge emulator speak USER on|off`. */
export const emulatorSpeak = defineCommand({
  name: 'emulator speak',
  summary: 'Make a user in a voice channel begin or stop to speak',
  group: 'emulator',
  positionals: [USER, { name: 'on|off', help: 'begin or stop', arity: 'one', choices: ['on', 'off'] }],
  json: true,
  examples: [
    ['footbridge emulator speak otter on', 'SPEAKING_START for whoever listens'],
    ['footbridge emulator speak otter off', 'SPEAKING_STOP'],
  ],
  run({ positionals: [user, state], json }, io) {
    return changeEmulator<{ user: string }>(io, json, {
      operation: 'voice.speak',
      args: { user, on: state === 'on' },
      say: (answer) => `${answer.user} ${state === 'on' ? 'speaks' : 'is silent'}.`,
    });
  },
});

/** `footbridge emulator voice network drop|restore`. */
export const emulatorVoiceNetwork = defineCommand({
  name: 'emulator voice network',
  summary: 'Interrupt the network of the voice connection, or restore it',
  group: 'emulator',
  positionals: [
    { name: 'drop|restore', help: 'what happens to the network', arity: 'one', choices: ['drop', 'restore'] },
  ],
  json: true,
  details: [
    'What an app sees depends on the fixture key client.sdk_release: from 1.6 on a call reconnects, before it does not.',
  ],
  examples: [
    ['footbridge emulator voice network drop', 'Does the app survive it?'],
    ['footbridge emulator voice network restore', 'And come back?'],
  ],
  run({ positionals: [state], json }, io) {
    return changeEmulator<{ network: string; connection: string }>(io, json, {
      operation: 'voice.network',
      args: { state },
      say: ({ network, connection }) => `The network is ${network}; the voice connection is ${connection}.`,
    });
  },
});

/** `footbridge emulator say CHANNEL TEXT`. */
export const emulatorSay = defineCommand({
  name: 'emulator say',
  summary: 'Write a message in a text channel, or to somebody in private',
  group: 'emulator',
  positionals: [
    {
      name: 'CHANNEL',
      help: 'id or name of a text channel, or @USER',
      arity: 'one',
      completes: 'text-channels',
    },
    { name: 'TEXT', help: 'what to write; <@ID> mentions a user', arity: 'one' },
  ],
  options: {
    as: {
      type: 'string',
      value: 'USER',
      completes: 'users',
      help: 'who writes it; the logged-in user unless given',
    },
  },
  json: true,
  examples: [
    ["footbridge emulator say general 'Who is up for a round?'", 'As the logged-in user'],
    [
      "footbridge emulator say general 'Look at this, <@200000000000000001>' --as heron",
      'As somebody else, with a mention',
    ],
    ["footbridge emulator say @heron 'Are you there?' --as otter", 'In the private channel of the two'],
  ],
  run({ positionals: [channel, text], values, json }, io) {
    return changeEmulator<{ id: string }>(io, json, {
      operation: 'channel.say',
      args: { channel, text, ...(values.as === undefined ? {} : { author: values.as }) },
      say: ({ id }) => `Message ${id} is written.`,
    });
  },
});
