import { reachesClient } from '../../../protocol/scope.ts';
import type { Deputy } from '../../api/waiting-request.ts';
import type { KnownApplication } from '../../applications/applications.ts';
import { hasProvisionalFlag } from '../../users/flags.ts';
import type { OAuth2Context } from './context.ts';
import { decide } from './decision.ts';
import { OAuth2Error } from './error.ts';
import { idTokenOf } from './exchange.ts';
import { accessSeconds, type TokenFamily } from './tokens.ts';
import type { AccessAnswer, ChildAsk, ProvisionalAnswer, ProvisionalAsk } from './types.ts';

/** What every token of a provisional account holds. */
const PROVISIONAL_SCOPES = ['sdk.social_layer'];

/** The transport class of the grants of games. */
const CHILD_TRANSPORT = 'child token';

/** Tokens of a provisional account: nobody is asked, because only the game knows it. @throws OAuth2Error. */
export async function issueProvisional(
  context: OAuth2Context,
  { userId, clientId, issuer, renewable }: ProvisionalAsk,
): Promise<ProvisionalAnswer> {
  const { vault } = context;
  const owner = { userId, clientId, scopes: PROVISIONAL_SCOPES };
  const pair = renewable ? vault.issue(owner) : { accessToken: vault.issueAccess(owner) };
  await context.persist();
  const id_token = await idTokenOf(context, {
    userId,
    clientId,
    issuer,
    accessToken: pair.accessToken,
  });
  // They may have been taken back while we wrote.
  if (vault.find(pair.accessToken) === undefined) {
    throw new OAuth2Error('invalid_grant', 'The account was taken away meanwhile.');
  }
  return {
    token_type: 'Bearer',
    access_token: pair.accessToken,
    expires_in: accessSeconds,
    scope: PROVISIONAL_SCOPES.join(' '),
    id_token,
    ...('refreshToken' in pair ? { refresh_token: pair.refreshToken } : {}),
  };
}

/**
 * Exchanges a token of a publisher for one of its games; undefined when it is no living token of that publisher. What the
 * publisher was allowed is recorded as a grant of the game's own; scopes that are of use in the user's client alone are the
 * user's to allow the game, and so is what the others open there, once the token is shown there.
 * @throws OAuth2Error `access_denied`.
 */
export async function issueChild(context: OAuth2Context, ask: ChildAsk): Promise<AccessAnswer | undefined> {
  const before = livingParent(context, ask);
  const known = context.application(ask.childId);
  if (before === undefined || known === undefined) return undefined;
  const deputy = await decideChild(context, known, before.family, ask);
  // It may have ended while the person thought.
  const parent = livingParent(context, ask);
  if (parent === undefined) return undefined;
  const access_token = context.vault.issueChild(parent, { clientId: ask.childId, deputy });
  await context.persist();
  if (context.vault.find(access_token) === undefined) return undefined;
  return {
    token_type: 'Bearer',
    access_token,
    expires_in: Math.floor((parent.token.expires - context.now()) / 1000),
    scope: parent.family.scopes.join(' '),
  };
}

/** The token of the publisher that is shown, as long as it is good. */
function livingParent(context: OAuth2Context, { parent: shown, parentId }: ChildAsk) {
  const parent = context.vault.find(shown);
  const isGood =
    parent?.family.clientId === parentId &&
    context.now() < parent.token.expires &&
    context.user(parent.family.userId) !== undefined;
  return isGood ? parent : undefined;
}

/** Who allowed a game what its publisher was allowed, in the user's place. @throws OAuth2Error `access_denied`. */
async function decideChild(
  context: OAuth2Context,
  known: KnownApplication,
  { userId, scopes }: TokenFamily,
  { program, signal }: ChildAsk,
): Promise<Deputy | undefined> {
  // An account that only games know: there is nobody to be asked, and no client that it is logged in to.
  if (hasProvisionalFlag(context.user(userId))) return 'publisher';
  const { deputy } = await decide(context, known, {
    userId,
    scopes,
    prompt: 'none',
    deputy: context.isMe(userId) && reachesClient(scopes) ? undefined : 'publisher',
    peer: { transport: CHILD_TRANSPORT, program },
    signal,
  });
  return deputy;
}
