import { expect, it } from 'vitest';
import { protocolSchema } from '../../src/protocol/reference.ts';
import { findCommand } from '../../src/protocol/registry.ts';
import { SCOPES } from '../../src/protocol/scope.ts';
import { documentedCommands } from './documented-names.ts';

interface Node {
  readonly [key: string]: unknown;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Node | false;
  readonly items?: Node | false;
  readonly prefixItems?: readonly Node[];
  readonly anyOf?: readonly Node[];
}

/** One line per field of a schema: path, type, and bounds. */
function linesOf(schema: Node, path: string): string[] {
  const { properties, required = [], additionalProperties, items, prefixItems, anyOf, ...own } = schema;
  const rules = Object.entries(own)
    .filter(([name]) => !['description', 'title', '$schema'].includes(name))
    .map(([name, value]) => (name === 'type' ? String(value) : `${name}=${JSON.stringify(value)}`));
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length === 0)
    rules.push('and others');
  const inner = Object.entries(properties ?? {}).flatMap(([name, node]) =>
    linesOf(node, `${path}.${name}${required.includes(name) ? '' : '?'}`),
  );
  return [
    `${path}: ${rules.join(' ') || 'any'}`,
    ...inner,
    ...(prefixItems ?? []).flatMap((node, n) => linesOf(node, `${path}[${n}]`)),
    ...(items ? linesOf(items, `${path}[]`) : []),
    ...(anyOf ?? []).flatMap((node, n) => linesOf(node, `${path}|${n}`)),
    ...(typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
      ? linesOf(additionalProperties, `${path}.*`)
      : []),
  ];
}

/** How a recorded command ends, and what else a schema does not say. */
function otherwise(name: string): string[] {
  const command = findCommand(name);
  const { notOver, about, steady, recorded, refusal } = command ?? {};
  const ends = recorded && {
    what: recorded.what,
    accepted: recorded.accepted(documentedCommands[name]),
    declined: recorded.declined,
  };
  const text = JSON.stringify({ notOver, about, steady, recorded: ends, refusal });
  return text === '{}' ? [] : [`${name} ${text}`];
}

it('commands, events and scopes have the recorded fields, types and bounds', async () => {
  const schema = protocolSchema();
  const ofCommands = Object.entries(schema.commands).flatMap(([name, { args, result }]) => [
    ...otherwise(name),
    ...linesOf(args as Node, `${name} args`),
    ...linesOf(result as Node, `${name} result`),
  ]);
  const ofEvents = Object.entries(schema.events).flatMap(([name, { kind, refused, args, data }]) => [
    `${name} ${kind}${refused ? ', refused' : ''}`,
    ...linesOf(args as Node, `${name} args`),
    ...linesOf(data as Node, `${name} data`),
  ]);
  const ofScopes = Object.entries(SCOPES).map(
    ([name, { sentence: _sentence, ...row }]) => `${name} ${JSON.stringify(row)}`,
  );
  const lines = [...ofCommands, '', ...ofEvents, '', ...ofScopes, ''];
  // Apps rely on these: read the difference before `vitest run -u` records it.
  await expect(lines.join('\n')).toMatchFileSnapshot('recorded-fields.txt');
});
