import { reachesClient } from '../../../protocol/scope.ts';
import type { Deputy } from '../../api/waiting-request.ts';
import type { KnownApplication } from '../../applications/applications.ts';
import { hasProvisionalFlag } from '../../users/records.ts';
import type { OAuth2Context } from './context.ts';
import { decide } from './decision.ts';
import { OAuth2Error } from './error.ts';
import { idTokenOf } from './exchange.ts';
import { accessSeconds, type TokenFamily } from './tokens.ts';
import type { AccessAnswer, ChildTokenRequest, ProvisionalAnswer, ProvisionalTokenRequest } from './types.ts';

/** The scopes of every token of a provisional account. */
const PROVISIONAL_SCOPES = ['sdk.social_layer'];

/** The transport class in the grants of games that exchange a token of their publisher. */
const CHILD_TRANSPORT = 'child token';

/**
 * Issues tokens of a provisional account. It prompts no one, because no user owns such an account. @throws OAuth2Error.
 */
export async function issueProvisional(
  context: OAuth2Context,
  { userId, clientId, issuer, renewable }: ProvisionalTokenRequest,
): Promise<ProvisionalAnswer> {
  const { tokens } = context;
  const owner = { userId, clientId, scopes: PROVISIONAL_SCOPES };
  const pair = renewable ? tokens.issue(owner) : { accessToken: tokens.issueAccess(owner) };
  await context.persist();
  const id_token = await idTokenOf(context, {
    userId,
    clientId,
    issuer,
    accessToken: pair.accessToken,
  });
  // The tokens may have been revoked while they were being saved.
  if (tokens.find(pair.accessToken) === undefined) {
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
 * Exchanges a token of a publisher for one of its games; undefined when it is not a valid token of that publisher. The
 * publisher's scopes are recorded as a grant of the game; but the user must allow the game scopes that only matter in the
 * user's client, and confirms the token when it is used there.
 * @throws OAuth2Error `access_denied`.
 */
export async function issueChild(
  context: OAuth2Context,
  request: ChildTokenRequest,
): Promise<AccessAnswer | undefined> {
  const before = livingParent(context, request);
  const known = context.application(request.childId);
  if (before === undefined || known === undefined) return undefined;
  const deputy = await decideChild(context, known, before.family, request);
  // The publisher's token may have expired or been revoked while the request waited.
  const parent = livingParent(context, request);
  if (parent === undefined) return undefined;
  const access_token = context.tokens.issueChild(parent, { clientId: request.childId, deputy });
  await context.persist();
  if (context.tokens.find(access_token) === undefined) return undefined;
  return {
    token_type: 'Bearer',
    access_token,
    expires_in: Math.floor((parent.token.expires - context.now()) / 1000),
    scope: parent.family.scopes.join(' '),
  };
}

/** The publisher's token of a request, if valid. */
function livingParent(context: OAuth2Context, { parent: parentToken, parentId }: ChildTokenRequest) {
  const parent = context.tokens.find(parentToken);
  const isGood =
    parent?.family.clientId === parentId &&
    context.now() < parent.token.expires &&
    context.user(parent.family.userId) !== undefined;
  return isGood ? parent : undefined;
}

/** Returns the deputy who allowed the game. @throws OAuth2Error `access_denied`. */
async function decideChild(
  context: OAuth2Context,
  known: KnownApplication,
  { userId, scopes }: TokenFamily,
  { program, signal }: ChildTokenRequest,
): Promise<Deputy | undefined> {
  // A provisional account has no user to prompt and no client to protect.
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
