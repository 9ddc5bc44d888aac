import type { World } from '../../api/world.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { User } from '../../users/records.ts';
import { giveEntitlement, isEnded, isOwnedBy } from './entitlements.ts';
import type { Entitlement, Sku } from './records.ts';
import { Subscriptions } from './subscriptions.ts';

/** What applications sell, and who owns or takes part in them. */
export class ApplicationStore {
  readonly #world: World;
  readonly #clock: Clock;

  readonly subscriptions: Subscriptions;

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
    this.subscriptions = new Subscriptions(world, clock);
  }

  skus(applicationId: string): readonly Sku[] {
    return [...this.#world.tables.skus.by('application', applicationId)];
  }

  /** What the logged-in user owns of an application. */
  entitlements(applicationId: string): readonly Entitlement[] {
    const { entitlements, me } = this.#world.tables;
    const now = this.#clock.now();
    return [...entitlements.by('user', me.value)].filter(
      (one) => one.application === applicationId && isOwnedBy(one, me.value) && !isEnded(one, now),
    );
  }

  /** Gives the logged-in user something that a person has agreed to buy. @throws SettingError when they own too much. */
  buy(applicationId: string, skuId: string): Entitlement {
    const { me } = this.#world.tables;
    const bought = { sku: skuId, application: applicationId, user: me.value };
    return this.#world.transaction((tables) =>
      giveEntitlement(this.#world, tables, this.#clock.now(), bought),
    );
  }

  /** Who takes part in an application's embedded activity: the logged-in user, and those the fixture names. */
  participants(applicationId: string): readonly User[] {
    const { participants, me, users } = this.#world.tables;
    const named = [...participants.by('application', applicationId)].map(({ user }) => user);
    return [...new Set([me.value, ...named])].flatMap((id) => users.get(id) ?? []);
  }
}
