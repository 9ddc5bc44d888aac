import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { Activity } from '../../../emulator/users/presence/records.ts';
import type { EventDataOf } from '../../../protocol/registry.ts';
import { withoutSecrets } from '../../public-activity.ts';
import type { AppSession, Shared } from '../app-session.ts';
import { requireUser } from '../refusals.ts';
import { defineSignalEvents } from '../rpc-event.ts';
import { rpcUser } from '../user/shapes.ts';
import { findHost } from './host.ts';

const INVITE = 1;
const JOIN_REQUEST = 5;
const INTENT_PLAY = 0;
const INTENT_SPECTATE = 1;

/**
 * Sends the event to join a party, under its current and its older name, to one app or to all apps of an application.
 * Returns the number of apps.
 */
export function sendJoin({ host }: Shared, to: AppSession | string, secret: string): number {
  const target = typeof to === 'string' ? { clientId: to } : { sessionId: to.id };
  const application = typeof to === 'string' ? to : to.clientId;
  const data = { secret, intent: INTENT_PLAY, application_id: application };
  return Math.max(host.emit('ACTIVITY_JOIN', data, target), host.emit('GAME_JOIN', data, target));
}

/**
 * Sends the event to watch a game, under its current and its older name, to all apps of an application. Returns the
 * number of apps.
 */
export function sendSpectate({ host }: Shared, clientId: string, secret: string): number {
  const data = { secret, intent: INTENT_SPECTATE, application_id: clientId };
  return Math.max(
    host.emit('ACTIVITY_SPECTATE', data, { clientId }),
    host.emit('GAME_SPECTATE', data, { clientId }),
  );
}

/** Events for an invite from another user to the logged-in user's game party. */
export const invitedEvents = defineSignalEvents({
  signal: 'play-invited',
  events: ['ACTIVITY_INVITE'],
  *derive({ invite }, context) {
    if (invite.recipient !== context.emulator.me().id) return;
    const to = { clientId: invite.application };
    yield { event: 'ACTIVITY_INVITE', data: () => inviteData(context, invite), to };
  },
});

/** Events for another user's request that the logged-in user invite them to a game. */
export const joinRequestEvents = defineSignalEvents({
  signal: 'join-asked',
  events: ['ACTIVITY_JOIN_REQUEST'],
  *derive({ request }, context) {
    const { application, to } = request;
    if (to !== context.emulator.me().id) return;
    const activity = findHost(context, application)?.activity ?? bareActivity(application, context.emulator);
    const data = () => joinRequestData(context, request, activity);
    yield { event: 'ACTIVITY_JOIN_REQUEST', data, to: { clientId: application } };
  },
});

/** Minimal activity for an application that has set none. */
export function bareActivity(id: string, emulator: Pick<Emulator, 'application'>): Activity {
  return { application_id: id, name: emulator.application(id)?.name ?? id, type: 0, metadata: {} };
}

/** `data` of ACTIVITY_INVITE. The activity contains the session id, which ACCEPT_ACTIVITY_INVITE repeats. */
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
