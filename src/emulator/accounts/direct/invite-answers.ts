import type * as z from 'zod';
import { timestamp } from '../../api/fields.ts';
import { timeOf } from '../../kernel/snowflake.ts';
import type { messageShape } from '../../messages/shapes.ts';
import { userAnswer } from '../../users/answers.ts';
import { ACTIONS, partyId } from '../../users/presence/joinable-games.ts';
import type { GameInvite, JoinRequest } from '../../users/presence/records.ts';
import type { User } from '../../users/records.ts';

/** An invite to play, or a request for one, with the fields of a message. */
export interface InviteMessage {
  readonly from: string;
  readonly to: string;
  readonly application: string;
  readonly channel: string;
  readonly message: string;
  readonly content: string;
  readonly activity: { readonly type: number; readonly session_id?: string; readonly party_id?: string };
}

/** The message fields of an invite, without its secret. */
export function messageOfInvite(invite: GameInvite): InviteMessage {
  const { sender, recipient, application, channel, message, content, session, activity } = invite;
  const activityFields = { type: ACTIONS.JOIN, session_id: session, ...partyOf(activity) };
  return { from: sender, to: recipient, application, channel, message, content, activity: activityFields };
}

/** The message fields of a request to join. */
export function messageOfJoinRequest(request: JoinRequest): InviteMessage {
  const { user, to, application, channel, message } = request;
  const activity = { type: ACTIONS.JOIN_REQUEST };
  return { from: user, to, application, channel, message, content: '', activity };
}

/** The message that the platform creates for an invite or a request to join. */
export function inviteMessage(
  author: User,
  { application, channel, message, content, activity }: InviteMessage,
): z.output<typeof messageShape> {
  return {
    id: message,
    channel_id: channel,
    type: 0,
    content,
    author: userAnswer(author),
    timestamp: timestamp(timeOf(message)),
    edited_timestamp: null,
    flags: 0,
    mentions: [],
    mention_roles: [],
    mention_everyone: false,
    attachments: [],
    embeds: [],
    components: [],
    pinned: false,
    tts: false,
    application_id: application,
    activity,
  };
}

/** The `party` field with the id of an activity's party; empty for an activity without a party. */
function partyOf(activity: { readonly [key: string]: unknown }): { readonly party_id?: string } {
  const id = partyId(activity);
  return id === undefined ? {} : { party_id: id };
}
