import type { Emulator } from '../../emulator/emulator.ts';
import { RpcError } from '../../protocol/errors.ts';
import type { EventArgsOf, EventDataOf, EventName } from '../../protocol/registry.ts';
import { findEvent } from '../../protocol/registry.ts';
import { ErrorCode } from '../../wire/codes.ts';
import type { AppSession } from './app-session.ts';
import { requireChannel, requireGuild, requireReadable } from './refusals.ts';
import { ownMember, partialGuild, rpcUser } from './shapes.ts';
import { applicationVoice, connectionStatus, voiceSettings, voiceStatesOf } from './shapes-voice.ts';

/** The lowest process id that an overlay can be over. */
const LOWEST_PID = 10;

type Replays = { readonly [E in EventName]?: (args: EventArgsOf<E>) => readonly EventDataOf<E>[] };

/**
 * Accepts a subscription and returns the current values of a state-type event, which are dispatched right after
 * the answer. Throws RpcError 4003 (no such guild), 4005 (no such channel, or not readable), 4004 (no such
 * process), or the refusal of an event that nothing here could cause.
 */
export function subscribe(
  emulator: Emulator,
  session: AppSession,
  event: EventName,
  args: unknown,
): readonly unknown[] {
  const refusal = findEvent(event)?.refusal;
  if (refusal !== undefined) throw new RpcError(refusal.code, refusal.message);
  const replay = replays(emulator, session)[event] as ((args: unknown) => readonly unknown[]) | undefined;
  return replay?.(args) ?? [];
}

/** Forgets what {@link subscribe} noted. */
export function unsubscribe(session: AppSession, event: EventName, args: unknown): void {
  const channelId = (args as { readonly channel_id?: string | null } | null)?.channel_id;
  if (channelId) session.unlisten(event, channelId);
}

function replays(emulator: Emulator, session: AppSession): Replays {
  const inChannel = ({ channel_id }: { readonly channel_id: string }): [] => {
    requireChannel(emulator, channel_id);
    return [];
  };
  const readable = ({ channel_id }: { readonly channel_id: string }): [] => {
    requireReadable(emulator, channel_id);
    return [];
  };
  const speaking =
    (event: EventName) =>
    ({ channel_id }: { readonly channel_id?: string | null | undefined }): [] => {
      if (channel_id) {
        requireChannel(emulator, channel_id);
        session.listen(event, channel_id);
      }
      return [];
    };
  return {
    CURRENT_USER_UPDATE: () => [rpcUser(emulator.me(), session.seesPremium)],
    CURRENT_GUILD_MEMBER_UPDATE: ({ guild_id }) => [ownMember(emulator, requireGuild(emulator, guild_id).id)],
    GUILD_STATUS: ({ guild_id }) => [
      { guild: partialGuild(requireGuild(emulator, guild_id)), online: 0 as const },
    ],
    MESSAGE_CREATE: readable,
    MESSAGE_UPDATE: readable,
    MESSAGE_DELETE: readable,
    OVERLAY_UPDATE({ pid }) {
      if (pid < LOWEST_PID)
        throw new RpcError(ErrorCode.INVALID_EVENT, `pid: no overlay is over process ${pid}`);
      const { enabled, locked } = emulator.client.overlay(pid);
      return [{ enabled, locked }];
    },
    SCREENSHARE_STATE_UPDATE: () => [screenshare(emulator)],
    SPEAKING_START: speaking('SPEAKING_START'),
    SPEAKING_STOP: speaking('SPEAKING_STOP'),
    VIDEO_STATE_UPDATE: () => [{ active: emulator.client.state.video_active }],
    VOICE_CONNECTION_STATUS: () => [connectionStatus(emulator.voiceConnection.status)],
    VOICE_SETTINGS_UPDATE: () => [voiceSettings(emulator)],
    VOICE_SETTINGS_UPDATE_2: () => [applicationVoice(emulator, session.clientId)],
    VOICE_STATE_CREATE: inChannel,
    VOICE_STATE_DELETE: inChannel,
    VOICE_STATE_UPDATE({ channel_id }) {
      requireChannel(emulator, channel_id);
      return voiceStatesOf(emulator, channel_id);
    },
  };
}

/** Whether the user shares a screen, and of what. */
export function screenshare(emulator: Emulator): EventDataOf<'SCREENSHARE_STATE_UPDATE'> {
  const { active, pid, application } = emulator.client.state.screenshare;
  if (!active) return { active, pid: null, application: null };
  return { active, pid, application: application === null ? null : { name: application } };
}
