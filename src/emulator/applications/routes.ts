import * as z from 'zod';
import { ApiError, invalidField } from '../api/api-error.ts';
import { choice, clearable, list, set, text } from '../api/fields.ts';
import { ok, operationsFor, type Reply } from '../api/operation.ts';
import { checkOwn } from '../api/own-application.ts';
import type { Base } from '../api/world.ts';
import { SettingError } from '../kernel/errors.ts';
import { ownApplicationAnswer, ownApplicationShape } from './answers.ts';
import type { ApplicationRecord } from './records.ts';
import { metadataAnswer, metadataItem, metadataItemShape } from './role-connections.ts';
import { EVENT_TYPES } from './webhooks/event-types.ts';
import { checkEndpoint } from './webhooks/interactions-endpoint.ts';
import type { Observers } from './webhooks/post.ts';
import type { HasWebhooks } from './webhooks/webhooks.ts';

/** Services for these routes. */
type Needs = Base & HasWebhooks & Observers;

const defineOperation = operationsFor<Needs>();

/** Bits of `flags` that an application may set itself: the limited forms of the privileged intents. */
const INTENT_BITS = [
  [1 << 13, 'guild_presences'],
  [1 << 15, 'guild_members'],
  [1 << 19, 'message_content'],
] as const;

/** Values of `event_webhooks_status` that a request may set. */
const OFF = 1;
const ON = 2;

/** Pictures come from the fixture, and a request can only remove them. */
const removal = z.optional(z.null());

const changes = z.object({
  description: clearable(
    z.union([text(0, 400), z.object({ default: text(0, 400) }).transform((localized) => localized.default)]),
  ),
  flags: clearable(z.int()),
  event_webhooks_url: clearable(text(0, 2048)),
  event_webhooks_status: clearable(choice(OFF, ON)),
  interactions_endpoint_url: clearable(text(0, 2048)),
  icon: removal,
  cover_image: removal,
  event_webhooks_types: clearable(set(choice(...EVENT_TYPES), 0, EVENT_TYPES.length)),
});

/** Public fields of the request that the emulator does not store. */
const NOT_OFFERED = [
  'description.localizations',
  'icon',
  'cover_image',
  'team_id',
  'explicit_content_filter',
  'max_participants',
  'type',
  'tags',
  'custom_install_url',
  'install_params',
  'role_connections_verification_url',
  'integration_types_config',
] as const;

async function changed(
  platform: Needs,
  caller: ApplicationRecord,
  body: z.output<typeof changes>,
): Promise<Reply> {
  const { world } = platform;
  const { description, flags, interactions_endpoint_url: endpoint, icon, cover_image } = body;
  await checkInteractionsEndpoint(platform, caller, endpoint || null);
  await changeWebhook(platform, caller.id, body);
  // The application may have been changed or deleted while its URL was checked.
  const record = world.tables.applications.get(caller.id);
  if (record === undefined) throw new ApiError('UnknownApplication');
  const next: ApplicationRecord = {
    ...record,
    ...(description === undefined ? {} : { description: description ?? '' }),
    ...(flags === undefined || flags === null
      ? {}
      : { intents: INTENT_BITS.filter(([bit]) => (flags & bit) !== 0).map(([, name]) => name) }),
    ...(endpoint === undefined ? {} : { interactions_endpoint_url: endpoint || null }),
    ...(icon === undefined ? {} : { icon }),
    ...(cover_image === undefined ? {} : { cover_image }),
  };
  world.onBehalfOf(caller.id, () => world.transaction(({ applications }) => applications.put(next)));
  return ok(ownApplicationAnswer(world, next));
}

/** Verifies a new URL before anything is changed. @throws ApiError 50035 that quotes a wrong reply. */
async function checkInteractionsEndpoint(
  platform: Needs,
  { id, interactions_endpoint_url: before }: ApplicationRecord,
  url: string | null,
): Promise<void> {
  if (url === null || url === before) return;
  try {
    await checkEndpoint(platform, id, url);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const code = 'APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID';
    const message = `The specified interactions endpoint url could not be verified: ${error.reason}`;
    throw invalidField(['interactions_endpoint_url'], code, message);
  }
}

/** Verifies the webhook's URL and then changes the webhook. @throws ApiError 50035 that quotes a wrong reply. */
async function changeWebhook(
  { world, webhooks }: Pick<Base, 'world'> & HasWebhooks,
  application: string,
  {
    event_webhooks_url: url,
    event_webhooks_status: status,
    event_webhooks_types: types,
  }: z.output<typeof changes>,
): Promise<void> {
  const before = world.tables.event_webhooks.get(application);
  const next = url === undefined ? before?.url : url;
  if (next === undefined || next === null || next === '') {
    webhooks.unset(application);
    return;
  }
  const wanted = types === undefined ? (before?.types ?? []) : (types ?? []);
  if (next !== before?.url || (status === ON && before.status !== 'on')) {
    try {
      await webhooks.set(application, next, wanted);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      if (error.key === 'application') return;
      throw invalidField(['event_webhooks_url'], 'APPLICATION_EVENT_WEBHOOKS_URL_INVALID', error.reason);
    }
  }
  // Another request may have removed the webhook meanwhile.
  if (!world.tables.event_webhooks.has(application)) return;
  world.transaction(({ event_webhooks }) =>
    event_webhooks.update(application, {
      types: wanted,
      ...(status === OFF ? { status: 'off' as const } : {}),
    }),
  );
}

/** The routes of applications. */
export const applicationOperations = [
  defineOperation({
    id: 'get_my_application',
    summary: "The bot's own application.",
    route: 'GET /applications/@me',
    answers: { 200: ownApplicationShape },
    handle: ({ caller }, { world }) => ok(ownApplicationAnswer(world, caller.application)),
  }),
  defineOperation({
    id: 'update_my_application',
    summary: "Changes the bot's own application; of `flags` only the limited intents can be set.",
    route: 'PATCH /applications/@me',
    body: changes,
    notOffered: NOT_OFFERED,
    answers: { 200: ownApplicationShape },
    handle: ({ caller, body: sent }, platform) => changed(platform, caller.application, sent),
  }),
  defineOperation({
    id: 'get_application',
    summary: "An application by id: only the bot's own.",
    route: 'GET /applications/{application_id}',
    answers: { 200: ownApplicationShape },
    handle: ({ caller, params }, { world }) => {
      checkOwn(caller, params.application_id);
      return ok(ownApplicationAnswer(world, caller.application));
    },
  }),
  defineOperation({
    id: 'update_application',
    summary: 'The same as for `@me`, by id.',
    route: 'PATCH /applications/{application_id}',
    body: changes,
    notOffered: NOT_OFFERED,
    answers: { 200: ownApplicationShape },
    handle: ({ caller, params, body: sent }, platform) => {
      checkOwn(caller, params.application_id);
      return changed(platform, caller.application, sent);
    },
  }),
  defineOperation({
    id: 'get_my_oauth2_application',
    summary: "The bot's own application, where older libraries look for it.",
    route: 'GET /oauth2/applications/@me',
    answers: { 200: ownApplicationShape },
    handle: ({ caller }, { world }) => ok(ownApplicationAnswer(world, caller.application)),
  }),
  defineOperation({
    id: 'get_application_role_connections_metadata',
    summary: 'The metadata fields that the application may set for its users.',
    route: 'GET /applications/{application_id}/role-connections/metadata',
    answers: { 200: z.array(metadataItemShape) },
    handle: ({ caller, params }, { world }) => {
      checkOwn(caller, params.application_id);
      return ok(metadataAnswer(world, params.application_id));
    },
  }),
  defineOperation({
    id: 'update_application_role_connections_metadata',
    summary: 'Replaces the metadata fields that the application may set for its users.',
    route: 'PUT /applications/{application_id}/role-connections/metadata',
    body: z.nullable(list(metadataItem, 0, 5)),
    answers: { 200: z.array(metadataItemShape) },
    handle: ({ caller, params, body: sent }, { world }) => {
      checkOwn(caller, params.application_id);
      const application = params.application_id;
      const items = sent ?? [];
      world.transaction(({ role_connection_metadata: table }) => {
        for (const row of [...table.by('application', application)]) table.remove(table.keyOf(row));
        for (const { name_localizations, description_localizations, ...item } of items) {
          table.put({
            application,
            ...item,
            name_localizations: name_localizations ?? null,
            description_localizations: description_localizations ?? null,
          });
        }
      });
      return ok(metadataAnswer(world, application));
    },
  }),
];
