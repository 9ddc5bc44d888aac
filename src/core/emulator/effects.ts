import type { Emulator } from '../../emulator/emulator.ts';
import type { CoreHandlers } from '../core.ts';
import type { AppSession } from './app-session.ts';
import { rpcEntitlement } from './shapes.ts';

/** What follows when a person allows a recorded command: the overlay is locked, the thing is bought. */
export function withEffects(
  recorded: CoreHandlers,
  emulator: Emulator,
  { clientId }: AppSession,
): CoreHandlers {
  const { SET_OVERLAY_LOCKED: lock, START_PURCHASE: purchase } = recorded;
  return {
    ...recorded,
    async SET_OVERLAY_LOCKED(args, call) {
      await lock?.(args, call);
      emulator.client.setOverlay({ ...emulator.client.overlay(args.pid), locked: args.locked });
      return null;
    },
    async START_PURCHASE(args, call) {
      await purchase?.(args, call);
      return [rpcEntitlement(emulator.shop.buy(clientId, args.sku_id))];
    },
  };
}
