import { RowTimers } from '../../api/row-timers.ts';
import type { World, Writing } from '../../api/world.ts';
import type { Clock, EmulatorClock } from '../../kernel/clock.ts';
import { SettingError } from '../../kernel/errors.ts';
import { MAX_RECORDS } from '../../kernel/limits.ts';
import { giveEntitlement } from './entitlements.ts';
import type { Subscription } from './records.ts';

/** Length of a subscription period: 30 days, in milliseconds. */
const PERIOD_MS = 30 * 86_400_000;
/**
 * Type of the SKUs of subscriptions (`SUBSCRIPTION_SKU`), and type of the entitlements that a subscription includes
 * (`APPLICATION_SUBSCRIPTION`).
 */
const SUBSCRIPTION_SKU = 5;
const APPLICATION_SUBSCRIPTION = 8;

/** Deactivates `ending` subscriptions at the end of their period. */
export function subscriptionTimers(world: World, clock: EmulatorClock): RowTimers<'subscriptions'> {
  return new RowTimers(world, clock, {
    name: 'the time of subscriptions',
    table: 'subscriptions',
    due: ({ status, current_period_end: end }) => (status === 'ending' ? Date.parse(end) : undefined),
    fire: (ending) =>
      world.transaction((tables) => {
        endEntitlements(tables, ending, ending.current_period_end);
        tables.subscriptions.update(ending.id, { status: 'inactive' });
      }),
  });
}

/**
 * Recurring payments of users. Any status may follow any other, as on the platform. An active subscription is renewed
 * only by an explicit payment.
 */
export class Subscriptions {
  readonly #world: World;
  readonly #clock: Clock;

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
  }

  /** Starts a subscription for a user or a guild. @throws SettingError for a SKU of another type. */
  start(user: string, skuId: string, guild: string | null): Subscription {
    const { skus, guilds, subscriptions } = this.#world.tables;
    const sku = skus.get(skuId);
    const quoted = (id: string): string => JSON.stringify(id.slice(0, 64));
    if (sku === undefined) throw new SettingError('', `there is no SKU ${quoted(skuId)}; give the id of one`);
    if (sku.type !== SUBSCRIPTION_SKU) {
      throw new SettingError(
        '',
        `${sku.name} is sold once; a SKU of type ${SUBSCRIPTION_SKU} can be subscribed to`,
      );
    }
    if (guild !== null && !guilds.has(guild)) {
      throw new SettingError('', `there is no guild ${quoted(guild)}; give the id of one`);
    }
    if (subscriptions.size >= MAX_RECORDS) {
      throw new SettingError('', `there are ${MAX_RECORDS} subscriptions already`);
    }
    const now = this.#clock.now();
    return this.#world.transaction((tables) => {
      const entitlement = giveEntitlement(this.#world, tables, now, {
        sku: sku.id,
        application: sku.application,
        user,
        guild,
        type: APPLICATION_SUBSCRIPTION,
        starts_at: text(now),
      });
      return tables.subscriptions.insert({
        id: this.#world.ids.next(now, (id) => tables.subscriptions.has(id)),
        user,
        skus: [sku.id],
        renewal_skus: null,
        entitlements: [entitlement.id],
        current_period_start: text(now),
        current_period_end: text(now + PERIOD_MS),
        status: 'active',
        canceled_at: null,
      });
    });
  }

  /**
   * Sets the status of a subscription. With `inactive`, its entitlements end. @throws SettingError for an unknown id.
   */
  set(id: string, status: Subscription['status']): Subscription {
    return this.#change(id, (tables, before) => {
      const now = this.#clock.now();
      const canceled = status === 'ending' ? (before.canceled_at ?? text(now)) : before.canceled_at;
      endEntitlements(tables, before, status === 'inactive' ? text(now) : null);
      return { status, canceled_at: status === 'active' ? null : canceled };
    });
  }

  /**
   * Renews a subscription for another period. The period begins at the end of the last one or, for an inactive
   * subscription, now. @throws SettingError for an unknown id.
   */
  renew(id: string): Subscription {
    return this.#change(id, (tables, before) => {
      const end = Date.parse(before.current_period_end);
      const start = before.status === 'inactive' ? this.#clock.now() : end;
      endEntitlements(tables, before, null);
      return {
        status: 'active',
        canceled_at: null,
        current_period_start: text(start),
        current_period_end: text(start + PERIOD_MS),
        ...(before.renewal_skus === null ? {} : { skus: before.renewal_skus, renewal_skus: null }),
      };
    });
  }

  /**
   * Refunds a subscription: it becomes inactive, and its entitlements are revoked. @throws SettingError for an unknown id.
   */
  refund(id: string): Subscription {
    return this.#change(id, (tables, before) => {
      endEntitlements(tables, before, text(this.#clock.now()));
      for (const one of before.entitlements) tables.entitlements.update(one, { deleted: true });
      return { status: 'inactive' };
    });
  }

  #change(
    id: string,
    change: (tables: Writing, before: Subscription) => Partial<Subscription>,
  ): Subscription {
    const before = this.#world.tables.subscriptions.get(id);
    if (before === undefined) {
      throw new SettingError(
        '',
        `there is no subscription ${JSON.stringify(id.slice(0, 64))}; give the id of one`,
      );
    }
    return this.#world.transaction((tables) => tables.subscriptions.update(id, change(tables, before)));
  }
}

function text(ms: number): string {
  return new Date(ms).toISOString();
}

/** Sets the end of a subscription's entitlements; null means no end. */
function endEntitlements(
  { entitlements }: Writing,
  { entitlements: ids }: Subscription,
  end: string | null,
): void {
  for (const id of ids) if (entitlements.get(id)?.ends_at !== end) entitlements.update(id, { ends_at: end });
}
