import type * as z from 'zod';
import { timestamp } from '../../api/fields.ts';
import type { Entitlement, Sku, Subscription } from './records.ts';
import type { entitlementShape, skuShape, subscriptionShape } from './shapes.ts';

/** Status numbers of subscriptions in the platform's API. */
const STATUS = { active: 0, inactive: 1, ending: 2 } as const;

/** The view of an entitlement that its application receives. */
export function entitlementAnswer(entitlement: Entitlement): z.output<typeof entitlementShape> {
  const { id, sku, application, user, guild, type, deleted, consumed, starts_at, ends_at } = entitlement;
  return {
    id,
    sku_id: sku,
    application_id: application,
    user_id: user,
    ...(guild === null ? {} : { guild_id: guild }),
    type,
    deleted,
    consumed,
    starts_at: momentOrNull(starts_at),
    ends_at: momentOrNull(ends_at),
  };
}

/** The view of a SKU. */
export function skuAnswer({ id, type, application, name, flags }: Sku): z.output<typeof skuShape> {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return { id, type, application_id: application, name, slug, flags };
}

/**
 * The view of a subscription. It omits the payer's country, which requires scopes that no token of the emulator has.
 */
export function subscriptionAnswer(subscription: Subscription): z.output<typeof subscriptionShape> {
  const { id, user, skus, renewal_skus, entitlements, status, canceled_at } = subscription;
  return {
    id,
    user_id: user,
    sku_ids: [...skus],
    renewal_sku_ids: renewal_skus === null ? null : [...renewal_skus],
    entitlement_ids: [...entitlements],
    current_period_start: timestamp(Date.parse(subscription.current_period_start)),
    current_period_end: timestamp(Date.parse(subscription.current_period_end)),
    status: STATUS[status],
    canceled_at: momentOrNull(canceled_at),
  };
}

function momentOrNull(written: string | null): string | null {
  return written === null ? null : timestamp(Date.parse(written));
}
