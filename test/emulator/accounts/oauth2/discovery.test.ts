import { expect, it } from 'vitest';
import { SCOPES } from '../../../../src/protocol/scope.ts';
import { testPlatform } from '../../../helpers/platform.ts';

it('the discovery document describes the authorization server as OpenID Connect Discovery 1.0 does', async () => {
  const { call, url } = await testPlatform();
  const issuer = url.replace(/\/api.*$/, '');
  const { status, body } = await call(`GET ${issuer}/.well-known/openid-configuration`);
  expect(status).toBe(200);
  expect(body).toEqual({
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/api/oauth2/token`,
    device_authorization_endpoint: `${issuer}/api/oauth2/device/authorize`,
    revocation_endpoint: `${issuer}/api/oauth2/token/revoke`,
    userinfo_endpoint: `${issuer}/api/oauth2/userinfo`,
    jwks_uri: `${issuer}/api/oauth2/keys`,
    scopes_supported: Object.keys(SCOPES),
    response_types_supported: ['code', 'token'],
    grant_types_supported: [
      'authorization_code',
      'implicit',
      'refresh_token',
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:device_code',
    ],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    code_challenge_methods_supported: ['S256'],
    claims_supported: [
      ...['sub', 'iss', 'aud', 'exp', 'iat', 'nonce', 'at_hash'],
      ...['preferred_username', 'nickname', 'locale', 'email', 'email_verified'],
    ],
  });
});
