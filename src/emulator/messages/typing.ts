import type { Clock } from '../kernel/clock.ts';

/** Duration of a typing indicator (ms). */
const TYPING_MS = 10_000;

/** Who types where. No row stores it: an indicator ends after ten seconds, or with a message of the user. */
export class Typing {
  readonly #clock: Clock;
  /** Time (ms) at which each user began, by channel. */
  readonly #channels = new Map<string, Map<string, number>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes that a user types. */
  start(channel: string, user: string): void {
    const here = this.#channels.get(channel) ?? new Map<string, number>();
    here.set(user, this.#clock.now());
    this.#channels.set(channel, here);
  }

  /** Users who type, each with the time (ms) at which the indicator was set. */
  in(channel: string): ReadonlyMap<string, number> {
    const here = this.#channels.get(channel);
    if (here === undefined) return new Map();
    const now = this.#clock.now();
    for (const [user, since] of here) if (now - since >= TYPING_MS || since > now) here.delete(user);
    if (here.size === 0) this.#channels.delete(channel);
    return here;
  }
}

/** Access to the typing indicators. */
export interface HasTyping {
  readonly typing: Typing;
}
