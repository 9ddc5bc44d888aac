import * as z from 'zod';
import { SCOPES } from '../../../protocol/scope.ts';
import { anybody, defineOperation, ok } from '../../api/operation.ts';
import { issuerOf } from './issuer.ts';

const texts = z.array(z.string());

/** Discovery for libraries (OpenID Connect Discovery 1.0). */
export const discoveryOperations = [
  defineOperation({
    id: 'get_openid_configuration',
    summary: 'The OpenID Connect configuration: the issuer of id_tokens and all endpoints.',
    route: 'GET /.well-known/openid-configuration',
    at: 'site',
    who: [anybody],
    answers: {
      200: z.object({
        issuer: z.string(),
        authorization_endpoint: z.string(),
        token_endpoint: z.string(),
        device_authorization_endpoint: z.string(),
        revocation_endpoint: z.string(),
        userinfo_endpoint: z.string(),
        jwks_uri: z.string(),
        scopes_supported: texts,
        response_types_supported: texts,
        grant_types_supported: texts,
        subject_types_supported: texts,
        id_token_signing_alg_values_supported: texts,
        token_endpoint_auth_methods_supported: texts,
        code_challenge_methods_supported: texts,
        claims_supported: texts,
      }),
    },
    handle: ({ base }) => {
      const issuer = issuerOf(base);
      return ok({
        issuer,
        authorization_endpoint: `${issuer}/oauth2/authorize`,
        token_endpoint: `${base}/oauth2/token`,
        device_authorization_endpoint: `${base}/oauth2/device/authorize`,
        revocation_endpoint: `${base}/oauth2/token/revoke`,
        userinfo_endpoint: `${base}/oauth2/userinfo`,
        jwks_uri: `${base}/oauth2/keys`,
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
          'sub',
          'iss',
          'aud',
          'exp',
          'iat',
          'nonce',
          'at_hash',
          'preferred_username',
          'nickname',
          'locale',
          'email',
          'email_verified',
        ],
      });
    },
  }),
];
