import { protocolSchema } from './reference.ts';
import { describeRule, type ScopeRule } from './scope.ts';
import * as activity from './shapes/activity.ts';
import * as common from './shapes/common.ts';
import * as guild from './shapes/guild.ts';
import * as message from './shapes/message.ts';
import * as relationship from './shapes/relationship.ts';
import * as store from './shapes/store.ts';
import * as voice from './shapes/voice.ts';
import { type NamedShapes, TypeWriter } from './type-writer.ts';

const HEADER = `// Generated from the protocol's declarations: \`npm run gen\` writes it. Do not edit.
// biome-ignore-all format: one line a command is easier to search
`;

/** Shapes that get their own type name, with their direction; all other shapes are written where they occur. */
const NAMED: NamedShapes = {
  Activity: [activity.activity, 'input', 'Activity as an app sets it; lengths in UTF-16 units.'],
  ShownActivity: [activity.activityView, 'output', 'Activity as others see it.'],
  User: [common.user, 'output', 'A user account.'],
  Ready: [common.ready, 'output', '`data` of READY.'],
  PartialGuild: [guild.partialGuild, 'output', 'Guild in a list.'],
  Guild: [guild.guild, 'output', 'One guild.'],
  PartialChannel: [guild.partialChannel, 'output', 'Channel in a list.'],
  VoiceState: [guild.voiceState, 'output', "Somebody's voice state; `mute`, `volume` and `pan` are local."],
  Channel: [guild.channel, 'output', 'One channel.'],
  Message: [message.message, 'output', 'Message of a text channel.'],
  Relationship: [
    relationship.relationship,
    'output',
    'Somebody the user knows: 0 none, 1 friend, 2 blocked, 3 incoming, 4 outgoing, 5 implicit.',
  ],
  GuildMember: [relationship.guildMember, 'output', 'A user as a member of a guild.'],
  Entitlement: [store.entitlement, 'output', 'Something a user owns of an application.'],
  Sku: [store.sku, 'output', 'Something an application sells.'],
  VoiceSettings: [
    voice.voiceSettings,
    'output',
    'Volumes in percent, threshold in dB, delay in milliseconds.',
  ],
  VoiceSettingsPatch: [voice.voiceSettingsPatch, 'input', 'Any part of the voice settings.'],
  CertifiedDevice: [voice.certifiedDevice, 'input', 'A certified device.'],
  SoundboardSound: [voice.soundboardSound, 'output', 'One sound; `volume` 0 to 1.'],
};

/** Writes the types of the client library: plain TypeScript with one entry per command and event, without zod. */
export function clientTypes(): string {
  const { commands, events } = protocolSchema();
  const writer = new TypeWriter(NAMED, { keysBesides: false });
  const open = Object.entries(events).filter(([, { kind }]) => kind !== 'unsubscribable');
  return [
    HEADER,
    '/** Arguments of what has none. */',
    'export type NoArgs = Record<string, never>;',
    '',
    ...writer.named(),
    '/** Arguments and result of every command, by its name on the wire. */',
    'export interface Commands {',
    ...Object.entries(commands)
      // The arguments of SUBSCRIBE and UNSUBSCRIBE depend on the event, so only the client's `subscribe` method can
      // declare their types.
      .filter(([name]) => name !== 'SUBSCRIBE' && name !== 'UNSUBSCRIBE')
      .map(
        ([name, { scope, errors, args, result }]) =>
          `  /** ${describe(scope, errors)} */ ` +
          `${name}: { args: ${writer.write(args, 'input')}; result: ${writer.write(result, 'output')} };`,
      ),
    '}',
    '',
    '/** Arguments of SUBSCRIBE and `data` of every event, by its name on the wire. */',
    'export interface Events {',
    ...open.map(
      ([name, { kind, scope, args, data }]) =>
        `  /** ${kind === 'state' ? 'Told once at first. ' : ''}${describe(scope, [])} */ ` +
        `${name}: { args: ${writer.write(args, 'input')}; data: ${writer.write(data, 'output')} };`,
    ),
    '}',
    '',
  ].join('\n');
}

function describe(scope: ScopeRule, errors: readonly number[]): string {
  const also = errors.length > 0 ? `; errors ${errors.join(', ')}` : '';
  return `Scope ${describeRule(scope)}${also}.`;
}
