import type { Change } from '../../../emulator/change.ts';
import type { Shared } from '../app-session.ts';
import { rpcEntitlement } from './shapes.ts';

/** Turns a change of what the user owns into events. */
export function tellStore(change: Change, { host }: Shared): void {
  switch (change.type) {
    case 'entitlement-created':
    case 'entitlement-removed': {
      const evt = change.type === 'entitlement-created' ? 'ENTITLEMENT_CREATE' : 'ENTITLEMENT_DELETE';
      const entitlement = rpcEntitlement(change.entitlement);
      host.emit(evt, { entitlement }, { clientId: change.entitlement.application });
      return;
    }
    default:
      return;
  }
}
