import { isOwnedBy } from '../../../emulator/applications/monetization/entitlements.ts';
import type { Entitlement } from '../../../emulator/applications/monetization/records.ts';
import type { Change } from '../../../emulator/compose/change.ts';
import type { Shared } from '../app-session.ts';
import { rpcEntitlement } from './shapes.ts';

/** Turns a change of what the logged-in user owns into events. */
export function tellStore(change: Change, { emulator, host }: Shared): void {
  const isOurs = (one: Entitlement): boolean => isOwnedBy(one, emulator.me().id);
  const tell = (evt: 'ENTITLEMENT_CREATE' | 'ENTITLEMENT_DELETE', one: Entitlement): void => {
    host.emit(evt, { entitlement: rpcEntitlement(one) }, { clientId: one.application });
  };
  switch (change.type) {
    case 'entitlement-created':
      if (isOurs(change.entitlement)) tell('ENTITLEMENT_CREATE', change.entitlement);
      return;
    case 'entitlement-removed':
      if (isOurs({ ...change.entitlement, deleted: false })) tell('ENTITLEMENT_DELETE', change.entitlement);
      return;
    case 'entitlement-updated': {
      const { before, entitlement } = change;
      // It may have gone to or come from somebody else.
      if (isOurs(before) === isOurs(entitlement)) return;
      if (isOurs(entitlement)) tell('ENTITLEMENT_CREATE', entitlement);
      else tell('ENTITLEMENT_DELETE', { ...before, deleted: true });
      return;
    }
    default:
      return;
  }
}
