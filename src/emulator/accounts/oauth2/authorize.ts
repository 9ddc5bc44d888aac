import type { KnownApplication } from '../../applications/applications.ts';
import type { AuthorizeOptions } from './authorize-options.ts';
import { checkMayAuthorize } from './client-auth.ts';
import type { OAuth2Context } from './context.ts';
import { type Decided, decide } from './decision.ts';
import { OAuth2Error } from './error.ts';
import { checkNoWebhook, checkWebhook } from './incoming.ts';
import { checkInstall, GUILD_INSTALL, USER_INSTALL } from './install.ts';
import type { Install } from './installer.ts';
import { checkChallenge } from './pkce.ts';
import { isCustomScheme, isRegistered } from './redirect.ts';
import { checkScopes } from './scopes.ts';
import { accessSeconds, type TokenOwner } from './tokens.ts';
import type { AccessAnswer, AuthorizeResult, Installed } from './types.ts';

const maxTextLength = 1024;

function invalid(name: string): never {
  throw new OAuth2Error('invalid_request', `Invalid "${name}" in request.`);
}

interface Checked {
  readonly challenge: string | undefined;
  readonly scopes: readonly string[];
  readonly prompt: 'consent' | 'none';
}

/** Checks the request before the prompt, so that no user decides about a request that cannot succeed. */
function check(options: AuthorizeOptions, known: KnownApplication): Checked {
  checkMayAuthorize(known);
  const { state, nonce, integrationType, prompt = 'consent', redirectUri, peer } = options;
  const challenge = checkChallenge(options.codeChallenge, options.codeChallengeMethod);
  // Any app can register a custom scheme, so a code sent to such an address is safe only with a verifier (PKCE).
  if (challenge === undefined && redirectUri !== undefined && isCustomScheme(redirectUri)) {
    throw new OAuth2Error('invalid_request', 'Missing "code_challenge" in request.');
  }
  if (state !== undefined && state.length > maxTextLength) invalid('state');
  if (nonce !== undefined && nonce.length > maxTextLength) invalid('nonce');
  if (integrationType !== undefined && integrationType !== 0 && integrationType !== 1) {
    invalid('integration_type');
  }
  if (prompt !== 'consent' && prompt !== 'none') invalid('prompt');
  if (redirectUri !== undefined && !isRegistered(known, redirectUri)) invalid('redirect_uri');
  if (peer.transport === '' || peer.transport.length > maxTextLength) invalid('transport');
  const scopes = checkScopes(options.scopes, known.record);
  return { challenge, scopes, prompt };
}

/** An allowed request. */
export interface Consented extends Checked, Pick<Decided, 'save'> {
  readonly userId: string;
  readonly install: Install | undefined;
  /** Id of the created webhook. */
  readonly webhookId: string | undefined;
}

/**
 * Runs an authorization request until it is allowed.
 * @throws OAuth2Error with `access_denied` otherwise: denied, timed out, peer disconnected, account changed.
 */
export async function consented(context: OAuth2Context, options: AuthorizeOptions): Promise<Consented> {
  const { clientId, signal } = options;
  const known = context.application(clientId);
  if (known === undefined) throw new OAuth2Error('unauthorized_client', 'Unknown application.');
  const checked = check(options, known);
  const { scopes } = checked;
  if (signal.aborted) throw new OAuth2Error('access_denied', 'The app has left.');
  const userId = context.me();
  const install = checkInstall({ ...options, scopes }, userId, context.installer);
  const channel = checkWebhook({ ...options, scopes }, userId, context.webhooks);
  const { save } = await decide(context, known, {
    userId,
    scopes,
    prompt: checked.prompt,
    rpcToken: options.rpcToken,
    install: install && { guild: context.installer.nameOf(install.guildId), bits: install.permissions },
    webhook: channel?.name,
    peer: options.peer,
    signal,
  });
  if (install !== undefined) addTo(context, { userId, clientId, scopes }, install);
  const webhookId = channel && context.webhooks.make(clientId, userId, channel.id);
  return { ...checked, userId, install, webhookId, save };
}

/**
 * Adds the application to a guild; the guild or the user's permission may have been removed since the check. @throws
 * OAuth2Error.
 */
function addTo(context: OAuth2Context, owner: TokenOwner, install: Install): void {
  const { installer } = context;
  if (!installer.mayInstall(owner.userId, install.guildId)) {
    throw new OAuth2Error('access_denied', 'The user may no longer add applications to this guild.');
  }
  if (owner.scopes.includes('bot')) installer.addBot(owner.clientId, install);
  else installer.addCommands(owner.clientId, install.guildId);
  context.notifyAuthorized(owner, { guildId: install.guildId, integrationType: GUILD_INSTALL });
}

function installedAt(install: Install | undefined): Installed {
  if (install === undefined) return {};
  return { guild_id: install.guildId, permissions: String(install.permissions) };
}

/** Carries out an authorization request and returns its code. @throws OAuth2Error as `consented` does. */
export async function authorize(context: OAuth2Context, options: AuthorizeOptions): Promise<AuthorizeResult> {
  const { userId, scopes, challenge, install, webhookId, save } = await consented(context, options);
  const code = context.codes.issue(
    {
      userId,
      clientId: options.clientId,
      scopes,
      challenge,
      nonce: scopes.includes('openid') ? options.nonce : undefined,
      redirectUri: options.redirectUri,
      guildId: install?.guildId,
      webhookId,
      integrationType:
        scopes.includes('applications.commands') && options.integrationType === USER_INSTALL
          ? USER_INSTALL
          : undefined,
    },
    options.peer.pid === undefined ? undefined : `process ${options.peer.pid}`,
  );
  // Only a change is saved: an app that requests existing authorizations again must not cause disk writes.
  await save();
  const answer = { code, ...installedAt(install) };
  return options.state === undefined ? answer : { ...answer, state: options.state };
}

/** The implicit grant: returns an access token instead of a code. @throws OAuth2Error as `consented` does. */
export async function authorizeAccess(
  context: OAuth2Context,
  options: AuthorizeOptions,
): Promise<AccessAnswer & Installed & { readonly state?: string }> {
  checkNoWebhook(options.scopes, 'The implicit grant');
  const { userId, scopes, install } = await consented(context, options);
  const access_token = context.tokens.issueAccess({ userId, clientId: options.clientId, scopes });
  await context.persist();
  return {
    token_type: 'Bearer',
    access_token,
    expires_in: accessSeconds,
    scope: scopes.join(' '),
    ...installedAt(install),
    ...(options.state === undefined ? {} : { state: options.state }),
  };
}
