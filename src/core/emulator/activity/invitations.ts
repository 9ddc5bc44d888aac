import { ErrorCode } from '../../../protocol/error-code.ts';
import { RpcError } from '../../../protocol/errors.ts';
import type { CoreHandlers } from '../../core.ts';
import type { AppSession, Shared } from '../app-session.ts';
import { requireUser } from '../refusals.ts';
import { inviteData, sendJoin } from './events.ts';
import { type Host, requireHost } from './host.ts';

/**
 * Commands that bring two players together. Only one user is logged in, so another connected session of the same
 * application represents the other player's game: that session gets the invite, and the secret to join.
 */
export function invitationHandlers(shared: Shared, session: AppSession): CoreHandlers {
  const { emulator } = shared;
  const close = ({ user_id }: { readonly user_id: string }): null => {
    if (emulator.invitations.answer(user_id, session.clientId)) return null;
    throw noRequest(user_id);
  };
  return {
    SEND_ACTIVITY_JOIN_INVITE({ user_id }) {
      if (!emulator.invitations.hasRequested(user_id, session.clientId)) throw noRequest(user_id);
      const host = requireHost(shared, session);
      emulator.invitations.answer(user_id, session.clientId);
      // The guest's game may run elsewhere and get the invite over the gateway.
      emulator.invitations.invite(offerOf(shared, host, user_id));
      for (const guest of guestsOf(shared, host)) sendJoin(shared, guest, host.secret);
      return null;
    },
    CLOSE_ACTIVITY_JOIN_REQUEST: close,
    CLOSE_ACTIVITY_REQUEST: close,
    ACTIVITY_INVITE_USER({ user_id }) {
      requireUser(emulator, user_id);
      const host = requireHost(shared, session);
      const invite = emulator.invitations.invite(offerOf(shared, host, user_id));
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

function offerOf({ emulator }: Shared, { session, activity, secret }: Host, recipient: string) {
  const { id, clientId: application } = session;
  return { sender: emulator.me().id, recipient, application, session: id, activity, secret, host: id };
}

function guestsOf({ sessions }: Shared, host: Host): AppSession[] {
  return [...sessions.values()].filter(
    ({ id, clientId }) => clientId === host.session.clientId && id !== host.session.id,
  );
}

function noRequest(userId: string): RpcError {
  return new RpcError(
    ErrorCode.INVALID_ACTIVITY_JOIN_REQUEST,
    `user_id: the user ${userId} has not asked to join, or was answered already`,
  );
}
