import * as z from 'zod';
import { entitlementShape } from '../applications/monetization/shapes.ts';
import { authorizedGuildShape } from '../guilds/shapes.ts';
import { lobbyMessageShape } from '../lobbies/shapes.ts';
import { messageShape } from '../messages/shapes.ts';
import { userShape } from '../users/shapes.ts';

const authorizationShape = z.object({
  integration_type: z.optional(z.int()),
  user: userShape,
  scopes: z.array(z.string()),
  guild: z.optional(authorizedGuildShape),
});

/** Payload of a message for a game: a message between two users, or a message in a lobby. */
const messageContextShape = z.object({
  id: z.string(),
  lobby_id: z.string(),
  timestamp: z.string(),
  edited_timestamp: z.nullable(z.string()),
  channel: z.object({ id: z.string(), type: z.int(), recipients: z.array(userShape) }),
});

/** Payload of everything that applications receive over HTTP, except interactions: a PING or an event. */
export const webhookShape = z.object({
  version: z.literal(1),
  application_id: z.string(),
  type: z.int(),
  event: z.optional(
    z.object({
      type: z.string(),
      timestamp: z.string(),
      data: z.union([
        entitlementShape,
        authorizationShape,
        lobbyMessageShape,
        messageShape,
        messageContextShape,
      ]),
    }),
  ),
});
