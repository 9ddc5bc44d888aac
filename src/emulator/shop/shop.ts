import type { User } from '../fixture/fixture.ts';
import type { Entitlement, Sku } from '../fixture/records.ts';
import type { World } from '../world.ts';

/** What applications sell, and who owns or takes part in them. */
export class Shop {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  skus(applicationId: string): readonly Sku[] {
    return this.#world.state.skus.filter(({ application }) => application === applicationId);
  }

  /** What the logged-in user owns of an application. */
  entitlements(applicationId: string): readonly Entitlement[] {
    const { state } = this.#world;
    return state.entitlements.filter(
      ({ application, user, deleted }) => application === applicationId && user === state.me && !deleted,
    );
  }

  /** Who takes part in an application's embedded activity: the logged-in user, and those the fixture names. */
  participants(applicationId: string): readonly User[] {
    const { state } = this.#world;
    const named = state.participants.filter(({ application }) => application === applicationId);
    const ids = new Set([state.me, ...named.map(({ user }) => user)]);
    return [...ids].flatMap((id) => state.users.filter((user) => user.id === id));
  }
}
