import type { ActivityRules } from '../../../emulator/users/presence/records.ts';
import { ErrorCode } from '../../../protocol/error-code.ts';
import { RpcError } from '../../../protocol/errors.ts';
import { isObject } from '../../../protocol/json.ts';
import type { CoreCall } from '../../core.ts';
import { type ActivityWarning, lintActivity } from './warnings.ts';

/** A warning about an activity that an app has set. */
export interface SessionWarning extends ActivityWarning {
  readonly session: string;
  readonly clientId: string;
}

/** Maximum of warnings of one session, and of all sessions together. */
const MAX_SESSION_WARNINGS = 100;
const MAX_WARNINGS = 1000;

/** Checks activities against the rules of the fixture, and stores each warning once per session. */
export class ActivityLinter {
  readonly #rules: () => ActivityRules;
  readonly #onWarning: (warning: SessionWarning) => void;
  /** Oldest first. */
  readonly #warnings = new Map<string, SessionWarning>();
  readonly #ofSession = new Map<string, number>();

  /** `onWarning` is called for each new warning. */
  constructor(rules: () => ActivityRules, onWarning: (warning: SessionWarning) => void) {
    this.#rules = rules;
    this.#onWarning = onWarning;
  }

  /** The last thousand warnings since the start. */
  get warnings(): readonly SessionWarning[] {
    return [...this.#warnings.values()];
  }

  /**
   * Checks the activity of a SET_ACTIVITY call. Throws RpcError 4000 where the rules refuse an activity with warnings.
   */
  check(session: { readonly id: string; readonly clientId: string }, call: Pick<CoreCall, 'rawArgs'>): void {
    const rules = this.#rules();
    if (rules === 'as-client') return;
    const { rawArgs } = call;
    if (!isObject(rawArgs)) return;
    const warnings = lintActivity(rawArgs['activity']);
    for (const warning of warnings)
      this.#remember({ session: session.id, clientId: session.clientId, ...warning });
    if (rules === 'warn' || warnings.length === 0) return;
    const text = warnings.map(({ field, reason }) => `args.${field}: ${reason}`).join('; ');
    throw new RpcError(ErrorCode.INVALID_PAYLOAD, text);
  }

  /** Adds a warning that concerns no field of the activity, where the rules enable warnings. */
  warn(session: { readonly id: string; readonly clientId: string }, reason: string): void {
    if (this.#rules() === 'as-client') return;
    this.#remember({ session: session.id, clientId: session.clientId, field: 'activity', reason });
  }

  /** Forgets a closed session; its warnings stay readable. */
  forget(session: string): void {
    this.#ofSession.delete(session);
  }

  #remember(warning: SessionWarning): void {
    const { session, field, reason } = warning;
    const key = `${session} ${field} ${reason}`;
    const count = this.#ofSession.get(session) ?? 0;
    if (this.#warnings.has(key) || count >= MAX_SESSION_WARNINGS) return;
    this.#ofSession.set(session, count + 1);
    this.#warnings.set(key, warning);
    const [oldest] = this.#warnings.keys();
    if (this.#warnings.size > MAX_WARNINGS && oldest !== undefined) this.#warnings.delete(oldest);
    this.#onWarning(warning);
  }
}
