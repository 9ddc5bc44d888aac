import type { SchemaNode } from '../../../base/schema-node.ts';
import { declaredMembers } from '../../../journal/declared.ts';
import type { Dispatch } from '../../api/dispatch.ts';
import { schemaNode } from '../../api/schema-node.ts';
import { Opcode } from './codes.ts';
import { commands } from './payload.ts';

/** Events of the gateway by their names. */
export type DeclaredEvents = ReadonlyMap<string, Pick<Dispatch, 'shape'>>;

const TEXT: SchemaNode = { type: 'string' };
const NUMBER: SchemaNode = { type: 'number' };
const HELLO: SchemaNode = { type: 'object', properties: { heartbeat_interval: NUMBER } };

/** Shapes of what clients send, by opcode. */
const COMMANDS = {
  [Opcode.IDENTIFY]: commands.identify,
  [Opcode.PRESENCE_UPDATE]: commands.presence,
  [Opcode.VOICE_STATE_UPDATE]: commands.callState,
  [Opcode.RESUME]: commands.resume,
  [Opcode.REQUEST_GUILD_MEMBERS]: commands.requestMembers,
  [Opcode.REQUEST_SOUNDBOARD_SOUNDS]: commands.requestSounds,
  [Opcode.REQUEST_CHANNEL_INFO]: commands.requestChannelInfo,
} as const;

/** A payload of which what its event or command declares is shown, and no secret; of all else its kind and length. */
export function payloadText(text: string, direction: 'in' | 'out', events: DeclaredEvents): string {
  return declaredMembers(text, ({ op, t }) => {
    const event = typeof t === 'string' ? events.get(t) : undefined;
    const isKnown =
      direction === 'out' || (typeof op === 'number' && (op in COMMANDS || op === Opcode.HEARTBEAT));
    const schema = direction === 'in' ? sentSchema(op) : receivedSchema(op, event);
    return {
      ...(isKnown ? { op: { schema: NUMBER } } : {}),
      s: { schema: direction === 'out' ? NUMBER : {} },
      ...(event === undefined ? {} : { t: { schema: TEXT } }),
      ...(schema === undefined ? {} : { d: { schema } }),
    };
  });
}

function sentSchema(op: unknown): SchemaNode | undefined {
  if (op === Opcode.HEARTBEAT) return NUMBER;
  const found = Object.entries(COMMANDS).find(([code]) => code === String(op));
  return found && schemaNode(found[1], 'input');
}

function receivedSchema(op: unknown, event: Pick<Dispatch, 'shape'> | undefined): SchemaNode | undefined {
  if (event !== undefined) return schemaNode(event.shape, 'output');
  return op === Opcode.HELLO ? HELLO : undefined;
}
