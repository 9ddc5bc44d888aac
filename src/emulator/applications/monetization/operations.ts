import * as z from 'zod';
import { nameArg, operatorOperationsFor, USER_ARG } from '../../api/operator.ts';
import type { ApplicationStore } from './store.ts';

const operation = operatorOperationsFor<{ readonly store: Pick<ApplicationStore, 'subscriptions'> }>();

/** A subscription in the format of a fixture. */
const subscription = () =>
  z.object({
    id: z.string(),
    user: z.string(),
    skus: z.array(z.string()),
    renewal_skus: z.nullable(z.array(z.string())),
    entitlements: z.array(z.string()),
    current_period_start: z.string(),
    current_period_end: z.string(),
    status: z.enum(['active', 'inactive', 'ending']),
    canceled_at: z.nullable(z.string()),
  });

type Subscription = z.output<ReturnType<typeof subscription>>;

const subscriptionText = ({
  id,
  status,
  current_period_end: end,
}: Pick<Subscription, 'id' | 'status' | 'current_period_end'>) =>
  `Subscription ${id} is ${status}; its period ends ${end}.`;
const ID = { id: { name: 'ID', help: 'id of the subscription' } } as const;
const byId = () => z.object({ id: nameArg() });

/**
 * Operator operations on subscriptions; each returns the subscription. Users are given by id or name, all other records
 * by id.
 */
export const storeOperations = [
  operation({
    name: 'subscription.start',
    summary: 'Subscribe a user to a SKU, for the user or for a guild',
    about: '`sku` and `guild` are ids.',
    args: () => z.object({ user: nameArg(), sku: nameArg(), guild: z.optional(nameArg()) }),
    result: subscription,
    command: {
      name: 'subscription start',
      summary: 'Subscribe a user to a SKU',
      syntax: {
        user: USER_ARG,
        sku: { name: 'SKU', help: 'id of a SKU of type 5' },
        guild: {
          option: 'guild',
          name: 'GUILD',
          completes: 'guilds',
          help: 'id of the guild that it is for; default: the user alone',
        },
      },
      examples: [['subscription start otter 700000000000000003', 'For thirty days']],
      resultText: subscriptionText,
    },
    run: ({ store, lookup }, { user, sku, guild }) =>
      store.subscriptions.start(lookup.user(user).id, sku, guild ?? null),
  }),
  operation({
    name: 'subscription.set',
    summary: 'Set the status of a subscription',
    args: () => z.object({ id: nameArg(), status: z.enum(['active', 'ending', 'inactive']) }),
    result: subscription,
    command: {
      name: 'subscription set',
      syntax: {
        ...ID,
        status: {
          name: 'active|ending|inactive',
          help: 'renewed at its end, not renewed at its end, or not paid for',
          choices: ['active', 'ending', 'inactive'],
        },
      },
      details: [
        'An ending one becomes inactive at the end of its period, by the clock. Its entitlements end when it becomes inactive.',
      ],
      examples: [
        ['subscription set 1461234567890123456 ending', 'The user has cancelled it'],
        ['subscription set 1461234567890123456 inactive', 'It was not paid'],
      ],
      resultText: subscriptionText,
    },
    run: ({ store }, { id, status }) => store.subscriptions.set(id, status),
  }),
  operation({
    name: 'subscription.renew',
    summary: 'Renew a subscription for another period',
    args: byId,
    result: subscription,
    command: {
      name: 'subscription renew',
      syntax: ID,
      examples: [['subscription renew 1461234567890123456', 'For thirty days more']],
      resultText: subscriptionText,
    },
    run: ({ store }, { id }) => store.subscriptions.renew(id),
  }),
  operation({
    name: 'subscription.refund',
    summary: 'Refund a subscription: it becomes inactive, and its entitlements are revoked',
    args: byId,
    result: subscription,
    command: {
      name: 'subscription refund',
      syntax: ID,
      examples: [['subscription refund 1461234567890123456', 'ENTITLEMENT_DELETE']],
      resultText: subscriptionText,
    },
    run: ({ store }, { id }) => store.subscriptions.refund(id),
  }),
] as const;
