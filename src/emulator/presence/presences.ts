import type { Clock } from '../clock.ts';
import { isSameJson } from '../same-json.ts';

/** What an app says the user does. The service reads no more of it than it must. */
export interface Activity {
  readonly application_id: string;
  readonly [key: string]: unknown;
}

/** Others see at most this many updates of one app ... */
const UPDATES = 5;
/** ... within this time, in milliseconds. */
const WINDOW_MS = 20_000;

interface Presence {
  /** What the app set last. */
  current: Activity | null;
  /** What others see. */
  shown: Activity | null;
  /** When others were last told, oldest first. */
  told: readonly number[];
  cancel: (() => void) | undefined;
}

/**
 * One activity per connected app. An app may update it as often as it likes; others see five updates in 20 s,
 * and of those beyond only the last one, as soon as the limit lets it through.
 */
export class Presences {
  readonly #clock: Clock;
  readonly #shown: (key: string, activity: Activity | null) => void;
  readonly #byKey = new Map<string, Presence>();

  /** `shown` is told whenever what others see becomes different. */
  constructor(clock: Clock, shown: (key: string, activity: Activity | null) => void) {
    this.#clock = clock;
    this.#shown = shown;
  }

  /** Sets or clears an app's activity; one that is equal to the current changes nothing. */
  set(key: string, activity: Activity | null): void {
    const presence = this.#byKey.get(key) ?? { current: null, shown: null, told: [], cancel: undefined };
    this.#byKey.set(key, presence);
    if (isSameJson(presence.current, activity)) return;
    presence.current = activity;
    // The timer that runs will take what is current by then.
    if (presence.cancel === undefined) this.#show(key, presence);
  }

  /** What an app set last. */
  current(key: string): Activity | null {
    return this.#byKey.get(key)?.current ?? null;
  }

  /** What others see, the oldest app first. */
  shown(): readonly { readonly key: string; readonly activity: Activity }[] {
    return [...this.#byKey].flatMap(([key, { shown }]) => (shown === null ? [] : [{ key, activity: shown }]));
  }

  /** The app is gone, and so is what it showed. */
  drop(key: string): void {
    const presence = this.#byKey.get(key);
    if (presence === undefined) return;
    this.#byKey.delete(key);
    presence.cancel?.();
    if (presence.shown !== null) this.#shown(key, null);
  }

  #show(key: string, presence: Presence): void {
    const now = this.#clock.now();
    presence.cancel = undefined;
    if (isSameJson(presence.shown, presence.current)) return;
    presence.told = presence.told.filter((time) => time > now - WINDOW_MS && time <= now);
    const oldest = presence.told[0];
    if (presence.told.length >= UPDATES && oldest !== undefined) {
      const wait = oldest + WINDOW_MS - now;
      presence.cancel = this.#clock.setTimeout(() => this.#show(key, presence), wait);
      return;
    }
    presence.told = [...presence.told, now];
    presence.shown = presence.current;
    this.#shown(key, presence.shown);
  }
}
