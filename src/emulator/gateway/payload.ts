import * as z from 'zod';
import { isSnowflake } from '../snowflake.ts';
import { CloseCode, GatewayFault, Opcode } from './codes.ts';
import { largeNumbersAsTexts } from './large-numbers.ts';

/** Largest payload of a client, in bytes. */
export const MOST_BYTES = 4096;

/** What a client sends. */
export interface Payload {
  readonly op: number;
  readonly d: unknown;
}

/** Opcodes that a client may send. */
const FROM_CLIENTS: readonly number[] = [
  Opcode.HEARTBEAT,
  Opcode.IDENTIFY,
  Opcode.PRESENCE_UPDATE,
  Opcode.VOICE_STATE_UPDATE,
  Opcode.RESUME,
  Opcode.REQUEST_GUILD_MEMBERS,
  Opcode.REQUEST_SOUNDBOARD_SOUNDS,
  Opcode.REQUEST_CHANNEL_INFO,
];

/** Reads one message. @throws GatewayFault 4001 and 4002. */
export function readPayload(data: Uint8Array, isBinary: boolean): Payload {
  if (isBinary) throw undecodable('only JSON in text messages is read');
  if (data.byteLength > MOST_BYTES) throw undecodable(`a payload has at most ${MOST_BYTES} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(largeNumbersAsTexts(new TextDecoder('utf-8', { fatal: true }).decode(data)));
  } catch {
    throw undecodable('it is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw undecodable('not an object');
  const { op, d } = value as { readonly op?: unknown; readonly d?: unknown };
  if (typeof op !== 'number' || !Number.isInteger(op)) throw undecodable('"op" is not a whole number');
  if (!FROM_CLIENTS.includes(op)) {
    throw new GatewayFault(CloseCode.UNKNOWN_OPCODE, `Unknown opcode: clients do not send ${op}`);
  }
  return { op, d };
}

/** What is sent cannot be understood. */
function undecodable(why: string): GatewayFault {
  return new GatewayFault(CloseCode.DECODE_ERROR, `Error while decoding payload: ${why}`);
}

/** Reads the data of a command. @throws GatewayFault 4002 naming the field. */
export function readData<Schema extends z.ZodType>(schema: Schema, d: unknown): z.output<Schema> {
  const read = schema.safeParse(d);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = ['d', ...(issue?.path ?? [])].join('.');
  throw undecodable(`${path.slice(0, 40)}: ${issue?.message ?? 'wrong'}`);
}

const snowflake = z.string().refine(isSnowflake, 'not a snowflake');

const presence = z.object({
  since: z.nullish(z.number()),
  activities: z.array(z.looseObject({ name: z.string(), type: z.int() })),
  status: z.enum(['online', 'dnd', 'idle', 'invisible', 'offline']),
  afk: z.optional(z.boolean()),
});

/** The data of each command, by its name. */
export const commands = {
  identify: z.object({
    token: z.string(),
    properties: z.looseObject({}),
    compress: z.nullish(z.boolean()),
    large_threshold: z.nullish(z.int()),
    shard: z.nullish(z.array(z.int())),
    presence: z.nullish(presence.partial()),
    intents: z.nullish(z.int()),
    capabilities: z.nullish(z.int()),
  }),
  resume: z.object({ token: z.string(), session_id: z.string(), seq: z.int() }),
  presence,
  voiceState: z.object({
    guild_id: snowflake,
    channel_id: z.nullable(snowflake),
    self_mute: z.boolean(),
    self_deaf: z.boolean(),
  }),
  /** The same of a person, for whom there are calls outside guilds. */
  callState: z.object({
    guild_id: z.nullish(snowflake),
    channel_id: z.nullable(snowflake),
    self_mute: z.boolean(),
    self_deaf: z.boolean(),
  }),
  requestMembers: z.object({
    guild_id: snowflake,
    query: z.nullish(z.string()),
    limit: z.nullish(z.int()),
    presences: z.nullish(z.boolean()),
    user_ids: z.nullish(z.union([z.string(), z.array(z.string())])),
    nonce: z.nullish(z.union([z.string(), z.number()])),
  }),
  requestSounds: z.object({ guild_ids: z.array(snowflake) }),
  requestChannelInfo: z.object({
    guild_id: snowflake,
    fields: z.array(z.string()),
    nonce: z.nullish(z.string()),
  }),
};

/** What a client begins a session with. */
export type IdentifyData = z.output<typeof commands.identify>;

/** A presence as a client says it. */
export type PresenceData = z.output<typeof presence>;
