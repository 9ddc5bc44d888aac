import * as z from 'zod';
import { namedShape } from '../api/fields.ts';
import { guildChannelShape } from '../guilds/channels/shapes.ts';
import { userShape } from '../users/shapes.ts';

const metadata = () => z.record(z.string(), z.string());

/** Member of a lobby. */
export const lobbyMemberShape = namedShape('LobbyMember', {
  id: z.string(),
  metadata: z.nullable(metadata()),
  flags: z.int(),
  additional_name: z.optional(z.string()),
});

/** Member of a lobby with the user object, for recipients who may not know the user. */
export const newLobbyMemberShape = lobbyMemberShape
  .extend({ user: z.optional(userShape) })
  .meta({ id: 'NewLobbyMember' });

/** A lobby. */
export const lobbyShape = namedShape('Lobby', {
  id: z.string(),
  application_id: z.string(),
  metadata: z.nullable(metadata()),
  members: z.array(lobbyMemberShape),
  linked_channel: z.optional(guildChannelShape),
  flags: z.int(),
});

/** A message of a lobby. */
export const lobbyMessageShape = namedShape('LobbyMessage', {
  id: z.string(),
  type: z.int(),
  content: z.string(),
  lobby_id: z.string(),
  channel_id: z.string(),
  author: userShape,
  lobby_member: z.optional(z.object({ additional_name: z.string() })),
  metadata: z.optional(metadata()),
  moderation_metadata: z.optional(metadata()),
  flags: z.int(),
  application_id: z.optional(z.string()),
});

/** Voice state in the call of a lobby. */
export const lobbyVoiceStateShape = z.object({
  lobby_id: z.string(),
  channel_id: z.nullable(z.string()),
  user_id: z.string(),
  session_id: z.string(),
  deaf: z.boolean(),
  mute: z.boolean(),
  self_deaf: z.boolean(),
  self_mute: z.boolean(),
  self_video: z.boolean(),
  suppress: z.boolean(),
});

/** A lobby as gateway events send it: with its voice states. */
export const gatewayLobbyShape = lobbyShape.extend({ voice_states: z.array(lobbyVoiceStateShape) });

/** A lobby with the user objects of its members, for a session that does not know the lobby. */
export const newLobbyShape = gatewayLobbyShape.extend({ members: z.array(newLobbyMemberShape) });
