import * as z from 'zod';
import { once } from '../base/once.ts';
import type { SchemaNode } from '../base/schema-node.ts';
import { Opcode } from '../wire/codes.ts';
import { findCommand, findEvent } from './registry.ts';
import { activity } from './shapes/activity.ts';
import { ready } from './shapes/common.ts';

type Fields = Readonly<Record<string, unknown>>;
type Declarations = Readonly<Record<string, { readonly schema: SchemaNode } | undefined>>;
type Parts = { readonly args?: SchemaNode | undefined; readonly data?: SchemaNode | undefined };

const NAME: SchemaNode = { type: 'string' };
const NUMBER: SchemaNode = { type: ['integer', 'string'] };
const NONCE: SchemaNode = { type: ['string', 'number'] };
/** Form of command and event names that are shown. An unknown name of another form may contain anything. */
const PLAIN_NAME = /^[A-Z][A-Z_]{0,47}$/;

/**
 * Returns the declared members of RPC frames, for displays of recorded traffic. Schemas are created with the first
 * frame of a command, and cached.
 */
export function frameDeclarations(): (
  frame: { readonly opcode: number; readonly direction: 'in' | 'out' },
  payload: Fields,
) => Declarations {
  const commands = new Map<string, Parts>();
  const events = new Map<string, Parts>();
  const readyData = once(() => schemaOf(ready(), 'output'));
  const partsOf = (known: Map<string, Parts>, name: string, make: () => Parts): Parts => {
    const found = known.get(name) ?? make();
    known.set(name, found);
    return found;
  };
  const commandParts = (name: string): Parts => {
    const command = findCommand(name);
    if (command === undefined) return {};
    return partsOf(commands, name, () => ({
      args: schemaOf(command.args(), 'input'),
      data: dataOf(name, schemaOf(command.result(), 'output')),
    }));
  };
  const eventParts = (name: string): Parts => {
    if (name === 'READY') return { data: readyData() };
    const event = findEvent(name);
    if (event === undefined) return {};
    return partsOf(events, name, () => ({
      args: schemaOf(event.args(), 'input'),
      data: schemaOf(event.data(), 'output'),
    }));
  };
  return ({ opcode, direction }, payload) => {
    switch (opcode) {
      case Opcode.HANDSHAKE:
        return {
          v: { schema: NUMBER },
          ...(isId(payload['client_id']) ? { client_id: { schema: NAME } } : {}),
        };
      case Opcode.CLOSE:
        return { code: { schema: NUMBER }, ...(direction === 'out' ? { message: { schema: NAME } } : {}) };
      case Opcode.FRAME: {
        const { cmd, evt } = payload;
        const names = {
          ...(isName(cmd) ? { cmd: { schema: NAME } } : {}),
          ...(isName(evt) ? { evt: { schema: NAME } } : {}),
          nonce: { schema: NONCE },
        };
        if (typeof cmd !== 'string') return names;
        const { args, data } = direction === 'in' ? requestParts(cmd, evt) : answerParts(cmd, evt);
        return {
          ...names,
          ...(args === undefined ? {} : { args: { schema: args } }),
          ...(data === undefined ? {} : { data: { schema: data } }),
        };
      }
      default:
        return {};
    }
  };

  function requestParts(cmd: string, evt: unknown): Parts {
    const isSubscribing = cmd === 'SUBSCRIBE' || cmd === 'UNSUBSCRIBE';
    const { args } = isSubscribing ? eventParts(String(evt)) : commandParts(cmd);
    return { args };
  }

  function answerParts(cmd: string, evt: unknown): Parts {
    if (evt === 'ERROR') return { data: ERROR };
    const { data } = cmd === 'DISPATCH' ? eventParts(String(evt)) : commandParts(cmd);
    return { data };
  }
}

const ERROR: SchemaNode = {
  type: 'object',
  properties: { code: { type: 'integer' }, message: { type: 'string', format: 'sentence' } },
};

/**
 * The answer to SET_ACTIVITY repeats the whole activity, but its result schema names only the members that clients rely
 * on, so further members are added.
 */
function dataOf(command: string, schema: SchemaNode): SchemaNode {
  if (command !== 'SET_ACTIVITY') return schema;
  const more: SchemaNode = {
    type: 'object',
    properties: { flags: { type: 'integer' }, platform: { type: 'string' } },
  };
  return { anyOf: [schema, schemaOf(activity(), 'output'), more] };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): SchemaNode {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as SchemaNode;
}

function isName(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    (PLAIN_NAME.test(value) || findCommand(value) !== undefined || findEvent(value) !== undefined)
  );
}

function isId(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\d{1,20}$/.test(value));
}
