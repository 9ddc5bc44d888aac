import { within } from '../../client/limit.ts';
import { Activity } from '../activity.ts';
import { ActivityInvite } from '../activity-invite.ts';
import { idText, valid } from '../checks.ts';
import type { Core } from '../core.ts';
import { ActivityActionTypes, ErrorType } from '../enums.ts';
import { Failed } from '../outcome.ts';
import { lacksScope } from '../presence.ts';
import { member, text as textOf } from '../raw.ts';
import { type ClientResult, ValidationError } from '../result.ts';
import { type Id, instance, text } from '../values.ts';
import { toWire } from '../wire-activity.ts';
import { action, callbackValues, method, request } from './row.ts';

/** Receives the secret that lets the player join the game; '' on failure. */
export type AcceptActivityInviteCallback = (result: ClientResult, joinSecret: string) => void;

const SECRET = callbackValues(
  { joinSecret: '' },
  (call: AcceptActivityInviteCallback, { result, joinSecret }) => call(result, joinSecret),
);

const checkInvite = (invite: ActivityInvite): ActivityInvite => instance('invite', invite, ActivityInvite);

/** Entry points for the player's activity and for invites to activities. */
export const ACTIVITIES = {
  /**
   * Shows an activity now and on each later connection. The chat client shows it when one runs; else the service shows
   * it, which needs only a token and no session.
   */
  UpdateRichPresence: action(async ({ presence }, activity: Activity) => presence.display(toWire(activity)), {
    check: (activity) => instance('activity', activity, Activity),
  }),

  /** Clears the activity. */
  ClearRichPresence: method(({ chat, presence }): void => {
    void chat.client?.rpc.clearActivity();
    presence.clear();
  }),

  /**
   * Invites a player to the current activity, which needs a party's id and a join secret. `content` is the text of the
   * message, and may be empty.
   */
  SendActivityInvite: action(async (core, userId: Id, content: string) => {
    const other = idText('userId', userId);
    const message = valid(() => text('content', content));
    await invitePlayer(core, other, message, 'ACTIVITY_INVITE_USER');
  }),

  /** Requests an invite from a player. The service sends the request, because the chat client has no command for it. */
  SendActivityJoinRequest: action(async (core, userId: Id) =>
    write(core, idText('userId', userId), '', { type: ActivityActionTypes.JoinRequest }),
  ),

  /**
   * Invites a player who requested an invite. `invite` is the argument of `SetActivityInviteCreatedCallback` and has
   * the type JoinRequest.
   */
  SendActivityJoinRequestReply: action(
    async (core, invite: ActivityInvite) => {
      needType(invite, 'JoinRequest');
      await invitePlayer(core, String(invite.SenderId()), '', 'SEND_ACTIVITY_JOIN_INVITE');
    },
    { check: checkInvite },
  ),

  /**
   * Accepts an invite of type Join. Resolves with the secret that the sender's game has set and by which it admits the
   * player.
   */
  AcceptActivityInvite: request(
    SECRET,
    async (core, invite: ActivityInvite) => {
      needType(invite, 'Join');
      return { joinSecret: await accept(core, invite) };
    },
    { check: checkInvite },
  ),
};

/**
 * Sends the invite through the chat client when it shows the activity; else, or without the chat client's permission,
 * through the service.
 */
async function invitePlayer(
  core: Core,
  userId: string,
  content: string,
  command: 'ACTIVITY_INVITE_USER' | 'SEND_ACTIVITY_JOIN_INVITE',
): Promise<void> {
  const { presence, host } = core;
  if (presence.isWithChat) {
    try {
      const chat = core.chat.need();
      const rpc = await chat.need();
      const pid = host.pid ?? 0;
      if (command === 'SEND_ACTIVITY_JOIN_INVITE')
        await rpc.request(command, { user_id: userId, pid }, chat.inTime);
      else await rpc.request(command, { user_id: userId, type: 1, content, pid }, chat.inTime);
      return;
    } catch (error) {
      if (!(lacksScope(error) && core.token !== undefined)) throw error;
    }
  }
  const { partyId } = presence;
  const party = partyId === undefined ? {} : { party_id: partyId };
  await write(core, userId, content, { type: ActivityActionTypes.Join, ...party });
}

async function write(
  { service, applicationId }: Core,
  userId: string,
  content: string,
  activity: object,
): Promise<void> {
  const body = { content, activity, application_id: String(applicationId) };
  await service.made('POST', `/users/${userId}/messages`, body);
}

async function accept(core: Core, invite: ActivityInvite): Promise<string> {
  const { service, token } = core;
  if (token === undefined) return acceptByChat(core, invite);
  const [sender, session] = [invite.SenderId(), encodeURIComponent(invite.SessionId())];
  const path = `/users/${sender}/sessions/${session}/activities/${invite.ApplicationId()}/${invite.Type()}`;
  const query = `channel_id=${invite.ChannelId()}&message_id=${invite.MessageId()}`;
  const secret = textOf((await service.object('GET', `${path}?${query}`))['secret']);
  if (secret !== '') return secret;
  throw new Failed(ErrorType.HTTPError, 'The service answered without a secret');
}

/** Accepts an invite through the chat client, which sends the secret in an event. */
async function acceptByChat(core: Core, invite: ActivityInvite): Promise<string> {
  const chat = core.chat.need();
  const rpc = await chat.need();
  let deliver = (_data: unknown): void => {};
  const secret = new Promise<string>((resolve) => {
    deliver = (data) => resolve(textOf(member(data, 'secret')));
  });
  const stop = await rpc.subscribeRaw('ACTIVITY_JOIN', {}, (data) => deliver(data), chat.inTime);
  try {
    await rpc.request(
      'ACCEPT_ACTIVITY_INVITE',
      {
        type: 1,
        user_id: String(invite.SenderId()),
        session_id: invite.SessionId(),
        channel_id: String(invite.ChannelId()),
        message_id: String(invite.MessageId()),
        application_id: String(invite.ApplicationId()),
      },
      chat.inTime,
    );
    return await within(secret, 'ACTIVITY_JOIN', core.timeoutMs);
  } finally {
    void stop();
  }
}

function needType(invite: ActivityInvite, wanted: 'Join' | 'JoinRequest'): void {
  if (valid(() => invite.Type()) === ActivityActionTypes[wanted]) return;
  throw new ValidationError(`invite: must be of type ${wanted}, as SetActivityInviteCreatedCallback told it`);
}
