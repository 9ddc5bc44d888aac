import { type Dispatched, defineDispatch } from '../../api/dispatch.ts';
import { entitlementAnswer, subscriptionAnswer } from './answers.ts';
import { entitlementChanges } from './entitlements.ts';
import { entitlementShape, subscriptionShape } from './shapes.ts';

/** Sends an event only to the bot of the application that owns the data. */
function toBotOf(application: string | undefined, data: object): Dispatched {
  return {
    canSee: (listener) => listener.kind === 'bot' && listener.application.id === application,
    data: () => data,
  };
}

const ENTITLEMENTS = [
  ['ENTITLEMENT_CREATE', 'entitlement-created', 'An entitlement was created.'],
  ['ENTITLEMENT_UPDATE', 'entitlement-updated', 'An entitlement ended, was used, or changed otherwise.'],
  ['ENTITLEMENT_DELETE', 'entitlement-removed', 'An entitlement was revoked.'],
] as const;

const SUBSCRIPTIONS = [
  ['SUBSCRIPTION_CREATE', 'created', 'A subscription started.'],
  ['SUBSCRIPTION_UPDATE', 'updated', 'A subscription was renewed, is ending, or changed otherwise.'],
  ['SUBSCRIPTION_DELETE', 'removed', 'A subscription was deleted.'],
] as const;

/** Gateway events of purchases. */
export const storeDispatches = [
  ...ENTITLEMENTS.map(([event, type, summary]) =>
    defineDispatch({
      event,
      summary,
      intents: [],
      tables: ['entitlements'],
      shape: entitlementShape,
      derive: (commit) =>
        entitlementChanges(commit)
          .filter((change) => change.type === type)
          .map(({ entitlement }) => toBotOf(entitlement.application, entitlementAnswer(entitlement))),
    }),
  ),
  ...SUBSCRIPTIONS.map(([event, kind, summary]) =>
    defineDispatch({
      event,
      summary,
      intents: [],
      tables: ['subscriptions'],
      shape: subscriptionShape,
      derive: (commit, { world: { tables } }) => {
        const changes = commit.of('subscriptions');
        const rows = kind === 'updated' ? changes.updated.map(({ after }) => after) : changes[kind];
        return rows.map((row) =>
          toBotOf(tables.skus.get(row.skus[0] ?? '')?.application, subscriptionAnswer(row)),
        );
      },
    }),
  ),
];
