import * as z from 'zod';
import { parseLargeAsText } from '../../../base/exact-json.ts';
import { withIssueText } from '../../../base/issue-text.ts';
import { idText, snowflake } from '../../api/fields.ts';
import { CloseCode, GatewayFault, Opcode } from './codes.ts';

/** Maximum size of a client's payload in bytes. */
export const MAX_PAYLOAD_BYTES = 4096;

/** A payload of a client. */
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

/** Parses one message, text or binary: hikari sends its JSON as binary. @throws GatewayFault 4001 and 4002. */
export function readPayload(data: Uint8Array): Payload {
  if (data.byteLength > MAX_PAYLOAD_BYTES)
    throw undecodable(`a payload has at most ${MAX_PAYLOAD_BYTES} bytes`);
  let value: unknown;
  try {
    value = parseLargeAsText(new TextDecoder('utf-8', { fatal: true }).decode(data));
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

/** The error for an unreadable payload. */
function undecodable(why: string): GatewayFault {
  return new GatewayFault(CloseCode.DECODE_ERROR, `Error while decoding payload: ${why}`);
}

/** Parses the data of a command. @throws GatewayFault 4002; its message names the invalid field. */
export function readData<Schema extends z.ZodType>(schema: Schema, d: unknown): z.output<Schema> {
  const read = schema.safeParse(d, withIssueText());
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = ['d', ...(issue?.path ?? [])].join('.');
  throw undecodable(`${path.slice(0, 40)}: ${issue?.message ?? 'wrong'}`);
}

const activity = z.looseObject({ name: z.string(), type: z.nullish(z.int()).transform((type) => type ?? 0) });
const status = z.nullable(z.enum(['online', 'dnd', 'idle', 'invisible', 'offline', '']));

const presenceFields = z.object({
  since: z.nullish(z.number()),
  activities: z.nullish(z.array(z.nullable(activity))),
  /** The only activity of a presence, in the older format. */
  game: z.nullish(activity),
  status,
  afk: z.nullish(z.boolean()),
});

/** Presence in Identify, where all its fields are optional. */
const somePresence = presenceFields.partial();

/** Presence that a client sent. The default status is online; `activities` takes precedence over `game`. */
function presenceOf({ status: sentStatus, activities, game }: z.output<typeof somePresence>) {
  const sentActivities = activities ?? [game ?? null];
  return {
    status: sentStatus || ('online' as const),
    activities: sentActivities.filter((one) => one !== null),
  };
}

/** hikari and detritus-client omit `self_mute` and `self_deaf` unless their user sets them. */
const flag = z.nullish(z.boolean()).transform((value) => value ?? false);
const voice = { channel_id: z.nullable(snowflake()), self_mute: flag, self_deaf: flag };
/** Some libraries send the only guild of a request as a list. */
const guild = z
  .union([snowflake(), z.tuple([snowflake()])])
  .transform((idOrList) => [idOrList].flat()[0] as string);
const nonce = z.nullish(idText().transform(String));

/** Data schemas of the commands. */
export const commands = {
  identify: z.object({
    token: z.string(),
    properties: z.looseObject({}),
    /** True for compressed payloads. Oceanic repeats the compression of its connection here, as text. */
    compress: z.nullish(z.union([z.boolean(), z.string()])),
    large_threshold: z.nullish(z.int()),
    shard: z.nullish(z.array(z.int())),
    presence: z.nullish(somePresence.transform(presenceOf)),
    intents: z.nullish(z.int()),
    capabilities: z.nullish(z.int()),
  }),
  resume: z.object({
    token: z.string(),
    session_id: z.string(),
    /** Number of the last received event; null when a library has received no event yet. */
    seq: z.nullable(z.int()).transform((seq) => seq ?? 0),
  }),
  presence: presenceFields.transform(presenceOf),
  voiceState: z.object({ guild_id: snowflake(), ...voice }),
  /** Voice state of a user. The guild is optional, because users join calls of lobbies, which are in no guild. */
  callState: z.object({ guild_id: z.nullish(snowflake()), ...voice }),
  requestMembers: z.object({
    guild_id: guild,
    query: z.nullish(z.string()),
    limit: z.nullish(z.int()),
    presences: z.nullish(z.boolean()),
    user_ids: z.nullish(z.union([idText(), z.array(idText())])),
    nonce,
  }),
  requestSounds: z.object({ guild_ids: z.array(snowflake()) }),
  requestChannelInfo: z.object({ guild_id: snowflake(), fields: z.array(z.string()), nonce }),
};

/** Data of Identify. */
export type IdentifyData = z.output<typeof commands.identify>;

/** A client's presence. */
export type PresenceData = z.output<typeof commands.presence>;
