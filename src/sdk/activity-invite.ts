import { ActivityActionTypes } from './enums.ts';
import { type Field, neededChoice, objectOf } from './fields.ts';
import { nullObject } from './object.ts';
import { idOf, member, oneIn, text } from './raw.ts';
import { type Id, text as textArgument, uint64 } from './values.ts';

const id: Field<bigint, Id> = { initial: 0n, check: uint64 };
const neededText: Field<string, string> = { initial: '', check: textArgument };

const fields = {
  Type: neededChoice<ActivityActionTypes>(ActivityActionTypes, ActivityActionTypes.Invalid),
  SenderId: id,
  ChannelId: id,
  MessageId: id,
  /** Application of the game; an invite may come from a sibling application. */
  ApplicationId: id,
  /** The publisher's application, which is the parent of `ApplicationId`; 0 when there is no parent. */
  ParentApplicationId: id,
  /** Session id of the sender. */
  SessionId: neededText,
  PartyId: neededText,
};

/** An invite to another user's activity, or a request for such an invite; `Type` distinguishes them. */
export class ActivityInvite extends objectOf(fields, { isValid: false }) {
  static readonly nullobj = nullObject('ActivityInvite', new ActivityInvite(), new ActivityInvite());

  /**
   * Whether the sender's party can still be joined, according to the last presence received; false for a null object.
   * The service rejects invites older than six hours.
   */
  override IsValid(): boolean {
    return super.IsValid() && this.read('isValid');
  }

  SetIsValid(value: boolean): void {
    this.write('isValid', value === true);
  }
}

/** The invite in an event of the chat client; missing fields become 0 or ''. */
export function inviteOf(data: object): ActivityInvite {
  const payload = data as Readonly<Record<string, unknown>>;
  const { type, activity } = payload;
  const invite = new ActivityInvite();
  invite.SetType(oneIn(ActivityActionTypes, type) ?? ActivityActionTypes.Invalid);
  invite.SetSenderId(idOf(member(payload['user'], 'id')));
  invite.SetChannelId(idOf(payload['channel_id']));
  invite.SetMessageId(idOf(payload['message_id']));
  invite.SetApplicationId(idOf(payload['application_id'] ?? member(activity, 'application_id')));
  invite.SetParentApplicationId(idOf(member(activity, 'parent_application_id')));
  invite.SetSessionId(text(payload['session_id'] ?? member(activity, 'session_id')));
  invite.SetPartyId(text(member(member(activity, 'party'), 'id')));
  invite.SetIsValid(true);
  return invite;
}

/** The invite in a gateway message; undefined for a message without one. */
export function inviteInMessage(message: Readonly<Record<string, unknown>>): ActivityInvite | undefined {
  const { activity, author, id } = message;
  const type = member(activity, 'type');
  if (type !== ActivityActionTypes.Join && type !== ActivityActionTypes.JoinRequest) return undefined;
  const party = { id: member(activity, 'party_id') };
  return inviteOf({
    ...message,
    user: author,
    message_id: id,
    type,
    activity: { ...(activity as object), party },
  });
}
