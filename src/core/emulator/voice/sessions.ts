import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { VoiceState } from '../../../emulator/guilds/voice/records.ts';
import type { EventDataOf, EventName } from '../../../protocol/registry.ts';
import type { AppSession } from '../app-session.ts';
import { invalidChannel } from '../refusals.ts';
import type { Replays } from '../replays.ts';
import type { FeedContext, Outgoing } from '../rpc-event.ts';
import { rpcUser } from '../user/shapes.ts';

// The documentation does not define the id of a voice session: here it is the id of the call's channel.

type Participants = EventDataOf<'VOICE_SESSION_PARTICIPANTS_UPDATE'>;

/**
 * Current values at the start of a subscription. Throws RpcError 4005 for a voice session that is closed to the app.
 */
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

/** Event for the participants of a channel's call. */
export function* participantsIn(
  channelId: string,
  context: FeedContext,
): Iterable<Outgoing<'VOICE_SESSION_PARTICIPANTS_UPDATE'>> {
  const event = 'VOICE_SESSION_PARTICIPANTS_UPDATE';
  const data = () => participants(context.emulator, channelId);
  for (const to of audience(event, channelId, context)) yield { event, data, to };
}

/** Event for a user in a channel's call who starts or stops speaking. */
export function* speakingInSession(
  event: 'VOICE_SESSION_SPEAKING_START' | 'VOICE_SESSION_SPEAKING_STOP',
  { user, channel }: Pick<VoiceState, 'user' | 'channel'>,
  context: FeedContext,
): Iterable<Outgoing<typeof event>> {
  const data = () => ({ session_id: channel, user_id: user });
  for (const to of audience(event, channel, context)) yield { event, data, to };
}

function* audience(event: EventName, channelId: string, { emulator, subscribers }: FeedContext) {
  for (const session of subscribers.of(event)) {
    if (!hasPart(emulator, session, channelId)) continue;
    yield { sessionId: session.id, filter: { session_id: channelId } };
  }
}

/**
 * Whether the app may follow a channel's call: only the call of the app's user, and the call in the channel of its
 * activity.
 */
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
