import type { KnownApplication } from '../applications/applications.ts';
import type { ConsentPolicy } from '../applications/records.ts';
import type { Decider } from '../people/request.ts';
import type { CodeBook } from './codes.ts';
import type { Consent, Question } from './consent.ts';
import { OAuth2Error, WithdrawnError } from './error.ts';
import type { GrantBook, GrantKey } from './grants.ts';
import { redeemRpcToken } from './rpc-token.ts';
import { mayBeRemembered } from './scopes.ts';

/** What a decision about scopes is made with. */
export interface DecisionContext {
  readonly me: () => string;
  readonly policy: () => ConsentPolicy;
  readonly now: () => number;
  readonly consent: Consent;
  readonly grants: GrantBook;
  readonly rpcTokens: CodeBook;
}

/** What is to be decided. */
export interface Decidable extends Pick<Question, 'scopes' | 'install' | 'webhook' | 'peer' | 'signal'> {
  readonly userId: string;
  /** `none`: any remembered grant answers; `consent`: only one that was given for good. */
  readonly prompt: 'consent' | 'none';
  readonly rpcToken?: string | undefined;
  /** The application showed its secret, and whoever wrote that down has decided about these scopes. */
  readonly isSecretEnough?: boolean;
}

/** How a request is answered without a person, and whether that is news to the store. */
type Answered = 'no' | 'remembered' | 'recorded';

/**
 * Has a request decided by the policy, a remembered grant or a person, and records what was allowed. Returns whether that is
 * news to the store.
 * @throws OAuth2Error with `access_denied` whenever nobody said yes: denied, too late, peer gone, account changed.
 */
export async function decide(
  context: DecisionContext,
  known: KnownApplication,
  request: Decidable,
): Promise<boolean> {
  const { userId, scopes, install, webhook, peer, signal } = request;
  const key: GrantKey = { userId, clientId: known.record.id, transport: peer.transport };
  const answered = answer(context, known, key, request);
  if (answered !== 'no') return answered === 'recorded';
  context.grants.checkRoom();
  const question = { application: known.record, userId, scopes, install, webhook, peer, signal };
  const settlement = await context.consent.ask(question, (decidedBy, always) => {
    context.grants.record(key, { scopes, always, decidedBy, grantedAt: context.now() });
  });
  switch (settlement.outcome) {
    case 'allowed':
      return true;
    case 'denied':
      throw new OAuth2Error('access_denied', 'The user denied the request.');
    case 'timed-out':
      throw new OAuth2Error('access_denied', 'The user did not answer in time.');
    case 'withdrawn':
      throw new WithdrawnError(settlement.reason);
  }
}

/** Finds the answer without a person: by policy, by the application's secret, or by an earlier grant. */
function answer(
  context: DecisionContext,
  known: KnownApplication,
  key: GrantKey,
  { scopes, prompt, rpcToken, isSecretEnough = false }: Decidable,
): Answered {
  const policy = known.record.consent ?? context.policy();
  if (policy === 'deny') {
    throw new OAuth2Error('access_denied', 'The consent policy denies this request.');
  }
  const decider: Decider['kind'] | undefined =
    policy === 'allow' || redeemRpcToken(context, known, scopes, rpcToken)
      ? 'policy'
      : isSecretEnough
        ? 'secret'
        : undefined;
  if (decider === undefined) {
    return isRemembered(context, key, scopes, prompt === 'consent') ? 'remembered' : 'no';
  }
  if (context.grants.holds(key, scopes)) return 'remembered';
  context.grants.checkRoom();
  context.grants.record(key, {
    scopes,
    always: false,
    decidedBy: { kind: decider },
    grantedAt: context.now(),
  });
  return 'recorded';
}

/** Whether a person's earlier yes answers a request; with `always`, only one that was given for good. */
export function isRemembered(
  { grants }: Pick<DecisionContext, 'grants'>,
  key: GrantKey,
  scopes: readonly string[],
  always: boolean,
): boolean {
  return mayBeRemembered(scopes) && grants.covering(key, scopes, always) !== undefined;
}
