import type { World } from '../../api/world.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { User } from '../../users/records.ts';
import { giveEntitlement, isEnded, isOwnedBy } from './entitlements.ts';
import type { Entitlement, Sku } from './records.ts';
import { Subscriptions } from './subscriptions.ts';

/** SKUs, entitlements and participants of applications. */
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

  /** The entitlements of the logged-in user for an application. */
  entitlements(applicationId: string): readonly Entitlement[] {
    const { entitlements, me } = this.#world.tables;
    const now = this.#clock.now();
    return [...entitlements.by('user', me.value)].filter(
      (one) => one.application === applicationId && isOwnedBy(one, me.value) && !isEnded(one, now),
    );
  }

  /** Creates the entitlement of a confirmed purchase by the logged-in user. @throws SettingError when the table is full. */
  buy(applicationId: string, skuId: string): Entitlement {
    const { me } = this.#world.tables;
    const bought = { sku: skuId, application: applicationId, user: me.value };
    return this.#world.transaction((tables) =>
      giveEntitlement(this.#world, tables, this.#clock.now(), bought),
    );
  }

  /**
   * The participants of an application's embedded activity: the logged-in user, and the participants in the fixture.
   */
  participants(applicationId: string): readonly User[] {
    const { participants, me, users } = this.#world.tables;
    const named = [...participants.by('application', applicationId)].map(({ user }) => user);
    return [...new Set([me.value, ...named])].flatMap((id) => users.get(id) ?? []);
  }
}
