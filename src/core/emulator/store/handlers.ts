import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { ErrorCode } from '../../../protocol/error-code.ts';
import { RpcError } from '../../../protocol/errors.ts';
import type { ResultOf } from '../../../protocol/registry.ts';
import type { CoreHandlers } from '../../core.ts';
import type { AppSession } from '../app-session.ts';
import { rpcEntitlement, rpcSku } from './shapes.ts';

/** Commands on SKUs and entitlements; `recorded` asks the user whether to buy. */
export function storeHandlers(
  emulator: Emulator,
  { clientId }: AppSession,
  recorded: CoreHandlers,
): CoreHandlers {
  const skus = (): ResultOf<'GET_SKUS'> => emulator.store.skus(clientId).map(rpcSku);
  const owned = (): ResultOf<'GET_ENTITLEMENTS'> => emulator.store.entitlements(clientId).map(rpcEntitlement);
  return {
    VALIDATE_APPLICATION() {
      if (emulator.store.entitlements(clientId).length > 0) return null;
      throw new RpcError(ErrorCode.INVALID_ENTITLEMENT, 'The user does not own this application');
    },
    GET_SKUS: skus,
    GET_ENTITLEMENTS: owned,
    GET_SKUS_EMBEDDED: () => ({ skus: skus() }),
    GET_ENTITLEMENTS_EMBEDDED: () => ({ entitlements: owned() }),
    async START_PURCHASE(args, call) {
      await recorded.START_PURCHASE?.(args, call);
      return [rpcEntitlement(emulator.store.buy(clientId, args.sku_id))];
    },
  };
}
