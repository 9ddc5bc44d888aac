import type { Clock } from '../clock.ts';
import { SettingError } from '../errors.ts';
import type { User } from '../fixture/fixture.ts';
import type { Entitlement, Sku } from '../fixture/records.ts';
import { snowflakeAt } from '../fixture/snowflake.ts';
import type { World } from '../world.ts';

/** Most entitlements of all users. */
const MOST = 10_000;

/** What applications sell, and who owns or takes part in them. */
export class Shop {
  readonly #world: World;
  readonly #clock: Clock;

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
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

  /** Gives the logged-in user something that a person has agreed to buy. @throws SettingError when they own too much. */
  buy(applicationId: string, skuId: string): Entitlement {
    const { state } = this.#world;
    if (state.entitlements.length >= MOST) {
      throw new SettingError('', `there are ${MOST} entitlements already; take some back first`);
    }
    const bought: Entitlement = {
      id: snowflakeAt(this.#clock.now(), (id) => state.entitlements.some((other) => other.id === id)),
      sku: skuId,
      application: applicationId,
      user: state.me,
      type: 1,
      deleted: false,
    };
    this.#world.commit({ ...state, entitlements: [...state.entitlements, bought] });
    return bought;
  }

  /** Who takes part in an application's embedded activity: the logged-in user, and those the fixture names. */
  participants(applicationId: string): readonly User[] {
    const { state } = this.#world;
    const named = state.participants.filter(({ application }) => application === applicationId);
    const ids = new Set([state.me, ...named.map(({ user }) => user)]);
    return [...ids].flatMap((id) => state.users.filter((user) => user.id === id));
  }
}
