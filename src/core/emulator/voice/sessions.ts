import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { EventDataOf } from '../../../protocol/registry.ts';
import type { AppSession, Shared } from '../app-session.ts';
import { invalidChannel } from '../refusals.ts';
import type { Replays } from '../replays.ts';
import { rpcUser } from '../user/shapes.ts';

// The documents do not say what a voice session is called: here it is the call of a channel, by the channel's id.

type Participants = EventDataOf<'VOICE_SESSION_PARTICIPANTS_UPDATE'>;

/** The current values that a subscription begins with. Throws RpcError 4005 for a session that the app has no part in. */
export function voiceSessionReplays(emulator: Emulator, session: AppSession): Replays {
  const requirePart = (id: string): void => {
    if (!hasPart(emulator, session, id)) {
      throw invalidChannel('session_id names no voice session of the user or of this activity');
    }
  };
  const speaking = ({ session_id }: { readonly session_id: string }): [] => {
    requirePart(session_id);
    return [];
  };
  return {
    VOICE_SESSION_PARTICIPANTS_UPDATE({ session_id }) {
      requirePart(session_id);
      return [participants(emulator, session_id)];
    },
    VOICE_SESSION_SPEAKING_START: speaking,
    VOICE_SESSION_SPEAKING_STOP: speaking,
  };
}

/** Sends who takes part in the call of a channel, once that is different. */
export function tellParticipants(channelId: string, shared: Shared): void {
  const data = participants(shared.emulator, channelId);
  for (const to of audience(channelId, shared)) {
    shared.host.emit('VOICE_SESSION_PARTICIPANTS_UPDATE', data, to);
  }
}

/** Sends that somebody in the call of a channel began to speak, or stopped. */
export function tellSessionSpeaking(
  { type, userId, channelId }: { readonly type: string; readonly userId: string; readonly channelId: string },
  shared: Shared,
): void {
  const event = type === 'speaking-started' ? 'VOICE_SESSION_SPEAKING_START' : 'VOICE_SESSION_SPEAKING_STOP';
  for (const to of audience(channelId, shared)) {
    shared.host.emit(event, { session_id: channelId, user_id: userId }, to);
  }
}

function* audience(channelId: string, { emulator, sessions }: Shared) {
  for (const session of sessions.values()) {
    if (!hasPart(emulator, session, channelId)) continue;
    yield { sessionId: session.id, filter: { session_id: channelId } };
  }
}

/** The app is told of the call that its user is in, and of the one in the channel of its activity; of no other. */
function hasPart(emulator: Emulator, { clientId, instance: id }: AppSession, channelId: string): boolean {
  if (emulator.channel(channelId).kind !== 'found') return false;
  if (emulator.selectedVoiceChannel()?.id === channelId) return true;
  return id !== undefined && emulator.activities.instance(clientId, id)?.channel === channelId;
}

function participants(emulator: Emulator, channelId: string): Participants {
  const users = emulator.calls.in(channelId).flatMap(({ user }) => emulator.user(user) ?? []);
  return {
    session_id: channelId,
    participants: users.map((user) => ({ ...rpcUser(user), nickname: user.global_name ?? user.username })),
  };
}
