import * as z from 'zod';
import { defineDispatch } from '../dispatch.ts';
import { gatewayLobbyShape } from '../lobbies/answers.ts';

const snowflake = z.string();

/** A session has begun. */
export const ready = defineDispatch({
  event: 'READY',
  summary: 'The session has begun; each guild of a bot follows in a `GUILD_CREATE`.',
  intents: [],
  tables: [],
  shape: z.object({
    v: z.int(),
    user: z.looseObject({ id: snowflake, username: z.string() }),
    guilds: z.array(z.object({ id: snowflake, unavailable: z.literal(true) })),
    session_id: z.string(),
    resume_gateway_url: z.string(),
    shard: z.optional(z.tuple([z.int(), z.int()])),
    application: z.object({ id: snowflake, flags: z.int() }),
    /** Of a person, with the capability AUTO_LOBBY_CONNECT. */
    lobbies: z.optional(z.array(gatewayLobbyShape)),
  }),
});

/** Everything that was missed has been told. */
const resumed = defineDispatch({
  event: 'RESUMED',
  summary: 'All that a resumed session had missed stands before this.',
  intents: [],
  tables: [],
  shape: z.object({}),
});

/** Events of the gateway about the session itself. */
export const gatewayDispatches = [ready, resumed];
