import type { ActivityRules } from '../../../emulator/users/presence/activity-rule-records.ts';
import { ErrorCode } from '../../../protocol/error-code.ts';
import { RpcError } from '../../../protocol/errors.ts';
import { isObject } from '../../../protocol/json.ts';
import type { CoreCall } from '../../core.ts';
import { type Doubt, doubtsOf } from './doubts.ts';

/** A warning about an activity that an app has set. */
export interface ActivityDoubt extends Doubt {
  readonly session: string;
  readonly clientId: string;
}

/** Limits for the warnings of one session, and of all sessions together. */
const MOST_OF_SESSION = 100;
const MOST = 1000;

/** Checks activities against the rules of the fixture, and stores each warning once per session. */
export class ActivityJudge {
  readonly #rules: () => ActivityRules;
  readonly #tell: (doubt: ActivityDoubt) => void;
  /** Oldest first. */
  readonly #doubts = new Map<string, ActivityDoubt>();
  readonly #ofSession = new Map<string, number>();

  /** `onWarning` is called for each new warning. */
  constructor(rules: () => ActivityRules, tell: (doubt: ActivityDoubt) => void) {
    this.#rules = rules;
    this.#tell = tell;
  }

  /** The last thousand warnings since the start. */
  get doubts(): readonly ActivityDoubt[] {
    return [...this.#doubts.values()];
  }

  /**
   * Checks the activity of a SET_ACTIVITY call. Throws RpcError 4000 where the rules refuse an activity with warnings.
   */
  judge(session: { readonly id: string; readonly clientId: string }, call: Pick<CoreCall, 'rawArgs'>): void {
    const rules = this.#rules();
    if (rules === 'as-client') return;
    const { rawArgs } = call;
    if (!isObject(rawArgs)) return;
    const doubts = doubtsOf(rawArgs['activity']);
    for (const doubt of doubts) this.#remember({ session: session.id, clientId: session.clientId, ...doubt });
    if (rules === 'warn' || doubts.length === 0) return;
    const text = doubts.map(({ field, reason }) => `args.${field}: ${reason}`).join('; ');
    throw new RpcError(ErrorCode.INVALID_PAYLOAD, text);
  }

  /** Adds a warning that concerns no field of the activity, where the rules ask for warnings. */
  warn(session: { readonly id: string; readonly clientId: string }, reason: string): void {
    if (this.#rules() === 'as-client') return;
    this.#remember({ session: session.id, clientId: session.clientId, field: 'activity', reason });
  }

  /** The session is closed; its warnings stay readable. */
  forget(session: string): void {
    this.#ofSession.delete(session);
  }

  #remember(doubt: ActivityDoubt): void {
    const { session, field, reason } = doubt;
    const key = `${session} ${field} ${reason}`;
    const told = this.#ofSession.get(session) ?? 0;
    if (this.#doubts.has(key) || told >= MOST_OF_SESSION) return;
    this.#ofSession.set(session, told + 1);
    this.#doubts.set(key, doubt);
    const [oldest] = this.#doubts.keys();
    if (this.#doubts.size > MOST && oldest !== undefined) this.#doubts.delete(oldest);
    this.#tell(doubt);
  }
}
