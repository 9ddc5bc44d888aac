import * as z from 'zod';
import { unauthorized } from '../../api/api-error.ts';
import type { ClientCredentials } from '../../api/caller.ts';
import { namedShape, timestamp } from '../../api/fields.ts';
import { anybody, bearer, client, ok, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import { applicationAnswer, applicationShape } from '../../applications/answers.ts';
import type { HasApplications } from '../../applications/applications.ts';
import { EXTERNAL_AUTH_TYPES } from '../../applications/records.ts';
import { authorizedGuildShape } from '../../guilds/shapes.ts';
import { webhookShape } from '../../guilds/webhooks/shapes.ts';
import { userAnswer } from '../../users/answers.ts';
import { userShape } from '../../users/shapes.ts';
import type { HasExternalAccounts } from '../external-accounts.ts';
import { OAuth2Error } from './error.ts';
import { issuerOf } from './issuer.ts';
import type { HasOAuth2 } from './oauth2.ts';
import { programOf } from './pages/requester.ts';
import { scopesIn } from './scopes.ts';
import type { Linking } from './types.ts';

/** Services for these routes. */
type Needs = Base & HasApplications & HasExternalAccounts & HasOAuth2;

const defineOperation = operationsFor<Needs>();

const optionalText = z.optional(z.string());

/** The reply of the token endpoint (RFC 6749 section 5.1). */
const tokenShape = namedShape('Token', {
  token_type: z.literal('Bearer'),
  access_token: z.string(),
  expires_in: z.int(),
  refresh_token: optionalText,
  scope: z.string(),
  id_token: optionalText,
  guild: z.optional(authorizedGuildShape),
  webhook: z.optional(webhookShape),
});

const tokenForm = z.looseObject({
  grant_type: z.string().min(1),
  code: optionalText,
  redirect_uri: optionalText,
  code_verifier: optionalText,
  refresh_token: optionalText,
  device_code: optionalText,
  external_auth_type: z.optional(z.enum(EXTERNAL_AUTH_TYPES)),
  external_auth_token: z.optional(z.string().min(1).max(10_240)),
  scope: optionalText,
  client_id: optionalText,
  client_secret: optionalText,
});

type Form = z.output<typeof tokenForm>;

function required(form: Form, name: 'code' | 'refresh_token' | 'device_code'): string {
  const value = form[name];
  if (value === undefined) throw new OAuth2Error('invalid_request', `Missing "${name}" in request.`);
  return value;
}

/**
 * Links a request's external identity with the user of its code; undefined for a request without an external identity.
 */
function linkingOf(
  form: Form,
  credentials: () => ClientCredentials,
  { external }: Needs,
): Linking | undefined {
  const { external_auth_type: type, external_auth_token: token } = form;
  if (type === undefined && token === undefined) return undefined;
  if (type === undefined || token === undefined) {
    const missing = type === undefined ? 'external_auth_type' : 'external_auth_token';
    throw new OAuth2Error('invalid_request', `Missing "${missing}" in request.`);
  }
  const { clientId } = credentials();
  return async () => {
    const proven = await external.identify(clientId, { type, token });
    return (userId) => external.link(clientId, proven, userId);
  };
}

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/** The routes of OAuth 2.0. */
export const oauth2Operations = [
  defineOperation({
    id: 'exchange_token',
    summary:
      'Exchanges a code, a refresh token, a device code or the credentials of an application; an external identity that is sent with a code is linked.',
    route: 'POST /oauth2/token',
    isUnlimited: true,
    who: [client],
    body: tokenForm,
    bodyKinds: ['form', 'multipart'],
    answers: { 200: tokenShape },
    errors: 'oauth2',
    handle: async ({ body, credentials, base, headers, signal }, platform) => {
      const { oauth2 } = platform;
      switch (body.grant_type) {
        case 'authorization_code':
          return ok(
            await oauth2.exchangeCode(credentials(), {
              code: required(body, 'code'),
              redirectUri: body.redirect_uri,
              codeVerifier: body.code_verifier,
              issuer: issuerOf(base),
              link: linkingOf(body, credentials, platform),
            }),
          );
        case 'refresh_token':
          return ok(await oauth2.refresh(credentials(), { refreshToken: required(body, 'refresh_token') }));
        case 'client_credentials':
          return ok(
            await oauth2.clientCredentials(credentials(), {
              scopes: scopesIn(body.scope),
              program: programOf(headers),
              signal: signal(),
            }),
          );
        case DEVICE_CODE:
          return ok(
            await oauth2.exchangeDevice(credentials(), {
              deviceCode: required(body, 'device_code'),
              issuer: issuerOf(base),
              link: linkingOf(body, credentials, platform),
            }),
          );
        default:
          throw new OAuth2Error('unsupported_grant_type', 'This grant type is not supported.');
      }
    },
  }),
  defineOperation({
    id: 'authorize_device',
    summary: 'Starts the device flow (RFC 8628).',
    route: 'POST /oauth2/device/authorize',
    who: [client],
    body: z.looseObject({
      scope: z.string().min(1),
      client_id: optionalText,
      client_secret: optionalText,
    }),
    bodyKinds: ['form', 'multipart'],
    answers: {
      200: z.object({
        device_code: z.string(),
        user_code: z.string(),
        verification_uri: z.string(),
        verification_uri_complete: z.string(),
        expires_in: z.int(),
        interval: z.int(),
      }),
    },
    errors: 'oauth2',
    handle: ({ body, credentials, base }, { oauth2 }) => {
      const begun = oauth2.devices.begin(credentials(), { scopes: scopesIn(body.scope) });
      const verification_uri = `${issuerOf(base)}/activate`;
      const verification_uri_complete = `${verification_uri}?user_code=${begun.user_code}`;
      return ok({ ...begun, verification_uri, verification_uri_complete });
    },
  }),
  defineOperation({
    id: 'revoke_token',
    summary: "Deletes every token of the token's user and application (RFC 7009).",
    route: 'POST /oauth2/token/revoke',
    isUnlimited: true,
    who: [client],
    body: z.looseObject({
      token: z.string().min(1),
      token_type_hint: optionalText,
      client_id: optionalText,
      client_secret: optionalText,
    }),
    bodyKinds: ['form', 'multipart'],
    answers: { 200: z.object({}) },
    errors: 'oauth2',
    // The reply does not reveal whether the token was valid.
    handle: async ({ body, credentials }, { oauth2 }) => {
      await oauth2.revoke(credentials(), body.token);
      return ok({});
    },
  }),
  defineOperation({
    id: 'create_rpc_token',
    summary: 'A token, valid once, that authorizes an approved application over RPC without a prompt.',
    route: 'POST /oauth2/token/rpc',
    who: [client],
    body: z.looseObject({ client_id: optionalText, client_secret: optionalText }),
    bodyKinds: ['form', 'multipart'],
    answers: { 200: z.object({ rpc_token: z.string() }) },
    errors: 'oauth2',
    ours: 'Approved are applications with `partner` and a `secret`; the token is valid for 100 seconds.',
    handle: ({ credentials }, { oauth2 }) => ok(oauth2.issueRpcToken(credentials())),
  }),
  defineOperation({
    id: 'exchange_overlay_code',
    summary: "Exchanges a code of the stream-kit overlay, as that overlay's web site does.",
    route: 'POST /overlay/token',
    at: 'site',
    who: [anybody],
    body: z.looseObject({ code: z.string().min(1) }),
    bodyKinds: ['any'],
    answers: { 200: z.object({ access_token: z.string() }) },
    errors: 'oauth2',
    handle: async ({ body, base }, { oauth2 }) =>
      ok(await oauth2.exchangeOverlayCode({ code: body.code, issuer: issuerOf(base) })),
  }),
  defineOperation({
    id: 'get_my_oauth2_authorization',
    summary: 'The authorization of the token; the user only with the scope `identify`.',
    route: 'GET /oauth2/@me',
    who: [bearer()],
    answers: {
      200: z.object({
        application: applicationShape,
        scopes: z.array(z.string()),
        expires: z.string(),
        user: z.optional(userShape),
      }),
    },
    handle: ({ caller }, platform) => {
      const { clientId, scopes, expires, user } = caller;
      const known = platform.application(clientId);
      if (known === undefined) throw unauthorized();
      return ok({
        application: applicationAnswer(platform.world, known.record),
        scopes,
        expires: timestamp(expires.getTime()),
        ...(user === null ? {} : { user: userAnswer(user) }),
      });
    },
  }),
  defineOperation({
    id: 'get_public_keys',
    summary: 'The public keys that id_tokens are signed with, as a JWK set.',
    route: 'GET /oauth2/keys',
    who: [anybody],
    answers: { 200: z.object({ keys: z.array(z.record(z.string(), z.string())) }) },
    handle: async (_, { oauth2 }) => ok(await oauth2.jwks()),
  }),
  defineOperation({
    id: 'get_openid_connect_userinfo',
    summary: 'Claims of OpenID Connect; with more scopes come more of them.',
    route: 'GET /oauth2/userinfo',
    who: [bearer('openid')],
    answers: {
      200: z.object({
        sub: z.string(),
        preferred_username: optionalText,
        nickname: z.optional(z.nullable(z.string())),
        locale: optionalText,
        email: optionalText,
        email_verified: z.optional(z.boolean()),
      }),
    },
    handle: ({ caller: { user, userId, effectiveScopes } }) => {
      if (user === null) return ok({ sub: userId });
      const { username, global_name, locale, email } = user;
      return ok({
        sub: userId,
        preferred_username: username,
        nickname: global_name ?? username,
        locale,
        ...(effectiveScopes.includes('email') && email !== null ? { email, email_verified: true } : {}),
      });
    },
  }),
];
