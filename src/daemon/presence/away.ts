import type { LoginSession, SessionState } from '../../../platform/session/login-session.ts';
import { messageOf } from '../../base/local-error.ts';
import type { Logger } from '../../server/options.ts';

/** Services that the detection of absence needs. */
export interface AwayOptions {
  readonly session: LoginSession;
  readonly logger: Logger;
  /** Called with each change. */
  setAway(isAway: boolean): void;
  /** ms since the Unix epoch. */
  now(): number;
  /** Interval of the checks (ms); for tests. */
  readonly pollMs?: number;
}

/** Interval of the checks (ms): one check costs about 10 ms of processor time. */
const POLL_MS = 5000;

/** Hides presence while the login session has been idle or locked for some time. */
export class Away {
  readonly #options: AwayOptions;
  #afterMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Number of changes of the setting, so that a check that began before the last one has no effect. */
  #generation = 0;
  /** Time at which a check first found the session locked; logind does not report it. */
  #lockedSince: number | undefined;
  #problem: string | undefined;
  /** True while the user counts as away because no check has ended yet. */
  #isAssumed = false;

  constructor(options: AwayOptions) {
    this.#options = options;
  }

  /** Why the setting has no effect, in one line; undefined where it has, and while it is off. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Counts the user as away until the first check: a bridge may start while its user is away. */
  assume(): void {
    this.#isAssumed = this.#options.session.kind === 'supported';
    if (this.#isAssumed) this.#options.setAway(true);
  }

  /** Sets the time (ms) after which an idle user is away; undefined turns the detection off. */
  apply(afterMs: number | undefined): void {
    if (afterMs === this.#afterMs) return;
    this.#stop();
    this.#afterMs = afterMs;
    this.#problem = undefined;
    if (afterMs === undefined) {
      this.#options.setAway(false);
      return;
    }
    const { session } = this.#options;
    if (session.kind === 'unsupported') this.#fail(session.reason);
    else void this.#check(session, afterMs, this.#generation);
  }

  close(): void {
    this.#stop();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#generation += 1;
    this.#lockedSince = undefined;
  }

  async #check(
    session: Extract<LoginSession, { readonly kind: 'supported' }>,
    afterMs: number,
    generation: number,
  ): Promise<void> {
    const state = await session.current().catch((error: unknown) => messageOf(error));
    if (generation !== this.#generation) return;
    // A user who was away and whose state is unknown now stays away: only an active user shows presence again.
    if (typeof state === 'string') {
      this.#fail(state);
      if (this.#isAssumed) this.#options.setAway(false);
    } else {
      this.#problem = undefined;
      this.#options.setAway(this.#idleMs(state) >= afterMs);
    }
    this.#isAssumed = false;
    const { pollMs = POLL_MS } = this.#options;
    this.#timer = setTimeout(() => void this.#check(session, afterMs, generation), pollMs).unref();
  }

  /** Time for which the session is idle or locked (ms); negative while the user is active. */
  #idleMs({ idleSince, isLocked }: SessionState): number {
    const now = this.#options.now();
    this.#lockedSince = isLocked ? (this.#lockedSince ?? now) : undefined;
    return (
      now - Math.min(idleSince ?? Number.POSITIVE_INFINITY, this.#lockedSince ?? Number.POSITIVE_INFINITY)
    );
  }

  /** Warns once, until a check succeeds again. */
  #fail(reason: string): void {
    if (this.#problem === undefined)
      this.#options.logger.warn({ reason }, 'presence_away has no effect: not supported here');
    this.#problem = `presence_away has no effect: ${reason}`;
  }
}
