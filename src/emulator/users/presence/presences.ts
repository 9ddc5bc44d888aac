import type { World } from '../../api/world.ts';
import type { Clock } from '../../kernel/clock.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import type { Activity } from './records.ts';

/** Maximum number of public updates of one app within `WINDOW_MS`. */
const UPDATES = 5;
/** Window of the limit for public updates, in milliseconds. */
const WINDOW_MS = 20_000;

/** State of an app's update limit. The table `presences` stores the public activity itself. */
interface Pacing {
  /** Last activity that the app set. */
  current: Activity | null;
  /** Times of the last public updates, oldest first. */
  sentAt: readonly number[];
  cancel: (() => void) | undefined;
}

/**
 * Activities of connected apps, one per app. An app may update its activity at any rate, but at most five updates in 20
 * s become public. Of further updates, only the last becomes public, as soon as the limit allows it.
 */
export class Presences {
  readonly #world: World;
  readonly #clock: Clock;
  readonly #byKey = new Map<string, Pacing>();

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
  }

  /** Sets or clears an app's activity; an activity that equals the current one changes nothing. */
  set(key: string, activity: Activity | null): void {
    const pacing = this.#byKey.get(key) ?? { current: null, sentAt: [], cancel: undefined };
    if (isSameJson(pacing.current, activity)) return;
    this.#byKey.set(key, pacing);
    pacing.current = activity;
    // A running timer will publish the current activity.
    if (pacing.cancel === undefined) this.#publish(key, pacing);
  }

  /** Last activity that an app set. */
  current(key: string): Activity | null {
    return this.#byKey.get(key)?.current ?? null;
  }

  /** Public activities, ordered from the oldest app to the newest. */
  visible(): readonly { readonly key: string; readonly activity: Activity }[] {
    return [...this.#world.tables.presences].map(({ session, activity }) => ({ key: session, activity }));
  }

  /** Removes a disconnected app and its activity. */
  drop(key: string): void {
    const pacing = this.#byKey.get(key);
    if (pacing === undefined) return;
    this.#byKey.delete(key);
    pacing.cancel?.();
    this.#put(key, null);
  }

  #publish(key: string, pacing: Pacing): void {
    const now = this.#clock.now();
    pacing.cancel = undefined;
    const visible = this.#world.tables.presences.get(key)?.activity ?? null;
    if (isSameJson(visible, pacing.current)) return;
    pacing.sentAt = pacing.sentAt.filter((time) => time > now - WINDOW_MS && time <= now);
    const oldest = pacing.sentAt[0];
    if (pacing.sentAt.length >= UPDATES && oldest !== undefined) {
      const wait = oldest + WINDOW_MS - now;
      pacing.cancel = this.#clock.setTimeout(() => this.#publish(key, pacing), wait);
      return;
    }
    pacing.sentAt = [...pacing.sentAt, now];
    this.#put(key, pacing.current);
  }

  #put(session: string, activity: Activity | null): void {
    if (activity === null && !this.#world.tables.presences.has(session)) return;
    const since = this.#world.tables.presences.get(session)?.since ?? this.#clock.now();
    // An app has one activity of limited size, so it needs no room of its own.
    this.#world.always(() =>
      this.#world.transaction(({ presences }) => {
        if (activity === null) presences.remove(session);
        else presences.put({ session, activity, since });
      }),
    );
  }
}
