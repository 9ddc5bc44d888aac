import { ActivityActionTypes } from './enums.ts';
import { nullObject, SdkObject } from './object.ts';
import { idOf, member, oneIn, text } from './raw.ts';
import { type Id, oneOf, text as textArgument, uint64 } from './values.ts';

interface InviteFields {
  type: ActivityActionTypes;
  senderId: bigint;
  channelId: bigint;
  messageId: bigint;
  applicationId: bigint;
  parentApplicationId: bigint;
  sessionId: string;
  partyId: string;
  isValid: boolean;
}

/** An invite to another user's activity, or a request for such an invite; `Type` distinguishes them. */
export class ActivityInvite extends SdkObject<InviteFields> {
  static readonly nullobj = nullObject('ActivityInvite', new ActivityInvite(), new ActivityInvite());

  constructor(other?: ActivityInvite) {
    super(other, {
      type: ActivityActionTypes.Invalid,
      senderId: 0n,
      channelId: 0n,
      messageId: 0n,
      applicationId: 0n,
      parentApplicationId: 0n,
      sessionId: '',
      partyId: '',
      isValid: false,
    });
  }

  Type(): ActivityActionTypes {
    return this.read('type');
  }

  SetType(value: ActivityActionTypes): void {
    this.write('type', oneOf('Type', value, ActivityActionTypes));
  }

  SenderId(): bigint {
    return this.read('senderId');
  }

  SetSenderId(value: Id): void {
    this.write('senderId', uint64('SenderId', value));
  }

  ChannelId(): bigint {
    return this.read('channelId');
  }

  SetChannelId(value: Id): void {
    this.write('channelId', uint64('ChannelId', value));
  }

  MessageId(): bigint {
    return this.read('messageId');
  }

  SetMessageId(value: Id): void {
    this.write('messageId', uint64('MessageId', value));
  }

  /** Application of the game; an invite may come from a sibling application. */
  ApplicationId(): bigint {
    return this.read('applicationId');
  }

  SetApplicationId(value: Id): void {
    this.write('applicationId', uint64('ApplicationId', value));
  }

  /** The publisher's application, which is the parent of `ApplicationId`; 0 when there is no parent. */
  ParentApplicationId(): bigint {
    return this.read('parentApplicationId');
  }

  SetParentApplicationId(value: Id): void {
    this.write('parentApplicationId', uint64('ParentApplicationId', value));
  }

  /** Session id of the sender. */
  SessionId(): string {
    return this.read('sessionId');
  }

  SetSessionId(value: string): void {
    this.write('sessionId', textArgument('SessionId', value));
  }

  PartyId(): string {
    return this.read('partyId');
  }

  SetPartyId(value: string): void {
    this.write('partyId', textArgument('PartyId', value));
  }

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
