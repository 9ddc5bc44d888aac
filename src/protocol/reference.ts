import * as z from 'zod';
import type { Command } from './command.ts';
import type { EventDefinition } from './event.ts';
import { commands, events } from './registry.ts';
import { describeRule } from './scope.ts';

/** JSON Schema 2020-12 of one command, with the facts that a schema cannot express. */
export interface CommandSchema {
  readonly class: Command['class'];
  readonly scope: Command['scope'];
  readonly errors: readonly number[];
  readonly args: object;
  readonly result: object;
}

/** JSON Schema 2020-12 of one event. */
export interface EventSchema {
  readonly kind: EventDefinition['kind'];
  readonly refused: boolean;
  readonly scope: EventDefinition['scope'];
  readonly args: object;
  readonly data: object;
}

/** Every command and event as JSON Schema 2020-12, for validators and code generators in any language. */
export interface ProtocolSchema {
  readonly $schema: string;
  readonly commands: { readonly [name: string]: CommandSchema };
  readonly events: { readonly [name: string]: EventSchema };
}

/** Derives the schema document from the declarations. */
export function protocolSchema(): ProtocolSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    commands: Object.fromEntries(sorted(commands).map(([name, command]) => [name, commandSchema(command)])),
    events: Object.fromEntries(sorted(events).map(([name, event]) => [name, eventSchema(event)])),
  };
}

/** The reference of the README: a table of the commands and one of the events. */
export function referenceTables(): string {
  const { commands, events } = protocolSchema();
  return [
    '### Commands',
    '',
    '| Command | Class | Scope | Arguments | Result | Errors of its own |',
    '|---|---|---|---|---|---|',
    ...Object.entries(commands).map(
      ([name, { class: kind, scope, args, result, errors }]) =>
        `| ${name} | ${kind} | ${describeRule(scope)} | ${fields(args)} | ${shape(result)} | ${errors.join(', ') || '–'} |`,
    ),
    '',
    '### Events',
    '',
    '| Event | Kind | Scope | Arguments of SUBSCRIBE | `data` |',
    '|---|---|---|---|---|',
    ...Object.entries(events).map(
      ([name, { kind, refused, scope, args, data }]) =>
        `| ${name} | ${refused ? 'refused' : kind} | ${describeRule(scope)} | ${fields(args)} | ${shape(data)} |`,
    ),
    '',
  ].join('\n');
}

function sorted<T>(table: { readonly [name: string]: T }): [string, T][] {
  return Object.entries(table).sort(([a], [b]) => (a < b ? -1 : 1));
}

function commandSchema(command: Command): CommandSchema {
  const { refusal, recorded, errors = [], scope } = command;
  const declined = recorded && 'code' in recorded.declined ? recorded.declined : undefined;
  return {
    class: command.class,
    scope,
    errors: [...errors, ...[refusal, declined].flatMap((end) => (end ? [end.code] : []))],
    args: jsonSchema(command.args(), 'input'),
    result: jsonSchema(command.result(), 'output'),
  };
}

function eventSchema({ kind, refusal, scope, args, data }: EventDefinition): EventSchema {
  return {
    kind,
    refused: refusal !== undefined,
    scope,
    args: jsonSchema(args(), 'input'),
    data: jsonSchema(data(), 'output'),
  };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
  return rest;
}

interface SchemaNode {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaNode[];
  readonly items?: SchemaNode;
  readonly properties?: { readonly [name: string]: SchemaNode };
  readonly required?: readonly string[];
}

/** The members of an object in one line, such as `name` or, if optional, `name?`. */
function fields(node: SchemaNode): string {
  const properties = Object.keys(node.properties ?? {});
  if (properties.length === 0) return '–';
  return properties
    .map((name) => (node.required?.includes(name) ? `\`${name}\`` : `\`${name}?\``))
    .join(', ');
}

function shape(node: SchemaNode): string {
  if (node.anyOf) return node.anyOf.map(shape).join(' or ');
  if (node.type === 'array') return `list of {${fields(node.items ?? {})}}`;
  if (node.type === 'object') return `{${fields(node)}}`;
  return node.type ?? 'any';
}
