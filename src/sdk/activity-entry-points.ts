import { within } from '../client/limit.ts';
import { AccountEntryPoints } from './account-entry-points.ts';
import { Activity } from './activity.ts';
import { ActivityInvite, inviteOf } from './activity-invite.ts';
import type { CallbackOf } from './callbacks.ts';
import { idText, valid } from './checks.ts';
import type { Core } from './core.ts';
import { ActivityActionTypes, ErrorType } from './enums.ts';
import { Failed, type Outcome } from './outcome.ts';
import { lacksScope } from './presence.ts';
import { idOf, member, text as textOf } from './raw.ts';
import { type ClientResult, type ResultCallback, ValidationError } from './result.ts';
import { type Id, instance, text } from './values.ts';
import { toWire } from './wire-activity.ts';

/** Gets what lets the player into the game; '' on failure. */
export type AcceptActivityInviteCallback = (result: ClientResult, joinSecret: string) => void;

/** What the player does, and who invites whom to it. */
export class ActivityEntryPoints extends AccountEntryPoints {
  readonly #core: Core;

  constructor(core: Core) {
    super(core);
    this.#core = core;
  }

  /**
   * Shows an activity, now and on each connection to come: by the chat client where one runs, else by the service, also where
   * there is no session but a token.
   */
  UpdateRichPresence(activity: Activity, callback?: ResultCallback): Promise<Outcome> {
    instance('activity', activity, Activity);
    const work = async (): Promise<object> => {
      await this.#core.presence.show(toWire(activity));
      return {};
    };
    return this.#core.settle('UpdateRichPresence', {}, work, callback, (call, { result }) => call(result));
  }

  /** Shows nothing any more. */
  ClearRichPresence(): void {
    void this.#core.chat?.rpc.clearActivity();
    this.#core.presence.clear();
  }

  /**
   * Invites a player to what this one plays: the activity that is shown, which needs a party's id and a join secret. `content` is
   * written beside it, and may be empty.
   */
  SendActivityInvite(userId: Id, content: string, callback?: ResultCallback): Promise<Outcome> {
    const work = async (): Promise<object> => {
      const other = idText('userId', userId);
      const said = valid(() => text('content', content));
      await this.#invite(other, said, 'ACTIVITY_INVITE_USER');
      return {};
    };
    return this.#core.settle('SendActivityInvite', {}, work, callback, (call, { result }) => call(result));
  }

  /** Asks a player to be invited to what they play. The chat client knows no way to ask: it is the service that is asked. */
  SendActivityJoinRequest(userId: Id, callback?: ResultCallback): Promise<Outcome> {
    const work = async (): Promise<object> => {
      await this.#write(idText('userId', userId), '', { type: ActivityActionTypes.JoinRequest });
      return {};
    };
    return this.#core.settle('SendActivityJoinRequest', {}, work, callback, (call, { result }) =>
      call(result),
    );
  }

  /** Invites whoever has asked to be: `invite` is what `SetActivityInviteCreatedCallback` told, of type JoinRequest. */
  SendActivityJoinRequestReply(invite: ActivityInvite, callback?: ResultCallback): Promise<Outcome> {
    instance('invite', invite, ActivityInvite);
    const work = async (): Promise<object> => {
      needType(invite, 'JoinRequest');
      await this.#invite(String(invite.SenderId()), '', 'SEND_ACTIVITY_JOIN_INVITE');
      return {};
    };
    return this.#core.settle('SendActivityJoinRequestReply', {}, work, callback, (call, { result }) =>
      call(result),
    );
  }

  /** Takes an invite of type Join up: gives the secret that the sender's game has set, by which this game lets the player in. */
  AcceptActivityInvite(
    invite: ActivityInvite,
    callback?: AcceptActivityInviteCallback,
  ): Promise<Outcome<{ readonly joinSecret: string }>> {
    instance('invite', invite, ActivityInvite);
    const work = async (): Promise<{ joinSecret: string }> => {
      needType(invite, 'Join');
      return { joinSecret: await this.#accept(invite) };
    };
    const empty = { joinSecret: '' };
    return this.#core.settle('AcceptActivityInvite', empty, work, callback, (call, { result, joinSecret }) =>
      call(result, joinSecret),
    );
  }

  /** Called for each invite to a friend's game, and each wish to be invited, wherever it reached the player. Undefined ends it. */
  SetActivityInviteCreatedCallback(
    callback: CallbackOf<'SetActivityInviteCreatedCallback'> | undefined,
  ): void {
    const core = this.#core;
    core.callbacks.set('SetActivityInviteCreatedCallback', callback);
    const told = (data: object): void => {
      if (!core.isChatForeign) core.invites.take(inviteOf(data ?? {}));
    };
    core.want('ACTIVITY_INVITE', callback && told);
    core.want('ACTIVITY_JOIN_REQUEST', callback && told);
  }

  /** Called when whoever sent an invite cannot be joined any more, or again: `IsValid` says which. Undefined ends it. */
  SetActivityInviteUpdatedCallback(
    callback: CallbackOf<'SetActivityInviteUpdatedCallback'> | undefined,
  ): void {
    this.#core.callbacks.set('SetActivityInviteUpdatedCallback', callback);
  }

  /** Called with the secret when the player takes an invite up in the chat client. Undefined ends it. */
  SetActivityJoinCallback(callback: CallbackOf<'SetActivityJoinCallback'> | undefined): void {
    this.#core.callbacks.set('SetActivityJoinCallback', callback);
    this.#wantJoins();
  }

  /** The same, with the application that is to be joined, which may be a sibling. Undefined ends it. */
  SetActivityJoinWithApplicationCallback(
    callback: CallbackOf<'SetActivityJoinWithApplicationCallback'> | undefined,
  ): void {
    this.#core.callbacks.set('SetActivityJoinWithApplicationCallback', callback);
    this.#wantJoins();
  }

  #wantJoins(): void {
    const core = this.#core;
    const { callbacks, applicationId } = core;
    const names = ['SetActivityJoinCallback', 'SetActivityJoinWithApplicationCallback'] as const;
    const told = (data: object): void => {
      if (core.isChatForeign) return;
      const secret = textOf(member(data, 'secret'));
      callbacks.tell('SetActivityJoinCallback', secret);
      const application = idOf(member(data, 'application_id'));
      callbacks.tell(
        'SetActivityJoinWithApplicationCallback',
        application === 0n ? applicationId : application,
        secret,
      );
    };
    core.want('ACTIVITY_JOIN', names.some((name) => callbacks.has(name)) ? told : undefined);
  }

  /** By whoever shows what is invited to; a chat client that does not let the game leaves it to the service. */
  async #invite(
    userId: string,
    content: string,
    command: 'ACTIVITY_INVITE_USER' | 'SEND_ACTIVITY_JOIN_INVITE',
  ): Promise<void> {
    const { presence, host } = this.#core;
    if (presence.isWithChat) {
      try {
        const chat = this.#core.needChat();
        const rpc = await chat.need();
        const pid = host.pid ?? 0;
        if (command === 'SEND_ACTIVITY_JOIN_INVITE')
          await rpc.request(command, { user_id: userId, pid }, chat.inTime);
        else await rpc.request(command, { user_id: userId, type: 1, content, pid }, chat.inTime);
        return;
      } catch (error) {
        if (!(lacksScope(error) && this.#core.token !== undefined)) throw error;
      }
    }
    const { partyId } = presence;
    const party = partyId === undefined ? {} : { party_id: partyId };
    await this.#write(userId, content, { type: ActivityActionTypes.Join, ...party });
  }

  async #write(userId: string, content: string, activity: object): Promise<void> {
    const { service, applicationId } = this.#core;
    const body = { content, activity, application_id: String(applicationId) };
    await service.made('POST', `/users/${userId}/messages`, body);
  }

  async #accept(invite: ActivityInvite): Promise<string> {
    const { service, token } = this.#core;
    if (token === undefined) return this.#acceptByChat(invite);
    const [sender, session] = [invite.SenderId(), encodeURIComponent(invite.SessionId())];
    const path = `/users/${sender}/sessions/${session}/activities/${invite.ApplicationId()}/${invite.Type()}`;
    const query = `channel_id=${invite.ChannelId()}&message_id=${invite.MessageId()}`;
    const secret = textOf((await service.object('GET', `${path}?${query}`))['secret']);
    if (secret !== '') return secret;
    throw new Failed(ErrorType.HTTPError, 'The service answered without a secret');
  }

  /** The chat client hands the secret over by an event. */
  async #acceptByChat(invite: ActivityInvite): Promise<string> {
    const chat = this.#core.needChat();
    const rpc = await chat.need();
    let hear = (_data: unknown): void => {};
    const secret = new Promise<string>((resolve) => {
      hear = (data) => resolve(textOf(member(data, 'secret')));
    });
    const stop = await rpc.subscribeRaw('ACTIVITY_JOIN', {}, (data) => hear(data), chat.inTime);
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
      return await within(secret, 'ACTIVITY_JOIN', this.#core.timeoutMs);
    } finally {
      void stop();
    }
  }
}

function needType(invite: ActivityInvite, wanted: 'Join' | 'JoinRequest'): void {
  if (valid(() => invite.Type()) === ActivityActionTypes[wanted]) return;
  throw new ValidationError(`invite: must be of type ${wanted}, as SetActivityInviteCreatedCallback told it`);
}
