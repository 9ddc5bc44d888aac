import { type Dispatched, defineDispatch } from '../../api/dispatch.ts';
import type { Committed, Reading } from '../../api/world.ts';
import { entitlementAnswer, subscriptionAnswer } from './answers.ts';
import { type EntitlementChange, entitlementChanges } from './entitlements.ts';
import type { Subscription } from './records.ts';
import { entitlementShape, subscriptionShape } from './shapes.ts';

/** Sends an event only to the bot of the application that owns the data. */
function toBotOf(application: string | undefined, data: object): Dispatched {
  return {
    canSee: (listener) => listener.kind === 'bot' && listener.application.id === application,
    data: () => data,
  };
}

function entitlements(type: EntitlementChange['type']) {
  return (commit: Committed) =>
    entitlementChanges(commit)
      .filter((change) => change.type === type)
      .map(({ entitlement }) => toBotOf(entitlement.application, entitlementAnswer(entitlement)));
}

function subscriptions(rowsOf: (commit: Committed) => readonly Subscription[]) {
  return (commit: Committed, { world: { tables } }: { readonly world: { readonly tables: Reading } }) =>
    rowsOf(commit).map((row) =>
      toBotOf(tables.skus.get(row.skus[0] ?? '')?.application, subscriptionAnswer(row)),
    );
}

const ofEntitlements = { intents: [], tables: ['entitlements'], shape: entitlementShape } as const;
const ofSubscriptions = { intents: [], tables: ['subscriptions'], shape: subscriptionShape } as const;

/** Gateway events of purchases. */
export const storeDispatches = [
  defineDispatch({
    ...ofEntitlements,
    event: 'ENTITLEMENT_CREATE',
    summary: 'An entitlement was created.',
    derive: entitlements('entitlement-created'),
  }),
  defineDispatch({
    ...ofEntitlements,
    event: 'ENTITLEMENT_UPDATE',
    summary: 'An entitlement ended, was used, or changed otherwise.',
    derive: entitlements('entitlement-updated'),
  }),
  defineDispatch({
    ...ofEntitlements,
    event: 'ENTITLEMENT_DELETE',
    summary: 'An entitlement was revoked.',
    derive: entitlements('entitlement-removed'),
  }),
  defineDispatch({
    ...ofSubscriptions,
    event: 'SUBSCRIPTION_CREATE',
    summary: 'A subscription started.',
    derive: subscriptions((commit) => commit.of('subscriptions').created),
  }),
  defineDispatch({
    ...ofSubscriptions,
    event: 'SUBSCRIPTION_UPDATE',
    summary: 'A subscription was renewed, is ending, or changed otherwise.',
    derive: subscriptions((commit) => commit.of('subscriptions').updated.map(({ after }) => after)),
  }),
  defineDispatch({
    ...ofSubscriptions,
    event: 'SUBSCRIPTION_DELETE',
    summary: 'A subscription was deleted.',
    derive: subscriptions((commit) => commit.of('subscriptions').removed),
  }),
];
