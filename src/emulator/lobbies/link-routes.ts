import * as z from 'zod';
import { ApiError, missingPermissions } from '../api/api-error.ts';
import { clearable, namedShape, snowflake } from '../api/fields.ts';
import { bearer, defineOperation, ok, type Reply } from '../api/operation.ts';
import type { Base } from '../api/world.ts';
import { channelInView } from '../guilds/channels/channel-access.ts';
import { isGood, makeLobbyInvite } from '../guilds/invites/invites.ts';
import { TARGET } from '../guilds/invites/records.ts';
import type { User } from '../users/records.ts';
import { lobbyAnswer } from './answers.ts';
import { CAN_LINK_LOBBY, type Lobby, linkable } from './records.ts';
import { lobbyOf, lobbyWith, refused } from './request-checks.ts';
import { lobbyShape } from './shapes.ts';

/**
 * Checks that the user may link the channel to the lobby. @throws ApiError when the user lacks a permission, or when
 * the lobby or the channel does not allow a link.
 */
function checkLink(platform: Base, lobby: Lobby, channelId: string, user: User): void {
  const { channel, need } = channelInView(platform, channelId, { user });
  need('MANAGE_CHANNELS', 'VIEW_CHANNEL', 'SEND_MESSAGES');
  if (lobby.made_by === 'client') throw refused('A lobby that was made with a secret cannot be linked');
  if (!linkable.of(channel as never)) {
    throw refused('Only a text channel that is not age-restricted can be linked to a lobby');
  }
  const [other] = platform.world.tables.lobbies.by('linked_channel', channel.id);
  if (other !== undefined && other.id !== lobby.id) throw refused('This channel is linked to another lobby');
}

const inviteShape = namedShape('LobbyInvite', { code: z.string() });
const MAX_INVITES = 1000;
const INVITE_OURS = `Without a linked channel the answer is 400. At most ${MAX_INVITES} invites from lobbies to a channel are open at once (30016).`;

/**
 * Invites a member to the channel that is linked to the lobby. @throws ApiError 400 for a lobby without a linked
 * channel.
 */
function invite({ world, clock }: Base, { linked_channel }: Lobby, user: string): Reply {
  if (linked_channel === null) throw refused('The lobby is not linked to a channel');
  const now = clock.now();
  const open = [...world.tables.channel_invites.by('channel', linked_channel)].filter(
    (one) => one.target_type === TARGET.LOBBY && isGood(one, now),
  );
  if (open.length >= MAX_INVITES) throw new ApiError('MaximumNumberOfInvitesReached', { limit: MAX_INVITES });
  const { code } = world.transaction((tables) =>
    makeLobbyInvite(tables, { channel: linked_channel, user, now }),
  );
  return ok({ code });
}

/** Routes that connect lobbies with channels. */
export const lobbyLinkOperations = [
  defineOperation({
    id: 'edit_lobby_channel_link',
    summary: 'Links a channel to a lobby, or unlinks it.',
    route: 'PATCH /lobbies/{lobby_id}/channel-linking',
    who: [bearer('lobbies.write')],
    body: z.object({ channel_id: clearable(snowflake()) }),
    communication: 'lobby-link',
    answers: { 200: lobbyShape },
    ours: 'A member without the flag is refused with 50013, a channel or lobby that cannot be linked with 400. A channel that becomes age-restricted is unlinked. Earlier messages stay where they were written.',
    handle: ({ caller, params, body }, platform) => {
      const { world } = platform;
      const { lobby, member } = lobbyWith(world.tables, caller, params.lobby_id);
      if ((member.flags & CAN_LINK_LOBBY) === 0) throw missingPermissions();
      const linked_channel = body.channel_id ?? null;
      if (linked_channel !== null) {
        checkLink(platform, lobby, linked_channel, world.tables.users.get(caller.userId) as User);
      }
      const next = world.transaction(({ lobbies }) => lobbies.update(lobby.id, { linked_channel }));
      return ok(lobbyAnswer(world.tables, next));
    },
  }),
  defineOperation({
    id: 'create_linked_lobby_guild_invite_for_self',
    summary: 'Creates an invite to the linked channel for the user: one use, one hour.',
    route: 'POST /lobbies/{lobby_id}/members/@me/invites',
    who: [bearer('lobbies.write')],
    communication: 'lobby-change',
    answers: { 200: inviteShape },
    ours: INVITE_OURS,
    handle: ({ caller, params }, platform) => {
      const { lobby, member } = lobbyWith(platform.world.tables, caller, params.lobby_id);
      return invite(platform, lobby, member.user);
    },
  }),
  defineOperation({
    id: 'create_linked_lobby_guild_invite_for_user',
    summary: 'Creates an invite to the linked channel for a member: one use, one hour.',
    route: 'POST /lobbies/{lobby_id}/members/{user_id}/invites',
    communication: 'lobby-change',
    answers: { 200: inviteShape },
    ours: INVITE_OURS,
    handle: ({ caller, params }, platform) => {
      const { tables } = platform.world;
      const lobby = lobbyOf(tables, caller.application.id, params.lobby_id);
      if (!tables.lobby_members.has(lobby.id, params.user_id)) throw new ApiError('UnknownMember');
      return invite(platform, lobby, params.user_id);
    },
  }),
];
