import type { Change } from '../../../emulator/compose/change.ts';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { ErrorCode } from '../../../protocol/error-code.ts';
import { RpcError } from '../../../protocol/errors.ts';
import type { CoreHandlers } from '../../core.ts';
import type { Shared } from '../app-session.ts';
import type { Replays } from '../replays.ts';

/** The lowest process id that an overlay can be over. */
const LOWEST_PID = 10;

/** Locking the overlay; `recorded` asks a person first. */
export function overlayHandlers(emulator: Emulator, recorded: CoreHandlers): CoreHandlers {
  return {
    async SET_OVERLAY_LOCKED(args, call) {
      await recorded.SET_OVERLAY_LOCKED?.(args, call);
      emulator.client.setOverlay({ ...emulator.client.overlay(args.pid), locked: args.locked });
      return null;
    },
  };
}

/** Turns a change of the overlay into events. */
export function tellOverlay(change: Change, { host }: Shared): void {
  if (change.type !== 'overlay-updated') return;
  const { pid, enabled, locked } = change.overlay;
  host.emit('OVERLAY_UPDATE', { enabled, locked }, { filter: { pid } });
}

/** The current value that a subscription begins with. Throws RpcError 4004: no such process. */
export function overlayReplays(emulator: Emulator): Replays {
  return {
    OVERLAY_UPDATE({ pid }) {
      if (pid < LOWEST_PID)
        throw new RpcError(ErrorCode.INVALID_EVENT, `pid: no overlay is over process ${pid}`);
      const { enabled, locked } = emulator.client.overlay(pid);
      return [{ enabled, locked }];
    },
  };
}
