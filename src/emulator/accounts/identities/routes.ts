import * as z from 'zod';
import { ApiError, full, generalError, invalidField, notFound } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { textUpTo } from '../../api/fields.ts';
import { noContent, ok, operationsFor } from '../../api/operation.ts';
import { checkOwn } from '../../api/own-application.ts';
import type { Base } from '../../api/world.ts';
import { MAX_RECORDS } from '../../kernel/limits.ts';
import type { HasOAuth2 } from '../oauth2/oauth2.ts';
import { type ApplicationIdentity, findIdentity, identitiesOf, kindOf } from './identities.ts';
import { profileBody, profileShape } from './profile-fields.ts';
import { type IdentityProfile, NONE } from './records.ts';

/** Services for identities. */
type Needs = Base & HasOAuth2;

const defineOperation = operationsFor<Needs>();

const SCOPE = 'application_identities.write';
const MAX_DATA_BYTES = 10 * 1024;
const MAX_ID_LENGTH = 1024;

const profilePath = '/applications/{application_id}/users/{user_id}/identities/{identity}/profile';
const identitiesShape = z.object({
  identities: z.array(
    z.object({
      user_id: z.string(),
      provider_type: z.string(),
      provider_id: z.optional(z.string()),
      provider_issued_user_id: z.string(),
    }),
  ),
});

interface UserOfApplication {
  readonly application_id: string;
  readonly user_id: string;
}

/**
 * Checks the caller's access to a user. @throws ApiError for another application, for an unknown user, and for a user
 * who did not authorize the application.
 */
function checkAuthorized(
  { world, oauth2 }: Needs,
  caller: BotCaller,
  { application_id, user_id }: UserOfApplication,
): void {
  checkOwn(caller, application_id);
  if (!world.tables.users.has(user_id)) throw new ApiError('UnknownUser');
  if (!oauth2.holds(user_id, application_id, SCOPE)) {
    throw generalError(403, 'Application not authorized for game stats');
  }
}

function answer(identities: readonly ApplicationIdentity[]): z.output<typeof identitiesShape> {
  return {
    identities: identities.map(({ user, provider, external_user_id }) => {
      const { type, id } = kindOf(provider);
      return {
        user_id: user,
        provider_type: type,
        ...(id === null ? {} : { provider_id: id }),
        provider_issued_user_id: external_user_id,
      };
    }),
  };
}

function profileAnswer({ username, data }: IdentityProfile): z.output<typeof profileShape> {
  return { username, metadata: null, data: data === null ? null : { ...data } };
}

/**
 * The identity that a profile belongs to; a user without an identity in the game gets a new one. @throws ApiError 400
 */
function identityFor(
  { world: { tables } }: Needs,
  { application_id, user_id }: UserOfApplication,
  id: string,
): ApplicationIdentity {
  const theirs = identitiesOf(tables, application_id, user_id);
  const found = theirs.find((one) => one.external_user_id === id);
  if (found !== undefined) return found;
  if (theirs.length > 0) {
    throw generalError(400, `Provider user ID ${id} does not match existing identity record`);
  }
  if (id.length > MAX_ID_LENGTH) {
    const message = `Must be ${MAX_ID_LENGTH} or fewer in length.`;
    throw invalidField(['provider_issued_user_id'], 'BASE_TYPE_MAX_LENGTH', message);
  }
  if (findIdentity(tables, application_id, { type: NONE, externalUserId: id }) !== undefined) {
    throw generalError(400, 'Application identity for this external account already exists for another user');
  }
  return { user: user_id, provider: NONE, external_user_id: id };
}

/** The routes through which games read and write profiles and identities of players. */
export const identityOperations = [
  defineOperation({
    id: 'update_application_identity_profile',
    summary: 'Sets a game’s profile of a player; the sent fields replace all previous ones.',
    route: `PATCH ${profilePath}`,
    body: profileBody,
    answers: { 201: profileShape, 204: null },
    ours: 'A user who did not allow application_identities.write is refused with 403.',
    handle: ({ caller, params, body }, platform) => {
      checkAuthorized(platform, caller, params);
      const { data, username } = body;
      if (data !== undefined && Buffer.byteLength(JSON.stringify(data)) > MAX_DATA_BYTES) {
        throw generalError(400, 'Profile data is too large, must be less than 10KB');
      }
      const { world } = platform;
      const identity = identityFor(platform, params, params.identity);
      const { application_id: application, user_id: user } = params;
      const known = world.tables.identity_profiles.get(
        application,
        user,
        identity.provider,
        identity.external_user_id,
      );
      if (known === undefined && world.tables.identity_profiles.size >= MAX_RECORDS) throw full('profiles');
      const profile: IdentityProfile = {
        application,
        ...identity,
        username: username ?? known?.username ?? null,
        data: data ?? known?.data ?? null,
      };
      world.transaction((tables) => tables.identity_profiles.put(profile));
      return known === undefined ? { status: 201, body: profileAnswer(profile) } : noContent();
    },
  }),
  defineOperation({
    id: 'get_application_identity_profile',
    summary: 'A game’s profile of a player.',
    route: `GET ${profilePath}`,
    answers: { 200: profileShape },
    ours: 'An identity without a profile has none of its fields; an unknown one answers 404.',
    handle: ({ caller, params }, platform) => {
      checkAuthorized(platform, caller, params);
      const { tables } = platform.world;
      const { application_id: application, user_id: user, identity: id } = params;
      const found = identitiesOf(tables, application, user).find((one) => one.external_user_id === id);
      if (found === undefined) throw notFound('Unknown application identity');
      const profile = tables.identity_profiles.get(application, user, found.provider, id);
      return ok(
        profile === undefined ? { username: null, metadata: null, data: null } : profileAnswer(profile),
      );
    },
  }),
  defineOperation({
    id: 'get_application_identities_by_user',
    summary: 'A game’s identities of a user.',
    route: 'GET /users/{user_id}/application-identities/{application_id}',
    answers: { 200: identitiesShape },
    handle: ({ caller, params }, platform) => {
      checkAuthorized(platform, caller, params);
      return ok(answer(identitiesOf(platform.world.tables, params.application_id, params.user_id)));
    },
  }),
  defineOperation({
    id: 'get_application_identities_by_external_id',
    summary: 'The identities of the user with this id at a provider; empty for an unknown id.',
    route: 'GET /applications/{application_id}/application-identities/{provider_type}/{identity}',
    query: z.object({ provider_id: z.optional(textUpTo(2048)) }),
    answers: { 200: identitiesShape },
    handle: ({ caller, params, query }, platform) => {
      checkOwn(caller, params.application_id);
      const { application_id, provider_type: type, identity: externalUserId } = params;
      const { tables } = platform.world;
      const found = findIdentity(tables, application_id, { type, id: query.provider_id, externalUserId });
      if (found === undefined) return ok({ identities: [] });
      checkAuthorized(platform, caller, { application_id, user_id: found.user });
      return ok(answer(identitiesOf(tables, application_id, found.user)));
    },
  }),
  defineOperation({
    id: 'delete_application_identity',
    summary:
      'Deletes a game’s identity of a user, with its profile; the last identity that links an account cannot be deleted.',
    route: 'POST /users/{user_id}/application-identities/{application_id}/{provider_type}/{identity}/delete',
    makesRoom: true,
    body: z.object({ provider_id: z.nullish(textUpTo(2048)) }),
    answers: { 204: null },
    ours: 'The last one is refused with 400, an unknown one with 404.',
    handle: ({ caller, params, body }, platform) => {
      checkAuthorized(platform, caller, params);
      const { application_id, user_id, provider_type: type, identity: externalUserId } = params;
      const { world } = platform;
      const id = body.provider_id ?? undefined;
      const found = findIdentity(world.tables, application_id, { type, id, externalUserId });
      if (found === undefined || found.user !== user_id) throw notFound('Unknown application identity');
      const { provider } = found;
      const linking = identitiesOf(world.tables, application_id, user_id).filter(
        (one) => one.provider !== NONE,
      );
      if (provider !== NONE && linking.length === 1) {
        throw generalError(400, "Cannot delete the user's last account-linking identity");
      }
      world.transaction((tables) => {
        if (provider === NONE)
          tables.identity_profiles.remove(`${application_id} ${user_id} ${NONE} ${externalUserId}`);
        else tables.external_identities.remove(`${application_id} ${provider} ${externalUserId}`);
      });
      return noContent();
    },
  }),
];
