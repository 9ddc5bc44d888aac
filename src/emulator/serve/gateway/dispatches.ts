import * as z from 'zod';
import { defineDispatch } from '../../api/dispatch.ts';
import { soundShape } from '../../guilds/expressions/sound-answers.ts';
import { memberShape } from '../../guilds/members/answers.ts';
import { newLobbyShape } from '../../lobbies/shapes.ts';
import { presenceShape } from '../../users/presence/shapes.ts';
import { ownUserShape } from '../../users/shapes.ts';

const snowflake = z.string();

/** A session has begun. */
export const ready = defineDispatch({
  event: 'READY',
  summary: 'The session has begun; each guild of a bot follows in a `GUILD_CREATE`.',
  ours: 'A bot has `private_channels`, `relationships` and `presences`, which are always empty, and an empty `user_settings`: seen with eris and discordrb, which read `private_channels`.',
  intents: [],
  tables: [],
  shape: z.object({
    v: z.int(),
    user: ownUserShape,
    guilds: z.array(z.object({ id: snowflake, unavailable: z.literal(true) })),
    session_id: z.string(),
    resume_gateway_url: z.string(),
    shard: z.optional(z.tuple([z.int(), z.int()])),
    application: z.object({ id: snowflake, flags: z.int() }),
    /** For bots; always empty. */
    private_channels: z.optional(z.array(z.unknown())),
    relationships: z.optional(z.array(z.unknown())),
    user_settings: z.optional(z.object({})),
    /** Lobbies of the user, for sessions of users with the capability AUTO_LOBBY_CONNECT. */
    lobbies: z.optional(z.array(newLobbyShape)),
    /** Presences of online friends, for users with relationships.read or presences.read; an empty list for bots. */
    presences: z.optional(z.array(presenceShape)),
  }),
});

/** Event after a resume: all missed events have been sent. */
const resumed = defineDispatch({
  event: 'RESUMED',
  summary: 'Sent after all events that a resumed session had missed.',
  intents: [],
  tables: [],
  shape: z.object({}),
});

/** Event for a command that was rejected because it came too soon. */
export const rateLimited = defineDispatch({
  event: 'RATE_LIMITED',
  summary: 'A command was rejected, because it came too soon after another of its kind.',
  intents: [],
  tables: [],
  shape: z.object({
    opcode: z.int(),
    /** Seconds. */
    retry_after: z.number(),
    meta: z.object({ guild_id: snowflake, nonce: z.optional(z.string()) }),
  }),
});

/** Requested members. */
export const membersChunk = defineDispatch({
  event: 'GUILD_MEMBERS_CHUNK',
  summary: 'Members requested with opcode 8, at most 1,000.',
  intents: [],
  tables: [],
  ours: 'A name is the username or the nickname; upper and lower case are the same.',
  shape: z.object({
    guild_id: snowflake,
    members: z.array(memberShape),
    chunk_index: z.int(),
    chunk_count: z.int(),
    not_found: z.optional(z.array(z.string())),
    presences: z.optional(
      z.array(z.looseObject({ user: z.looseObject({ id: snowflake }), status: z.string() })),
    ),
    nonce: z.optional(z.string()),
  }),
});

/** Requested sounds. */
export const soundboardSounds = defineDispatch({
  event: 'SOUNDBOARD_SOUNDS',
  summary: 'The sounds of one of the guilds requested with opcode 31.',
  intents: [],
  tables: [],
  shape: z.object({ guild_id: snowflake, soundboard_sounds: z.array(soundShape) }),
});

/** Shape of {@link channelInfoEvent}. */
export const channelInfoShape = z.object({
  guild_id: snowflake,
  channels: z.array(
    z.object({
      id: snowflake,
      status: z.optional(z.nullable(z.string())),
      /** Seconds since the Unix epoch. */
      voice_start_time: z.optional(z.nullable(z.int())),
    }),
  ),
  nonce: z.optional(z.string()),
});

/** Requested information about voice channels. */
export const channelInfoEvent = defineDispatch({
  event: 'CHANNEL_INFO',
  summary: 'The fields requested with opcode 43 of the voice channels in a guild that the bot can view.',
  intents: [],
  tables: [],
  ours: 'No intent is needed. A channel without a requested field has null; a stage has no status. A `nonce` is returned.',
  shape: channelInfoShape,
});

/** Gateway events about the session itself, and events that reply to commands. */
export const gatewayDispatches = [
  ready,
  resumed,
  rateLimited,
  membersChunk,
  soundboardSounds,
  channelInfoEvent,
];
