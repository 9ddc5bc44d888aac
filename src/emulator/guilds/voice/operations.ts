import * as z from 'zod';
import { nameArg, noArgs, operatorOperationsFor, USER_ARG } from '../../api/operator.ts';
import type { Client } from '../client/client.ts';
import type { Calls } from './calls.ts';
import type { VoiceConnection } from './connection.ts';
import type { VoiceSettings } from './settings-schema.ts';

const operation = operatorOperationsFor<{
  readonly calls: Pick<Calls, 'join' | 'leave' | 'speak' | 'setOwn'>;
  readonly client: Pick<Client, 'state' | 'set' | 'overlay' | 'setOverlay'>;
  readonly voiceConnection: Pick<VoiceConnection, 'status'>;
  /** Sets one voice setting: its dotted key and its value as typed text. */
  setVoice(key: string, value: string): VoiceSettings;
  voiceSettings(): VoiceSettings;
}>();

const device = () =>
  z.object({
    device_id: z.string(),
    volume: z.number(),
    available_devices: z.array(z.object({ id: z.string(), name: z.string() })),
  });

const voiceSettings = () =>
  z.object({
    input: device(),
    output: device(),
    mode: z.object({
      type: z.enum(['PUSH_TO_TALK', 'VOICE_ACTIVITY']),
      auto_threshold: z.boolean(),
      threshold: z.number(),
      shortcut: z.array(z.object({ type: z.number(), code: z.number(), name: z.string() })),
      delay: z.number(),
    }),
    automatic_gain_control: z.boolean(),
    echo_cancellation: z.boolean(),
    noise_suppression: z.boolean(),
    qos: z.boolean(),
    silence_warning: z.boolean(),
    deaf: z.boolean(),
    mute: z.boolean(),
  });

/** Each value with its dotted key. */
function rowsOf(settings: object, prefix = ''): readonly (readonly [key: string, value: string])[] {
  return Object.entries(settings).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? rowsOf(value, `${prefix}${key}.`)
      : [[`${prefix}${key}`, typeof value === 'string' ? value : JSON.stringify(value)] as const],
  );
}

const ownArgs = () => z.object({ user: nameArg(), on: z.boolean() });
const OWN_SYNTAX = {
  user: USER_ARG,
  on: { name: 'on|off', help: 'begin or stop', choices: { on: true, off: false } },
} as const;

/** Operator operations for calls, voice settings and the overlay. Users and channels are named by id or name. */
export const voiceOperations = [
  operation({
    name: 'voice.get',
    summary: 'The voice settings of the logged-in user',
    args: noArgs,
    result: voiceSettings,
    command: {
      name: 'voice get',
      examples: [['voice get', 'Each setting, with the key that "emulator voice set" takes']],
      resultText: (settings) => [['KEY', 'VALUE'], ...rowsOf(settings)],
    },
    run: (emulator) => emulator.voiceSettings(),
  }),
  operation({
    name: 'voice.set',
    summary: 'Change one voice setting',
    about: 'Keys are for example `mute` and `input.volume`. The result is all voice settings.',
    args: () =>
      z.object({
        key: z.string().check(z.maxLength(64)),
        value: z.union([z.string().check(z.maxLength(1024)), z.number(), z.boolean()]),
      }),
    result: voiceSettings,
    command: {
      name: 'voice set',
      summary: 'Change one voice setting of the emulator',
      syntax: {
        key: { name: 'KEY', help: 'for example mute, input.volume or mode.type', completes: 'voice-keys' },
        value: { name: 'VALUE', help: 'for example true, 55 or PUSH_TO_TALK' },
      },
      examples: [
        ['voice set mute true', 'Every app that listens is told'],
        ['voice set input.volume 55', 'A volume'],
        ['voice set mode.type PUSH_TO_TALK', 'Another mode'],
      ],
      resultText: () => 'Done.',
    },
    // The command line passes text; a test passes the value itself.
    run: (emulator, { key, value }) => emulator.setVoice(key, String(value)),
  }),
  operation({
    name: 'voice.join',
    summary: 'Move a user into a voice channel, from any other',
    args: () => z.object({ user: nameArg(), channel: nameArg() }),
    result: () => z.object({ user: z.string(), channel: z.string() }),
    command: {
      name: 'join',
      syntax: {
        user: USER_ARG,
        channel: { name: 'CHANNEL', help: 'id or name of a voice channel', completes: 'voice-channels' },
      },
      examples: [
        ['join otter Lounge', 'By name'],
        ['join 200000000000000003 500000000000000005', 'By id'],
      ],
      resultText: ({ user, channel }) => `${user} is in ${channel}.`,
    },
    run({ calls, lookup }, { user, channel }) {
      const { id, username } = lookup.user(user);
      return { user: username, channel: calls.join(id, lookup.voiceChannel(channel).id).name };
    },
  }),
  operation({
    name: 'voice.leave',
    summary: 'Disconnect a user from their voice channel',
    args: () => z.object({ user: nameArg() }),
    result: () => z.object({ user: z.string(), left: z.boolean() }),
    command: {
      name: 'leave',
      syntax: { user: USER_ARG },
      examples: [['leave otter', 'Whatever channel they are in']],
      resultText: ({ user, left }) => `${user} ${left ? 'has left' : 'was in no voice channel'}.`,
    },
    run({ calls, lookup }, { user }) {
      const { id, username } = lookup.user(user);
      return { user: username, left: calls.leave(id) };
    },
  }),
  operation({
    name: 'voice.speak',
    summary: 'Set whether a user in a voice channel is speaking',
    args: () => z.object({ user: nameArg(), on: z.boolean() }),
    result: () => z.object({ user: z.string(), speaking: z.boolean() }),
    command: {
      name: 'speak',
      syntax: {
        user: USER_ARG,
        on: { name: 'on|off', help: 'begin or stop', choices: { on: true, off: false } },
      },
      examples: [
        ['speak otter on', 'SPEAKING_START for all subscribers'],
        ['speak otter off', 'SPEAKING_STOP'],
      ],
      resultText: ({ user, speaking }) => `${user} ${speaking ? 'speaks' : 'is silent'}.`,
    },
    run({ calls, lookup }, { user, on }) {
      const { id, username } = lookup.user(user);
      calls.speak(id, on);
      return { user: username, speaking: on };
    },
  }),
  operation({
    name: 'voice.mute',
    summary: 'Let a user in a voice channel mute themselves, or unmute',
    about: 'For the logged-in user it is the voice setting `mute`.',
    args: ownArgs,
    result: () => z.object({ user: z.string(), muted: z.boolean() }),
    command: {
      name: 'mute',
      syntax: OWN_SYNTAX,
      examples: [['mute river on', 'The logged-in user, in a channel or not']],
      resultText: ({ user, muted }) => `${user} is ${muted ? '' : 'not '}muted.`,
    },
    run({ calls, lookup }, { user, on }) {
      const { id, username } = lookup.user(user);
      calls.setOwn(id, { self_mute: on });
      return { user: username, muted: on };
    },
  }),
  operation({
    name: 'voice.deafen',
    summary: 'Let a user in a voice channel deafen themselves, or hear again',
    about: 'For the logged-in user it is the voice setting `deaf`.',
    args: ownArgs,
    result: () => z.object({ user: z.string(), deafened: z.boolean() }),
    command: {
      name: 'deafen',
      syntax: OWN_SYNTAX,
      examples: [['deafen river on', 'The logged-in user, in a channel or not']],
      resultText: ({ user, deafened }) => `${user} is ${deafened ? '' : 'not '}deafened.`,
    },
    run({ calls, lookup }, { user, on }) {
      const { id, username } = lookup.user(user);
      calls.setOwn(id, { self_deaf: on });
      return { user: username, deafened: on };
    },
  }),
  operation({
    name: 'voice.network',
    summary: 'Interrupt the network of the voice connection, or restore it',
    args: () => z.object({ state: z.enum(['drop', 'restore']) }),
    result: () => z.object({ network: z.enum(['up', 'down']), connection: z.string() }),
    command: {
      name: 'voice network',
      syntax: {
        state: {
          name: 'drop|restore',
          help: 'state of the network to simulate',
          choices: ['drop', 'restore'],
        },
      },
      details: [
        'The effect on an app depends on the fixture key client.sdk_release: from 1.6 on a call reconnects, before it does not.',
      ],
      examples: [
        ['voice network drop', 'Does the app survive it?'],
        ['voice network restore', 'And come back?'],
      ],
      resultText: ({ network, connection }) =>
        `The network is ${network}; the voice connection is ${connection}.`,
    },
    run({ client, voiceConnection }, { state }) {
      client.set({ network: state === 'drop' ? 'down' : 'up' });
      return { network: client.state.network, connection: voiceConnection.status.state };
    },
  }),
  operation({
    name: 'overlay.set',
    summary: 'Turn the overlay over a process on or off, lock or unlock it',
    args: () =>
      z.object({
        pid: z.int().check(z.gte(0), z.lte(2147483647)),
        enabled: z.optional(z.boolean()),
        locked: z.optional(z.boolean()),
      }),
    result: () => z.object({ pid: z.number(), enabled: z.boolean(), locked: z.boolean() }),
    run({ client }, { pid, enabled, locked }) {
      const old = client.overlay(pid);
      const overlay = { pid, enabled: enabled ?? old.enabled, locked: locked ?? old.locked };
      client.setOverlay(overlay);
      return overlay;
    },
  }),
] as const;
