import type { ClientCredentials } from '../../api/caller.ts';
import { authenticateClient, checkMayAuthorize, checkRedirect } from './client-auth.ts';
import type { CodeRecord } from './codes.ts';
import type { OAuth2Context } from './context.ts';
import { OAuth2Error } from './error.ts';
import { checkVerifier } from './pkce.ts';
import { hashOfToken } from './signing.ts';
import { accessSeconds, type TokenOwner, type TokenPair } from './tokens.ts';
import type { CodeExchange, DeviceExchange, TokenAnswer } from './types.ts';

function toAnswer(pair: TokenPair, scopes: readonly string[]): TokenAnswer {
  return {
    token_type: 'Bearer',
    access_token: pair.accessToken,
    expires_in: accessSeconds,
    refresh_token: pair.refreshToken,
    scope: scopes.join(' '),
  };
}

function invalidCode(): OAuth2Error {
  return new OAuth2Error('invalid_grant', 'Invalid "code" in request.');
}

/** Grant type `authorization_code` (RFC 6749 section 4.1.3). @throws OAuth2Error. */
export async function exchangeCode(
  context: OAuth2Context,
  credentials: ClientCredentials,
  args: CodeExchange,
): Promise<TokenAnswer> {
  const { clientId } = credentials;
  const { known, confidential } = authenticateClient(context.application(clientId), credentials);
  if (!confidential && args.codeVerifier === undefined) {
    throw new OAuth2Error('invalid_client', 'A public client must send a code verifier.');
  }
  checkMayAuthorize(known);
  const check = (): CodeRecord => {
    const record = findCode(context, clientId, args.code);
    checkRedirect(known, record.redirectUri, args.redirectUri);
    checkVerifier(record.challenge, args.codeVerifier);
    return record;
  };
  if (args.link === undefined) return redeem(context, check(), args);
  check();
  const link = await args.link();
  // Another request may have used the code in the meantime.
  const record = check();
  link(record.userId);
  return redeem(context, record, args);
}

/**
 * The stream-kit overlay. Its web site exchanges codes for programs that cannot do that themselves (see the README
 * beside `http/`).
 */
export const overlayApplication = '207646673902501888';

/**
 * Exchanges a code of the stream-kit overlay as its web site does: without client authentication, and only for an access
 * token. @throws OAuth2Error.
 */
export async function exchangeOverlayCode(
  context: OAuth2Context,
  args: Pick<CodeExchange, 'code' | 'issuer'>,
): Promise<{ readonly access_token: string }> {
  const known = context.application(overlayApplication);
  if (known === undefined) throw invalidCode();
  const record = findCode(context, overlayApplication, args.code);
  // A code that went through a browser has a redirect address, so its exchange must name that address. This exchange
  // names none.
  checkRedirect(known, record.redirectUri, undefined);
  checkVerifier(record.challenge, undefined);
  const { access_token } = await redeem(context, record, args);
  return { access_token };
}

function findCode(context: OAuth2Context, clientId: string, code: string): CodeRecord {
  const { codes } = context;
  // RFC 6749 section 4.1.2: reuse means that the code has leaked, so the tokens issued for it are revoked.
  const spentFor = codes.spentFor(code);
  if (spentFor !== undefined) {
    void context.misused(context.tokens.removeFamily(spentFor), 'used an authorization code twice');
  }
  const record = codes.find(code);
  // A code that another application sends has leaked, so it is invalidated. After any other mistake the code remains
  // usable.
  if (record !== undefined && record.clientId !== clientId) codes.burn(code);
  if (record?.clientId !== clientId || context.user(record.userId) === undefined) throw invalidCode();
  return record;
}

/**
 * Exchanges a checked code for tokens. No `await` is between the check and the use of the code, so no other request can
 * use the code in between.
 */
async function redeem(
  context: OAuth2Context,
  record: CodeRecord,
  args: Pick<CodeExchange, 'code' | 'issuer'>,
): Promise<TokenAnswer> {
  const pair = issue(context, record);
  context.codes.spend(args.code, context.tokens.familyOf(pair.accessToken)?.id);
  const answer = await answerOf(context, pair, { ...record, issuer: args.issuer });
  const guild = record.guildId === undefined ? undefined : context.guild(record.guildId);
  const webhook =
    record.webhookId === undefined ? undefined : context.webhooks.answer(record.webhookId, args.issuer);
  return {
    ...answer,
    ...(guild === undefined ? {} : { guild }),
    ...(webhook === undefined ? {} : { webhook }),
  };
}

/** Issues tokens, and emits a signal if they are the application's first tokens of the user. */
function issue(
  context: OAuth2Context,
  owner: TokenOwner & Pick<CodeRecord, 'guildId' | 'integrationType'>,
): TokenPair {
  const { userId, clientId, scopes } = owner;
  const isFirst = !context.tokens.holds(userId, clientId);
  const pair = context.tokens.issue({ userId, clientId, scopes });
  // The addition to a guild was signalled when it happened.
  if (isFirst && owner.guildId === undefined) {
    context.notifyAuthorized({ userId, clientId, scopes }, { integrationType: owner.integrationType });
  }
  return pair;
}

interface Issued {
  readonly userId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly nonce?: string | undefined;
  readonly issuer: string;
}

/** An id_token that identifies a user. It is valid as long as an access token. */
export function idTokenOf(
  context: OAuth2Context,
  { userId, clientId, nonce, issuer, accessToken }: Omit<Issued, 'scopes'> & { readonly accessToken: string },
): Promise<string> {
  const iat = Math.floor(context.now() / 1000);
  return context.signer.sign({
    iss: issuer,
    sub: userId,
    aud: clientId,
    iat,
    exp: iat + accessSeconds,
    at_hash: hashOfToken(accessToken),
    ...(nonce === undefined ? {} : { nonce }),
  });
}

/** Saves the tokens, and signs an id_token if requested. */
async function answerOf(
  context: OAuth2Context,
  pair: TokenPair,
  { userId, clientId, scopes, nonce, issuer }: Issued,
): Promise<TokenAnswer> {
  await context.persist();
  const id_token = scopes.includes('openid')
    ? await idTokenOf(context, { userId, clientId, nonce, issuer, accessToken: pair.accessToken })
    : undefined;
  // The tokens may have been revoked while they were being saved.
  if (context.tokens.find(pair.accessToken) === undefined) throw invalidCode();
  return { ...toAnswer(pair, scopes), ...(id_token === undefined ? {} : { id_token }) };
}

/** Grant type `urn:ietf:params:oauth:grant-type:device_code` (RFC 8628 section 3.4). @throws OAuth2Error. */
export async function exchangeDevice(
  context: OAuth2Context,
  credentials: ClientCredentials,
  args: DeviceExchange,
): Promise<TokenAnswer> {
  const { clientId } = credentials;
  const { known } = authenticateClient(context.application(clientId), credentials);
  checkMayAuthorize(known);
  const link = await args.link?.();
  const { request, userId } = context.devices.redeem(args.deviceCode, clientId, (approver) => {
    if (context.user(approver) === undefined) throw invalidCode();
    link?.(approver);
  });
  const pair = issue(context, { userId, clientId, scopes: request.scopes });
  return answerOf(context, pair, { ...request, userId, issuer: args.issuer });
}

/** Grant type `refresh_token` (RFC 6749 section 6). @throws OAuth2Error. */
export async function refresh(
  context: OAuth2Context,
  credentials: ClientCredentials,
  refreshToken: string,
): Promise<TokenAnswer> {
  const { clientId } = credentials;
  authenticateClient(context.application(clientId), credentials);
  const exists = (id: string) => context.user(id) !== undefined;
  const rotation = context.tokens.rotate(refreshToken, clientId, exists);
  if (rotation.kind === 'replayed') {
    await context.misused([rotation.family, ...rotation.children], 'used a refresh token twice');
  }
  if (rotation.kind === 'rotated') await context.persist();
  // All invalid refresh tokens get the same reply, including a token that was revoked while the new one was being
  // saved.
  if (rotation.kind !== 'rotated' || context.tokens.find(rotation.pair.accessToken) === undefined) {
    throw new OAuth2Error('invalid_grant', 'Invalid "refresh_token" in request');
  }
  return toAnswer(rotation.pair, rotation.family.scopes);
}
