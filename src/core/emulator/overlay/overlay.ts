import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { ErrorCode } from '../../../protocol/error-code.ts';
import { RpcError } from '../../../protocol/errors.ts';
import type { CoreHandlers } from '../../core.ts';
import type { Replays } from '../replays.ts';
import { defineCommitEvents } from '../rpc-event.ts';

/** Minimum process id that may have an overlay. */
const LOWEST_PID = 10;

/** Handlers that lock the overlay; `recorded` asks the user first. */
export function overlayHandlers(emulator: Emulator, recorded: CoreHandlers): CoreHandlers {
  return {
    async SET_OVERLAY_LOCKED(args, call) {
      await recorded.SET_OVERLAY_LOCKED?.(args, call);
      emulator.client.setOverlay({ ...emulator.client.overlay(args.pid), locked: args.locked });
      return null;
    },
  };
}

/** Event for the overlay of a process; an overlay that was removed is sent as off and locked. */
export const overlayEvents = defineCommitEvents({
  events: ['OVERLAY_UPDATE'],
  tables: ['overlays'],
  *derive(commit) {
    const { created, updated, removed } = commit.of('overlays');
    const off = removed.map(({ pid }) => ({ pid, enabled: false, locked: true }));
    for (const { pid, enabled, locked } of [...created, ...updated.map(({ after }) => after), ...off]) {
      yield { event: 'OVERLAY_UPDATE', data: () => ({ enabled, locked }), to: { filter: { pid } } };
    }
  },
});

/** Current value at the start of a subscription. Throws RpcError 4004 for an unknown process. */
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
