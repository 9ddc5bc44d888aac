import * as z from 'zod';
import { ATTACH_VERSION, clientMessage, hello } from './protocol.ts';

// The attach protocol as JSON Schema, for authors of clients in other languages. Only `npm run gen` and tests load this
// file: messages of the bridge are not validated at run time.

const version = () => z.literal('2.0');
const session = () => z.object({ session: z.string(), clientId: z.string(), transport: z.string() });
const subscription = () => z.object({ session: z.string(), evt: z.string(), args: z.unknown() });
const presence = () =>
  z.object({
    session: z.string(),
    clientId: z.string(),
    pid: z.nullable(z.int()),
    activity: z.nullable(z.record(z.string(), z.unknown())),
  });

function notification<M extends string, P extends z.ZodType>(method: M, params: P) {
  return z.object({ jsonrpc: version(), method: z.literal(method), params });
}

function question<M extends string, P extends z.ZodType>(method: M, params: P) {
  return z.object({ jsonrpc: version(), id: z.int(), method: z.literal(method), params });
}

const bridgeHello = () =>
  z.object({
    jsonrpc: version(),
    id: z.union([z.int(), z.string()]),
    result: z.object({
      v: z.literal(ATTACH_VERSION),
      // Only in answer to a code.
      token: z.optional(z.string()),
      sessions: z.array(session()),
      presences: z.array(presence()),
      subscriptions: z.array(subscription()),
    }),
  });

const bridgeMessage = () =>
  z.union([
    question(
      'call',
      z.object({
        ...session().shape,
        cmd: z.string(),
        args: z.unknown(),
        scopes: z.array(z.string()),
      }),
    ),
    question('subscribe', subscription()),
    notification('unsubscribe', subscription()),
    notification('session_opened', session()),
    notification('session_closed', z.object({ session: z.string() })),
    notification('presence', presence()),
    notification('withdrawn', z.object({ id: z.int() })),
  ]);

/** Every message of the protocol, by sender. */
export function attachSchema(): object {
  const schema = (type: z.ZodType, io: 'input' | 'output'): object => {
    const { $schema: _draft, ...rest } = z.toJSONSchema(type, { io, target: 'draft-2020-12' });
    return rest;
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Footbridge attach protocol, version ${ATTACH_VERSION}`,
    description: 'JSON-RPC 2.0, one message a WebSocket text frame. The client speaks first.',
    $defs: {
      clientHello: schema(hello(), 'input'),
      clientMessage: schema(clientMessage(), 'input'),
      bridgeHello: schema(bridgeHello(), 'output'),
      bridgeMessage: schema(bridgeMessage(), 'output'),
    },
    anyOf: ['clientHello', 'clientMessage', 'bridgeHello', 'bridgeMessage'].map((name) => ({
      $ref: `#/$defs/${name}`,
    })),
  };
}
