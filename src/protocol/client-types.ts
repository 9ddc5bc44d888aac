import * as z from 'zod';
import { protocolSchema } from './reference.ts';
import { describeRule, type ScopeRule } from './scope.ts';
import * as activity from './shapes/activity.ts';
import * as common from './shapes/common.ts';
import * as guild from './shapes/guild.ts';
import * as message from './shapes/message.ts';
import * as relationship from './shapes/relationship.ts';
import * as store from './shapes/store.ts';
import * as voice from './shapes/voice.ts';

/** The parts of JSON Schema that the declarations make use of. */
interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaNode[];
  readonly items?: SchemaNode | false;
  readonly prefixItems?: readonly SchemaNode[];
  readonly properties?: { readonly [name: string]: SchemaNode };
  readonly additionalProperties?: SchemaNode;
  readonly required?: readonly string[];
}

/** Which way a value goes: what a program passes in may be read-only. */
type Direction = 'input' | 'output';

const HEADER = `// Generated from the protocol's declarations: \`npm run gen\` writes it. Do not edit.
// biome-ignore-all format: one line a command is easier to search
`;

/** Shapes that get a name of their own, by the way they go; everything else is written out where it occurs. */
const NAMED: { readonly [name: string]: readonly [() => z.ZodType, Direction, string] } = {
  Activity: [activity.activity, 'input', 'Activity as an app sets it; lengths in UTF-16 units.'],
  ShownActivity: [activity.shownActivity, 'output', 'Activity as others see it.'],
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

/** Writes the client library's types: plain TypeScript, one entry a command and an event, without zod. */
export function clientTypes(): string {
  const { commands, events } = protocolSchema();
  const writer = new TypeWriter();
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
      // Their arguments are those of the event, which only `subscribe` can tell.
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

class TypeWriter {
  /** Canonical JSON of a named shape's schema to its name. */
  readonly #names = new Map<string, string>();

  /** The declarations of the named shapes; from then on their names are used. */
  *named(): Generator<string> {
    for (const [name, [shape, direction]] of Object.entries(NAMED)) {
      this.#names.set(key(schemaOf(shape(), direction), direction), name);
    }
    for (const [name, [shape, direction, text]] of Object.entries(NAMED)) {
      const { properties = {}, required = [] } = schemaOf(shape(), direction);
      const members = Object.entries(properties).map(
        ([member, node]) => `  ${this.#member(member, node, required, direction)};`,
      );
      yield [`/** ${text} */`, `export interface ${name} {`, ...members, '}', ''].join('\n');
    }
  }

  write(schema: object, direction: Direction): string {
    const node = schema as SchemaNode;
    const name = this.#names.get(key(node, direction));
    if (name !== undefined) return name;
    if (node.anyOf) return union(node.anyOf.map((choice) => this.write(choice, direction)));
    if (node.const !== undefined) return literal(node.const);
    if (node.enum) return union(node.enum.map(literal));
    if (Array.isArray(node.type)) return union(node.type.map((type) => this.write({ type }, direction)));
    switch (node.type) {
      case 'integer':
        return 'number';
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return node.type;
      case 'array':
        return this.#array(node, direction);
      case 'object':
        return this.#object(node, direction);
      case undefined:
        return 'unknown';
      default:
        throw new Error(`No TypeScript is known for the schema type ${String(node.type)}`);
    }
  }

  #array({ items, prefixItems }: SchemaNode, direction: Direction): string {
    const readonly = direction === 'input' ? 'readonly ' : '';
    if (prefixItems)
      return `${readonly}[${prefixItems.map((item) => this.write(item, direction)).join(', ')}]`;
    const item = items ? this.write(items, direction) : 'unknown';
    return `${readonly}${/^[^{]*[|&]/.test(item) ? `(${item})` : item}[]`;
  }

  #object(
    { properties = {}, required = [], additionalProperties }: SchemaNode,
    direction: Direction,
  ): string {
    const members = Object.entries(properties);
    const derived = this.#derived({ properties, required }, direction);
    if (derived !== undefined) return derived;
    if (members.length > 0) {
      return `{ ${members.map(([name, node]) => this.#member(name, node, required, direction)).join('; ')} }`;
    }
    if (additionalProperties === undefined) return 'NoArgs';
    return `Record<string, ${this.write(additionalProperties, direction)}>`;
  }

  #member(name: string, node: SchemaNode, required: readonly string[], direction: Direction): string {
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : literal(name);
    return `${key}${required.includes(name) ? '' : '?'}: ${this.write(node, direction)}`;
  }

  /** A named shape with every member optional, or with members more: the name says it shorter. */
  #derived(node: SchemaNode, direction: Direction): string | undefined {
    const { properties = {}, required = [] } = node;
    for (const [json, name] of this.#names) {
      if (!json.startsWith(direction)) continue;
      const shape = JSON.parse(json.slice(direction.length)) as SchemaNode;
      const members = Object.entries(shape.properties ?? {});
      const held = members.every(([member, type]) => same(properties[member], type));
      if (!held || members.length < 4) continue;
      const rest = Object.entries(properties).filter(
        ([member]) => !Object.hasOwn(shape.properties ?? {}, member),
      );
      if (rest.length === 0 && required.length === 0) return `Partial<${name}>`;
      if (shape.required?.every((member) => required.includes(member)) && rest.length > 0) {
        return `${name} & { ${rest.map(([member, type]) => this.#member(member, type, required, direction)).join('; ')} }`;
      }
    }
    return undefined;
  }
}

function key(node: SchemaNode, direction: Direction): string {
  return `${direction} ${JSON.stringify(node)}`;
}

function schemaOf(shape: z.ZodType, io: Direction): SchemaNode {
  const { $schema: _draft, ...schema } = z.toJSONSchema(shape, { io, target: 'draft-2020-12' });
  return schema as SchemaNode;
}

function union(choices: readonly string[]): string {
  return choices.includes('unknown') ? 'unknown' : [...new Set(choices)].join(' | ');
}

function same(a: SchemaNode | undefined, b: SchemaNode): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${JSON.stringify(value).slice(1, -1)}'` : JSON.stringify(value);
}
