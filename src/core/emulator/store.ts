import type { Emulator } from '../../emulator/emulator.ts';
import type { Sku } from '../../emulator/fixture/records.ts';
import { RpcError } from '../../protocol/errors.ts';
import type { ResultOf } from '../../protocol/registry.ts';
import { ErrorCode } from '../../wire/codes.ts';
import type { CoreHandlers } from '../core.ts';
import type { AppSession } from './app-session.ts';
import { rpcEntitlement } from './shapes.ts';

/** The commands about what the application sells and the user owns. */
export function storeHandlers(emulator: Emulator, { clientId }: AppSession): CoreHandlers {
  const skus = (): ResultOf<'GET_SKUS'> => emulator.shop.skus(clientId).map(rpcSku);
  const owned = (): ResultOf<'GET_ENTITLEMENTS'> => emulator.shop.entitlements(clientId).map(rpcEntitlement);
  return {
    VALIDATE_APPLICATION() {
      if (emulator.shop.entitlements(clientId).length > 0) return null;
      throw new RpcError(ErrorCode.INVALID_ENTITLEMENT, 'The user does not own this application');
    },
    GET_SKUS: skus,
    GET_ENTITLEMENTS: owned,
    GET_SKUS_EMBEDDED: () => ({ skus: skus() }),
    GET_ENTITLEMENTS_EMBEDDED: () => ({ entitlements: owned() }),
  };
}

function rpcSku({ id, name, type, application }: Sku): ResultOf<'GET_SKUS'>[number] {
  return { id, name, type, application_id: application };
}
