import type { Entitlement, Sku } from '../../../emulator/applications/monetization/records.ts';
import type { EventDataOf, ResultOf } from '../../../protocol/registry.ts';

/** Entitlement of the user. */
export function rpcEntitlement(owned: Entitlement): EventDataOf<'ENTITLEMENT_CREATE'>['entitlement'] {
  const { id, sku, application, user, type, deleted } = owned;
  return { id, sku_id: sku, application_id: application, user_id: user, type, deleted, gift_code_flags: 0 };
}

/** SKU. All prices are 0: the emulator has no payments. */
export function rpcSku({ id, name, type, application, flags }: Sku): ResultOf<'GET_SKUS'>[number] {
  const price = { amount: 0, currency: 'usd' };
  return { id, name, type, application_id: application, price, flags, release_date: null };
}
