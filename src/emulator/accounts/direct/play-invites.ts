import { type ApiError, invalidField } from '../../api/api-error.ts';
import type { HasAuthorizations } from '../../api/caller.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import type { HasInvitations } from '../../users/presence/invitations.ts';
import { ACTIONS, joinableGame, partyId } from '../../users/presence/joinable-games.ts';
import { type InviteMessage, messageOfInvite, messageOfJoinRequest } from './invite-answers.ts';
import { channelTo, checkMayWriteTo, type Speaker } from './speaking.ts';

/** Services for invites. */
type Needs = Base & HasApplications & HasAuthorizations & HasInvitations;

/** A game's request to invite another player, or to be invited. */
export interface InviteWish {
  readonly type: (typeof ACTIONS)[keyof typeof ACTIONS];
  readonly session_id?: string | undefined;
  readonly party_id?: string | undefined;
}

/**
 * Does one of three things: invites another player to the speaker's game, accepts that player's request to join, or
 * requests an invite. The other player's games are notified. @throws ApiError 403 where the speaker may not write to
 * the other player, 400 where the speaker's game has nothing to join.
 */
export function sendInvite(
  platform: Needs,
  speaker: Speaker,
  otherId: string,
  { content, activity }: { readonly content: string; readonly activity: InviteWish },
): InviteMessage {
  checkMayWriteTo(platform, speaker, otherId);
  const { invitations, world } = platform;
  const [user, application] = [speaker.user.id, speaker.application.id];
  const channelId = (): string => channelTo(platform, speaker, otherId).channel.id;
  if (activity.type === ACTIONS.JOIN_REQUEST) {
    const request = invitations.requestJoin(user, application, otherId, channelId());
    world.signal({ type: 'join-asked', request });
    return messageOfJoinRequest(request);
  }
  const game = joinableGame(world.tables, { user, application, session: activity.session_id });
  if (game === undefined) throw nothingToJoin('activity');
  if (activity.party_id !== undefined && activity.party_id !== partyId(game.activity))
    throw nothingToJoin('party_id');
  const invite = invitations.invite({
    sender: user,
    recipient: otherId,
    application,
    channel: channelId(),
    content,
    session: game.session,
    activity: game.activity,
    secret: game.secret,
    host: game.session,
  });
  invitations.answer(otherId, application, user);
  world.signal({ type: 'play-invited', invite });
  return messageOfInvite(invite);
}

function nothingToJoin(field: 'activity' | 'party_id'): ApiError {
  return invalidField(
    field === 'activity' ? [field] : ['activity', field],
    'ACTIVITY_NOT_JOINABLE',
    'The sender shows no activity of this application with that party and a join secret.',
  );
}
