import type { Activity } from '../../emulator/activity/presences.ts';
import { RpcError } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import type { EventDataOf } from '../../protocol/registry.ts';
import { ErrorCode } from '../../wire/codes.ts';
import type { CoreHandlers } from '../core.ts';
import { withoutSecrets } from './activity.ts';
import type { AppSession, Shared } from './app-session.ts';
import { requireUser } from './refusals.ts';
import { rpcUser } from './shapes.ts';

/** A connected app that others can join. */
export interface Host {
  readonly session: AppSession;
  readonly activity: Activity;
  readonly secret: string;
}

const INVITE = 1;
const JOIN_REQUEST = 5;
const INTENT_PLAY = 0;
const INTENT_SPECTATE = 1;

/**
 * The commands that bring two players together. Only one user is logged in here, so another connected session of
 * the same application stands for the other player's game: it gets the invite, and the secret that lets it in.
 */
export function invitationHandlers(shared: Shared, session: AppSession): CoreHandlers {
  const { emulator } = shared;
  const close = ({ user_id }: { readonly user_id: string }): null => {
    if (emulator.invitations.answer(user_id, session.clientId)) return null;
    throw noRequest(user_id);
  };
  return {
    SEND_ACTIVITY_JOIN_INVITE({ user_id }) {
      if (!emulator.invitations.asked(user_id, session.clientId)) throw noRequest(user_id);
      const host = requireHost(shared, session);
      emulator.invitations.answer(user_id, session.clientId);
      for (const guest of guestsOf(shared, host)) sendJoin(shared, guest, host.secret);
      return null;
    },
    CLOSE_ACTIVITY_JOIN_REQUEST: close,
    CLOSE_ACTIVITY_REQUEST: close,
    ACTIVITY_INVITE_USER({ user_id }) {
      requireUser(emulator, user_id);
      const host = requireHost(shared, session);
      const me = emulator.me();
      const invite = emulator.invitations.invite({
        sender: me.id,
        application: session.clientId,
        session: host.session.id,
        activity: host.activity,
        secret: host.secret,
        host: host.session.id,
      });
      const data = inviteData(shared, invite);
      for (const guest of guestsOf(shared, host)) {
        shared.host.emit('ACTIVITY_INVITE', data, { sessionId: guest.id });
      }
      return null;
    },
    ACCEPT_ACTIVITY_INVITE({ user_id, session_id, channel_id, message_id, application_id }) {
      const invite = emulator.invitations.accept({
        sender: user_id,
        application: application_id ?? session.clientId,
        session: session_id,
        channel: channel_id,
        message: message_id,
      });
      if (invite === undefined) {
        throw new RpcError(ErrorCode.INVALID_INVITE, 'The invite was never made, is taken up or has ended');
      }
      sendJoin(shared, session, invite.secret);
      return null;
    },
  };
}

/** The first app of an application, `first` before the others, whose activity has a party and a join secret. */
export function findHost(shared: Shared, clientId: string, first?: AppSession): Host | undefined {
  const candidates = [...shared.sessions.values()].filter((session) => session.clientId === clientId);
  for (const session of first ? [first, ...candidates] : candidates) {
    const activity = shared.emulator.presences.current(session.id);
    const secret = secretOf(activity, 'join');
    if (activity !== null && secret !== undefined && isObject(activity['party']) && activity['party']['id']) {
      return { session, activity, secret };
    }
  }
  return undefined;
}

/** The secret that an application's own activity has set. Throws an Error with a plain message. */
export function ownSecret(
  { sessions, emulator }: Shared,
  clientId: string,
  kind: 'join' | 'spectate',
): string {
  for (const session of sessions.values()) {
    const activity = session.clientId === clientId ? emulator.presences.current(session.id) : null;
    const secret = secretOf(activity, kind);
    if (secret !== undefined) return secret;
  }
  throw new Error(`The application has set no activity with a ${kind} secret; give a secret`);
}

function secretOf(activity: Activity | null, kind: 'join' | 'spectate'): string | undefined {
  const secrets = activity?.['secrets'];
  const secret = isObject(secrets) ? secrets[kind] : undefined;
  return typeof secret === 'string' ? secret : undefined;
}

/** Tells one app, or all of an application, to join a party; under the older name too. Returns how many got it. */
export function sendJoin({ host }: Shared, to: AppSession | string, secret: string): number {
  const target = typeof to === 'string' ? { clientId: to } : { sessionId: to.id };
  const application = typeof to === 'string' ? to : to.clientId;
  const data = { secret, intent: INTENT_PLAY, application_id: application };
  return Math.max(host.emit('ACTIVITY_JOIN', data, target), host.emit('GAME_JOIN', data, target));
}

/** Tells all apps of an application to watch a game; under the older name too. Returns how many got it. */
export function sendSpectate({ host }: Shared, clientId: string, secret: string): number {
  const data = { secret, intent: INTENT_SPECTATE, application_id: clientId };
  return Math.max(
    host.emit('ACTIVITY_SPECTATE', data, { clientId }),
    host.emit('GAME_SPECTATE', data, { clientId }),
  );
}

/** `data` of ACTIVITY_INVITE. The activity names the session, which ACCEPT_ACTIVITY_INVITE gives back. */
export function inviteData(
  { emulator }: Shared,
  invite: {
    readonly sender: string;
    readonly session: string;
    readonly activity: Activity;
    readonly channel: string;
    readonly message: string;
  },
): EventDataOf<'ACTIVITY_INVITE'> {
  return {
    type: INVITE,
    user: rpcUser(requireUser(emulator, invite.sender)),
    activity: { ...withoutSecrets(invite.activity), session_id: invite.session },
    channel_id: invite.channel,
    message_id: invite.message,
  };
}

/** `data` of ACTIVITY_JOIN_REQUEST. */
export function joinRequestData(
  { emulator }: Shared,
  request: { readonly user: string; readonly channel: string; readonly message: string },
  activity: Activity,
): EventDataOf<'ACTIVITY_JOIN_REQUEST'> {
  return {
    type: JOIN_REQUEST,
    user: rpcUser(requireUser(emulator, request.user)),
    activity: withoutSecrets(activity),
    channel_id: request.channel,
    message_id: request.message,
  };
}

function guestsOf({ sessions }: Shared, host: Host): AppSession[] {
  return [...sessions.values()].filter(
    ({ id, clientId }) => clientId === host.session.clientId && id !== host.session.id,
  );
}

/** @throws RpcError 5006 */
function requireHost(shared: Shared, session: AppSession): Host {
  const host = findHost(shared, session.clientId, session);
  if (host !== undefined) return host;
  throw new RpcError(
    ErrorCode.NO_ELIGIBLE_ACTIVITY,
    'The application has no activity to join: SET_ACTIVITY with a party id and a join secret first',
  );
}

function noRequest(userId: string): RpcError {
  return new RpcError(
    ErrorCode.INVALID_ACTIVITY_JOIN_REQUEST,
    `user_id: the user ${userId} has not asked to join, or was answered already`,
  );
}
