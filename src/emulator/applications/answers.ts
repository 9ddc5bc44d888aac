import * as z from 'zod';
import { SCOPES, scopeRow } from '../../protocol/scope.ts';
import { namedShape } from '../api/fields.ts';
import type { Reading, World } from '../api/world.ts';
import { verifyKeyOf } from '../kernel/application-key.ts';
import { userAnswer } from '../users/answers.ts';
import { userShape } from '../users/shapes.ts';
import { botUserOf } from './bot.ts';
import type { ApplicationRecord } from './records.ts';

/** Bits of `flags` that follow from properties of an application. */
const PUBLIC_OAUTH2_CLIENT = 1n << 8n;
/** Bits of the privileged intents, in the limited form for applications in few guilds. */
const INTENTS: Readonly<Record<ApplicationRecord['intents'][number], bigint>> = {
  guild_presences: 1n << 13n,
  guild_members: 1n << 15n,
  message_content: 1n << 19n,
};
const EMBEDDED = 1n << 17n;
const PARENT = 1n << 33n;

/** Values of `event_webhooks_status`. */
const WEBHOOK_STATUS = { off: 1, on: 2, failing: 3 } as const;

/** The public view of an application. */
export const applicationShape = namedShape('Application', {
  id: z.string(),
  name: z.string(),
  icon: z.nullable(z.string()),
  description: z.string(),
  type: z.null(),
  cover_image: z.optional(z.string()),
  verify_key: z.string(),
  flags: z.int(),
  flags_new: z.string(),
});

/** The view of an application for its owner and its bot. */
export const ownApplicationShape = applicationShape
  .extend({
    bot: userShape,
    rpc_origins: z.array(z.string()),
    bot_public: z.boolean(),
    bot_require_code_grant: z.boolean(),
    redirect_uris: z.array(z.string()),
    interactions_endpoint_url: z.nullable(z.string()),
    role_connections_verification_url: z.null(),
    owner: userShape,
    approximate_guild_count: z.int(),
    approximate_user_install_count: z.int(),
    approximate_user_authorization_count: z.int(),
    explicit_content_filter: z.int(),
    team: z.null(),
    event_webhooks_url: z.nullable(z.string()),
    event_webhooks_status: z.int(),
    event_webhooks_types: z.array(z.string()),
    eligible_oauth2_scopes: z.array(z.string()),
  })
  .meta({ id: 'OwnApplication' });

/** The bits of `flags_new`. `flags` consists of those bits that are below 2^31. */
function flagsOf(
  { applications, url_mappings }: Pick<Reading, 'applications' | 'url_mappings'>,
  record: ApplicationRecord,
): bigint {
  let flags = 0n;
  if (record.public_client) flags |= PUBLIC_OAUTH2_CLIENT;
  if (url_mappings.has(record.id, '/')) flags |= EMBEDDED;
  if (applications.by('parent', record.id).size > 0) flags |= PARENT;
  for (const intent of record.intents) flags |= INTENTS[intent];
  return flags;
}

/** The public view of an application. */
export function applicationAnswer(
  { tables }: World,
  record: ApplicationRecord,
): z.output<typeof applicationShape> {
  const { id, name, icon, cover_image, description } = record;
  const flags = flagsOf(tables, record);
  return {
    id,
    name,
    icon,
    description,
    type: null,
    ...(cover_image === null ? {} : { cover_image }),
    verify_key: verifyKeyOf(id),
    flags: Number(flags & 0x7fff_ffffn),
    flags_new: String(flags),
  };
}

/** The view of an application for its owner and its bot. */
export function ownApplicationAnswer(
  world: World,
  record: ApplicationRecord,
): z.output<typeof ownApplicationShape> {
  const webhook = world.tables.event_webhooks.get(record.id);
  return {
    ...applicationAnswer(world, record),
    bot: userAnswer(botUserOf(world, record)),
    rpc_origins: [...record.rpc_origins],
    bot_public: true,
    bot_require_code_grant: false,
    redirect_uris: [...record.redirect_uris],
    interactions_endpoint_url: record.interactions_endpoint_url,
    role_connections_verification_url: null,
    owner: userAnswer(world.me()),
    approximate_guild_count: 0,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
    explicit_content_filter: 0,
    team: null,
    event_webhooks_url: webhook?.url ?? null,
    event_webhooks_status: WEBHOOK_STATUS[webhook?.status ?? 'off'],
    event_webhooks_types: [...(webhook?.types ?? [])],
    eligible_oauth2_scopes: Object.keys(SCOPES).filter(
      (name) => record.partner || scopeRow(name)?.partner !== true,
    ),
  };
}
