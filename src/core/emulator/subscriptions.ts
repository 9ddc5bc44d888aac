import type { Emulator } from '../../emulator/compose/emulator.ts';
import { RpcError } from '../../protocol/errors.ts';
import { type EventName, findEvent } from '../../protocol/registry.ts';
import type { AppSession } from './app-session.ts';
import { guildReplays } from './guild/subscriptions.ts';
import { overlayReplays } from './overlay/overlay.ts';
import type { Replays } from './replays.ts';
import { userReplays } from './user/subscriptions.ts';
import { videoReplays } from './video.ts';
import { voiceSessionReplays } from './voice/sessions.ts';
import { voiceReplays } from './voice/subscriptions.ts';

/**
 * Accepts a subscription and returns the current values of a state-type event, which are dispatched right after the
 * answer. Throws RpcError 4003 (unknown guild), 4005 (unknown or unreadable channel), 4004 (unknown process), or the
 * refusal of an event that the emulator never causes.
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

function replays(emulator: Emulator, session: AppSession): Replays {
  return {
    ...userReplays(emulator, session),
    ...guildReplays(emulator),
    ...voiceReplays(emulator, session),
    ...voiceSessionReplays(emulator, session),
    ...overlayReplays(emulator),
    ...videoReplays(emulator),
  };
}
