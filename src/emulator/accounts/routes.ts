import * as z from 'zod';
import { ApiError } from '../api/api-error.ts';
import { choice, snowflake, text } from '../api/fields.ts';
import { anybody, client, noContent, ok, operationsFor } from '../api/operation.ts';
import type { Base } from '../api/world.ts';
import type { HasApplications } from '../applications/applications.ts';
import { type ApplicationRecord, EXTERNAL_AUTH_TYPES } from '../applications/records.ts';
import type { External } from './external.ts';
import type { HasExternalAccounts } from './external-accounts.ts';
import { BOT_PROVIDER, checkTakes } from './external-token.ts';
import { authenticateClient } from './oauth2/client-auth.ts';
import { OAuth2Error } from './oauth2/error.ts';
import { issuerOf } from './oauth2/issuer.ts';
import type { HasOAuth2 } from './oauth2/oauth2.ts';
import { programOf } from './oauth2/pages/requester.ts';

/** Services for provisional accounts. */
type Needs = Base & HasApplications & HasExternalAccounts & HasOAuth2;

const defineOperation = operationsFor<Needs>();

/** The application of a request. @throws ApiError 530000 or 530007. */
function clientOf(
  { application }: Needs,
  { id, secret }: { readonly id: string; readonly secret: string | null | undefined },
): { readonly record: ApplicationRecord; readonly confidential: boolean } {
  const known = application(id);
  if (known === undefined) throw new ApiError('ProvisionalAccountsPermissionNotGranted');
  try {
    const { confidential } = authenticateClient(known, { clientId: id, clientSecret: secret ?? undefined });
    return { record: known.record, confidential };
  } catch (error) {
    if (error instanceof OAuth2Error) throw new ApiError('InvalidClientSecret');
    throw error;
  }
}

/**
 * Ends the link between an identity and an account. @throws ApiError 50229 for an identity without a link, 404 for an
 * unknown identity.
 */
async function unmerge({ external, oauth2 }: Needs, application: string, proven: External): Promise<void> {
  const identity = external.find(application, proven);
  if (identity === undefined) throw new ApiError('UnknownUser');
  if (identity.status === 'provisional' || identity.status === 'restricted')
    throw new ApiError('InvalidUserType');
  // Revoking the tokens ends the link.
  await oauth2.revokeAll(identity.user, application);
}

const externalToken = z.object({
  client_id: snowflake(),
  client_secret: z.optional(z.nullable(text(0, 1024))),
  external_auth_type: choice(...EXTERNAL_AUTH_TYPES),
  external_auth_token: text(1, 10_240),
});

const accessShape = z.object({
  token_type: z.literal('Bearer'),
  access_token: z.string(),
  expires_in: z.int(),
  scope: z.string(),
});

const provisionalShape = accessShape
  .extend({ id_token: z.string(), refresh_token: z.optional(z.string()) })
  .meta({ id: 'ProvisionalToken' });

const externalUserId = text(1, 1024);

/** The routes that games call for provisional accounts. */
export const accountOperations = [
  defineOperation({
    id: 'partner_sdk_token',
    summary:
      'Tokens of the provisional account for an external token; the account is created when there is none.',
    route: 'POST /partner-sdk/token',
    who: [client],
    body: externalToken,
    answers: { 200: provisionalShape },
    ours: "Stores are not contacted: their tickets are texts such as emu.steam.ID. A newer name replaces the account's.",
    handle: async ({ body, base }, platform) => {
      const { record, confidential } = clientOf(platform, { id: body.client_id, secret: body.client_secret });
      const { external_auth_type: type, external_auth_token: token } = body;
      const proven = await platform.external.identify(record.id, { type, token });
      const { id } = platform.external.provisional(record.id, proven);
      const renewable = type === 'OIDC' && confidential;
      return ok(
        await platform.oauth2.issueProvisional({
          userId: id,
          clientId: record.id,
          issuer: issuerOf(base),
          renewable,
        }),
      );
    },
  }),
  defineOperation({
    id: 'bot_partner_sdk_token',
    summary: 'The same for a user whom the game itself identifies.',
    route: 'POST /partner-sdk/token/bot',
    body: z.object({
      external_user_id: externalUserId,
      preferred_global_name: z.optional(z.nullable(text(1, 32))),
      provisional_user_id: z.optional(z.nullable(snowflake())),
    }),
    ours: 'provisional_user_id, which is not documented, is a provisional account of this application, which also gets this identity (10013 for any other account).',
    answers: { 200: provisionalShape },
    handle: async ({ caller: { application }, body, base }, platform) => {
      const { external, oauth2 } = platform;
      checkTakes(platform.application(application.id), 'DISCORD_BOT_ISSUED_ACCESS_TOKEN');
      const named = {
        provider: BOT_PROVIDER,
        externalUserId: body.external_user_id,
        name: body.preferred_global_name ?? null,
      };
      if (body.provisional_user_id) external.adopt(application.id, named, body.provisional_user_id);
      const { id } = external.provisional(application.id, named);
      return ok(
        await oauth2.issueProvisional({
          userId: id,
          clientId: application.id,
          issuer: issuerOf(base),
          renewable: false,
        }),
      );
    },
  }),
  defineOperation({
    id: 'partner_sdk_unmerge_provisional_account',
    summary:
      'Ends the link of an external token’s user: the tokens are revoked, and the user gets a new provisional account.',
    route: 'POST /partner-sdk/provisional-accounts/unmerge',
    who: [client],
    body: externalToken,
    answers: { 204: null },
    handle: async ({ body }, platform) => {
      const { record } = clientOf(platform, { id: body.client_id, secret: body.client_secret });
      const { external_auth_type: type, external_auth_token: token } = body;
      await unmerge(platform, record.id, await platform.external.identify(record.id, { type, token }));
      return noContent();
    },
  }),
  defineOperation({
    id: 'bot_partner_sdk_unmerge_provisional_account',
    summary: 'The same for a user whom the game itself identifies.',
    route: 'POST /partner-sdk/provisional-accounts/unmerge/bot',
    body: z.object({ external_user_id: externalUserId }),
    answers: { 204: null },
    handle: async ({ caller: { application }, body }, platform) => {
      const proven = { provider: BOT_PROVIDER, externalUserId: body.external_user_id, name: null };
      await unmerge(platform, application.id, proven);
      return noContent();
    },
  }),
  defineOperation({
    id: 'exchange_child_token',
    summary:
      'A token of a game for a token of its publisher: same user, same scopes, same expiry, no refresh.',
    route: 'POST /partner-sdk/child-token',
    who: [anybody],
    body: z.object({
      parent_access_token: text(1, 512),
      child_application_id: snowflake(),
      parent_client_secret: z.optional(z.nullable(text(0, 1024))),
    }),
    answers: { 200: accessShape },
    ours: 'Its refusals: 10002 for no such game, 50001 for one of another publisher or where the user denies it, 530007 and 50025. It waits for the user where the scopes reach into their client, and is recorded as a grant of the game.',
    handle: async ({ body, headers, signal }, platform) => {
      const child = platform.application(body.child_application_id)?.record;
      if (child === undefined) throw new ApiError('UnknownApplication');
      const { parent } = child;
      const found = platform.oauth2.introspect(body.parent_access_token);
      if (found.state !== 'active') throw new ApiError('InvalidOAuth2AccessToken');
      // Only tokens of the game's own publisher are accepted, regardless of the caller.
      if (parent === null || found.clientId !== parent) throw new ApiError('MissingAccess');
      clientOf(platform, { id: parent, secret: body.parent_client_secret });
      // The user's denial of the game takes precedence over the consent given to the publisher.
      if (platform.oauth2.policyFor(child.id) === 'deny') throw new ApiError('MissingAccess');
      const answer = await platform.oauth2
        .issueChild({
          parent: body.parent_access_token,
          parentId: parent,
          childId: child.id,
          program: programOf(headers),
          signal: signal(),
        })
        .catch((error: unknown) => {
          throw error instanceof OAuth2Error && error.error === 'access_denied'
            ? new ApiError('MissingAccess')
            : error;
        });
      if (answer === undefined) throw new ApiError('InvalidOAuth2AccessToken');
      return ok(answer);
    },
  }),
];
