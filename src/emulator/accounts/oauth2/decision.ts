import type { Decider, Deputy } from '../../api/waiting-request.ts';
import type { KnownApplication } from '../../applications/applications.ts';
import type { Question } from './consent.ts';
import type { OAuth2Context } from './context.ts';
import { OAuth2Error, WithdrawnError } from './error.ts';
import type { GrantKey } from './grants.ts';
import { redeemRpcToken } from './rpc-token.ts';
import { mayBeRemembered } from './scopes.ts';

/** A request to decide. */
export interface Decidable extends Pick<Question, 'scopes' | 'install' | 'webhook' | 'peer' | 'signal'> {
  readonly userId: string;
  /** `none`: any remembered grant suffices; `consent`: only a permanent grant suffices. */
  readonly prompt: 'consent' | 'none';
  readonly rpcToken?: string | undefined;
  /** The deputy who has already decided about these scopes. */
  readonly deputy?: Deputy | undefined;
}

/** How a request was allowed. */
export interface Decided {
  /** Saves the decision where it changed the state, and resolves when it is saved or could not be saved. */
  readonly save: () => Promise<unknown> | undefined;
  /**
   * The deputy who allowed the request on the user's behalf; undefined where the user or the user's policy allowed it.
   */
  readonly deputy?: Deputy;
}

/**
 * Decides a request by the policy, a remembered grant, a deputy or the user, and records the grant.
 * @throws OAuth2Error with `access_denied` otherwise: denied, timed out, peer disconnected, account changed.
 */
export async function decide(
  context: OAuth2Context,
  known: KnownApplication,
  request: Decidable,
): Promise<Decided> {
  const { userId, scopes, install, webhook, peer, signal } = request;
  const key: GrantKey = { userId, clientId: known.record.id, transport: peer.transport };
  const answered = answer(context, known, key, request);
  if (answered !== undefined) return answered;
  context.grants.checkRoom();
  const question = { application: known.record, userId, scopes, install, webhook, peer, signal };
  let saving: Promise<unknown> | undefined;
  const settlement = await context.consent.request(question, (decidedBy, always) => {
    context.grants.record(key, { scopes, always, decidedBy, grantedAt: context.now() });
    // The save begins here, so that the answer to the user can say whether the decision is stored.
    saving = context.persist();
  });
  switch (settlement.outcome) {
    case 'allowed':
      return { save: () => saving };
    case 'denied':
      throw new OAuth2Error('access_denied', 'The user denied the request.');
    case 'timed-out':
      throw new OAuth2Error('access_denied', 'The user did not answer in time.');
    case 'withdrawn':
      throw new WithdrawnError(settlement.reason);
  }
}

/** Decides without the user: by policy, by an earlier grant, or by a deputy; undefined when none applies. */
function answer(
  context: OAuth2Context,
  known: KnownApplication,
  key: GrantKey,
  { scopes, prompt, rpcToken, deputy }: Decidable,
): Decided | undefined {
  const policy = known.record.consent ?? context.policy;
  if (policy === 'deny') throw new OAuth2Error('access_denied', 'The consent policy denies this request.');
  if (policy === 'allow' || redeemRpcToken(context, known, scopes, rpcToken)) {
    return { save: recordOnce(context, key, scopes, { kind: 'policy' }) };
  }
  if (isRemembered(context, key, scopes, prompt === 'consent')) return { save: unchanged };
  return deputy && { save: recordOnce(context, key, scopes, { kind: deputy }), deputy };
}

/**
 * Records a decision that the user did not make, unless a grant already covers the request. Returns how the decision is
 * saved.
 */
function recordOnce(
  context: OAuth2Context,
  key: GrantKey,
  scopes: readonly string[],
  decidedBy: Decider,
): Decided['save'] {
  const { grants } = context;
  if (grants.holds(key, scopes)) return unchanged;
  grants.checkRoom();
  grants.record(key, { scopes, always: false, decidedBy, grantedAt: context.now() });
  return () => context.persist();
}

const unchanged = (): undefined => undefined;

/** Whether an earlier grant of the user covers a request; with `always`, only permanent grants count. */
export function isRemembered(
  { grants }: Pick<OAuth2Context, 'grants'>,
  key: GrantKey,
  scopes: readonly string[],
  always: boolean,
): boolean {
  return mayBeRemembered(scopes) && grants.covering(key, scopes, always) !== undefined;
}
