import { expect, it } from 'vitest';
import * as z from 'zod';
import { commands, events, findCommand, findEvent } from '../../src/protocol/registry.ts';

type Schema = { readonly [key: string]: unknown };

/** Arguments that a core gets whole, whatever they are: shown to a person, or meant for another program. */
const OPEN = [
  'DEEP_LINK.params',
  'CONNECTIONS_CALLBACK.openid_params',
  'BILLING_POPUP_BRIDGE_CALLBACK.query',
  'BRAINTREE_POPUP_BRIDGE_CALLBACK.query',
  // Their arguments are the event's.
  'SUBSCRIBE',
  'UNSUBSCRIBE',
];
/** Arguments that are taken and dropped whole. */
const IGNORED = [
  'NETWORKING_PEER_METRICS',
  'NETWORKING_SYSTEM_METRICS',
  'QUEST_ENROLLMENT_STATUS_UPDATE',
  'SEND_ANALYTICS_EVENT.event_properties',
];

/** Where in a schema a string or list may be of any length, or an object have any keys. */
function unbounded(schema: Schema, path: string): string[] {
  if (OPEN.includes(path) || IGNORED.includes(path)) return [];
  const within = (key: string, at: string): string[] => unbounded(schema[key] as Schema, at);
  const alternatives = [
    ...((schema['anyOf'] ?? []) as Schema[]),
    ...((schema['prefixItems'] ?? []) as Schema[]),
  ];
  const found = alternatives.flatMap((one) => unbounded(one, path));
  const [type] = [schema['type']].flat();
  switch (type) {
    case 'string': {
      const bounded = ['maxLength', 'pattern', 'enum', 'const'].some((key) => key in schema);
      return bounded ? found : [...found, path];
    }
    case 'array':
      if (schema['prefixItems'] === undefined) found.push(...within('items', `${path}[]`));
      return 'maxItems' in schema || schema['prefixItems'] !== undefined ? found : [...found, path];
    case 'object':
      for (const [name, value] of Object.entries((schema['properties'] ?? {}) as object)) {
        found.push(...unbounded(value as Schema, `${path}.${name}`));
      }
      return 'additionalProperties' in schema && schema['additionalProperties'] !== false
        ? [...found, `${path}.*`]
        : found;
    default:
      return found;
  }
}

it('every argument of an app has a bound, and unknown keys are dropped', () => {
  const declared = [...Object.entries(commands), ...Object.entries(events)];
  const found = declared.flatMap(([name, { args }]) =>
    unbounded(z.toJSONSchema(args(), { io: 'input' }) as Schema, name),
  );
  expect(declared.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

it('arguments that no handler reads are dropped', () => {
  for (const path of IGNORED) {
    const [name = '', key] = path.split('.');
    const { args } = findCommand(name) ?? findEvent(name) ?? {};
    const many = { a: 1, b: { c: ['x'.repeat(1000)] } };
    const sent = key === undefined ? many : { event_name: 'e', [key]: many };
    expect(args?.().parse(sent), path).toEqual(key === undefined ? {} : { event_name: 'e', [key]: {} });
  }
});
