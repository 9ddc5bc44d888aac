import {
  type EntitlementChange,
  entitlementChanges,
  isOwnedBy,
} from '../../../emulator/applications/monetization/entitlements.ts';
import type { Entitlement } from '../../../emulator/applications/monetization/records.ts';
import { defineCommitEvents } from '../rpc-event.ts';
import { rpcEntitlement } from './shapes.ts';

/** Events for entitlements that the logged-in user gains or loses. */
export const entitlementEvents = defineCommitEvents({
  events: ['ENTITLEMENT_CREATE', 'ENTITLEMENT_DELETE'],
  tables: ['entitlements'],
  *derive(commit, { emulator }) {
    for (const change of entitlementChanges(commit)) {
      const found = ownedChange(change, emulator.me().id);
      if (found === undefined) continue;
      const { event, entitlement } = found;
      yield {
        event,
        data: () => ({ entitlement: rpcEntitlement(entitlement) }),
        to: { clientId: entitlement.application },
      };
    }
  },
});

function ownedChange(
  change: EntitlementChange,
  me: string,
):
  | { readonly event: 'ENTITLEMENT_CREATE' | 'ENTITLEMENT_DELETE'; readonly entitlement: Entitlement }
  | undefined {
  const { entitlement } = change;
  const owned = isOwnedBy(entitlement, me);
  if (change.type === 'entitlement-created') {
    return owned ? { event: 'ENTITLEMENT_CREATE', entitlement } : undefined;
  }
  if (change.type === 'entitlement-removed') {
    const wasOwned = isOwnedBy({ ...entitlement, deleted: false }, me);
    return wasOwned ? { event: 'ENTITLEMENT_DELETE', entitlement } : undefined;
  }
  // A change may have moved the entitlement to another owner.
  if (isOwnedBy(change.before, me) === owned) return undefined;
  return owned
    ? { event: 'ENTITLEMENT_CREATE', entitlement }
    : { event: 'ENTITLEMENT_DELETE', entitlement: { ...change.before, deleted: true } };
}
