import * as z from 'zod';
import type { SchemaNode } from '../../../base/schema-node.ts';
import { declaredMembers } from '../../../journal/declared.ts';
import { schemaNode } from '../../api/schema-node.ts';
import { activityFields } from '../../users/presence/shapes.ts';
import { Opcode } from './codes.ts';
import { commands } from './payload.ts';

/** Shapes of the data of events, by their names. */
export type EventShapes = ReadonlyMap<string, z.ZodType>;

const TEXT: SchemaNode = { type: 'string' };
const NUMBER: SchemaNode = { type: 'number' };
/** Properties in which client libraries describe themselves. Only the type of any other property is shown. */
const properties = z.object({ os: z.string(), browser: z.string(), device: z.string() });
const activity = z.looseObject({ name: z.string(), type: z.int(), ...activityFields });
const presence = z.object({
  since: z.nullish(z.number()),
  activities: z.array(activity),
  game: z.nullish(activity),
  status: z.string(),
  afk: z.boolean(),
});
const HELLO: SchemaNode = { type: 'object', properties: { heartbeat_interval: NUMBER } };

/** Shapes of the payloads that clients send, by opcode. */
const COMMANDS = {
  [Opcode.IDENTIFY]: commands.identify.extend({ properties, presence }),
  [Opcode.PRESENCE_UPDATE]: presence,
  [Opcode.VOICE_STATE_UPDATE]: commands.callState,
  [Opcode.RESUME]: commands.resume,
  [Opcode.REQUEST_GUILD_MEMBERS]: commands.requestMembers,
  [Opcode.REQUEST_SOUNDBOARD_SOUNDS]: commands.requestSounds,
  [Opcode.REQUEST_CHANNEL_INFO]: commands.requestChannelInfo,
} as const;

/**
 * Text of a payload for the journal. It shows the fields that the event or command declares, without secrets; for all
 * other values, it shows only their kind and length.
 */
export function payloadText(text: string, direction: 'in' | 'out', events: EventShapes): string {
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

function receivedSchema(op: unknown, event: z.ZodType | undefined): SchemaNode | undefined {
  if (event !== undefined) return schemaNode(event, 'output');
  return op === Opcode.HELLO ? HELLO : undefined;
}
