import * as z from 'zod';
import { invalidField, invalidForm } from '../api/api-error.ts';
import { choice, clearable, flagText, integer, moment, set, snowflake, text } from '../api/fields.ts';
import { defineOperation, ok } from '../api/operation.ts';
import type { Reading } from '../api/world.ts';
import { image } from '../files/data-uri.ts';
import type { FieldFault } from '../kernel/errors.ts';
import { AUDIT, auditChanges, logged, writeAudit } from './audit/audit.ts';
import { need, type RequestingMember, requestingMember } from './guild-access.ts';
import { guildAnswer, guildShape, incidentsAnswer, incidentsShape } from './guild-answers.ts';
import { memberCount, presenceCount } from './members/list.ts';
import type { Guild } from './records.ts';

/** Features that a guild's managers can set. The platform alone sets all other features. */
const OWN_FEATURES = ['COMMUNITY', 'DISCOVERABLE', 'INVITES_DISABLED', 'RAID_ALERTS_DISABLED'];
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

const wanted = z.object({
  name: z.optional(text(2, 100)),
  description: clearable(text(0, 300)),
  // Deprecated, without effect.
  region: clearable(z.string()),
  icon: clearable(image()),
  banner: clearable(image()),
  splash: clearable(image()),
  discovery_splash: clearable(image()),
  home_header: clearable(image()),
  verification_level: clearable(choice(0, 1, 2, 3, 4)),
  default_message_notifications: clearable(choice(0, 1)),
  explicit_content_filter: clearable(choice(0, 1, 2)),
  preferred_locale: clearable(text(2, 16)),
  afk_timeout: clearable(choice(60, 300, 900, 1800, 3600)),
  afk_channel_id: clearable(snowflake()),
  system_channel_id: clearable(snowflake()),
  system_channel_flags: clearable(integer(0, 2 ** 31 - 1)),
  rules_channel_id: clearable(snowflake()),
  safety_alerts_channel_id: clearable(snowflake()),
  public_updates_channel_id: clearable(snowflake()),
  features: clearable(set(text(1, 64), 0, 100)),
  premium_progress_bar_enabled: clearable(z.boolean()),
});
type Wanted = z.output<typeof wanted>;

/** Fields of the request that refer to a channel, each with the channel types that it accepts. */
const CHANNELS = {
  afk_channel_id: [2],
  system_channel_id: [0],
  rules_channel_id: [0],
  safety_alerts_channel_id: [0],
  public_updates_channel_id: [0],
} as const;
/** Images that need a feature. */
const PICTURES = { banner: 'BANNER', splash: 'INVITE_SPLASH', discovery_splash: 'DISCOVERABLE' } as const;

/**
 * The channels that a request sets. @throws ApiError 50035 for a channel of another guild or of a type that the field
 * does not accept.
 */
function channelsOf({ channels }: Reading, guild: Guild, request: Wanted): Partial<Guild> {
  const fields: { -readonly [Key in keyof Guild]?: Guild[Key] } = {};
  for (const name of Object.keys(CHANNELS) as (keyof typeof CHANNELS)[]) {
    const id = request[name];
    if (id === undefined) continue;
    const channel = id === null ? undefined : channels.get(id);
    const types: readonly number[] = CHANNELS[name];
    if (
      id !== null &&
      (channel === undefined || channel.guild !== guild.id || !types.includes(channel.type))
    ) {
      throw invalidField([name], 'CHANNEL_INVALID', 'The channel cannot be used here.');
    }
    fields[name.replace(/_id$/, '') as 'afk_channel'] = id;
  }
  return fields;
}

/** The fields that a request changes: an absent field stays unchanged, and null resets the field. */
function fieldsOf(tables: Reading, who: RequestingMember, request: Wanted): Partial<Guild> {
  const { guild } = who;
  const or = <T>(value: T | null | undefined, before: T, none: T): T =>
    value === undefined ? before : (value ?? none);
  for (const [name, feature] of Object.entries(PICTURES)) {
    const requested = request[name as keyof typeof PICTURES];
    if (requested === undefined || requested === null || guild.features.includes(feature)) continue;
    throw invalidField([name], 'GUILD_FEATURE_MISSING', `The guild needs the feature ${feature}.`);
  }
  return {
    ...channelsOf(tables, guild, request),
    name: request.name ?? guild.name,
    description: or(request.description, guild.description, null),
    icon: or(request.icon, guild.icon, null),
    // The icon that was set last counts, so a new `icon` removes `icon_url`.
    icon_url: request.icon === undefined ? guild.icon_url : null,
    banner: or(request.banner, guild.banner, null),
    splash: or(request.splash, guild.splash, null),
    discovery_splash: or(request.discovery_splash, guild.discovery_splash, null),
    home_header: or(request.home_header, guild.home_header, null),
    verification_level: or(request.verification_level, guild.verification_level, 0),
    default_message_notifications: or(
      request.default_message_notifications,
      guild.default_message_notifications,
      0,
    ),
    explicit_content_filter: or(request.explicit_content_filter, guild.explicit_content_filter, 0),
    preferred_locale: or(request.preferred_locale, guild.preferred_locale, 'en-US'),
    afk_timeout: or(request.afk_timeout, guild.afk_timeout, 300),
    system_channel_flags: or(request.system_channel_flags, guild.system_channel_flags, 0),
    premium_progress_bar_enabled: or(
      request.premium_progress_bar_enabled,
      guild.premium_progress_bar_enabled,
      false,
    ),
    features: featuresOf(who, request.features),
  };
}

/** The features after a request. Only an administrator can change COMMUNITY and DISCOVERABLE. */
function featuresOf(who: RequestingMember, names: readonly string[] | null | undefined): readonly string[] {
  const { features } = who.guild;
  if (names === undefined) return features;
  const requested = OWN_FEATURES.filter((name) => names?.includes(name));
  const different = OWN_FEATURES.filter((name) => requested.includes(name) !== features.includes(name));
  if (different.some((name) => name === 'COMMUNITY' || name === 'DISCOVERABLE')) need(who, 'ADMINISTRATOR');
  return [...features.filter((name) => !OWN_FEATURES.includes(name)), ...requested];
}

/** The fields of a guild, in the form of an audit log, without parts that have entries of their own. */
function logView(id: string) {
  return (tables: Reading): Readonly<Record<string, unknown>> => {
    const { roles: _roles, ...rest } = guildAnswer(tables, tables.guilds.get(id) as Guild);
    return rest;
  };
}

/** Routes of guilds. */
export const guildOperations = [
  defineOperation({
    id: 'get_guild',
    summary: 'A guild that the bot is in.',
    route: 'GET /guilds/{guild_id}',
    query: z.object({ with_counts: z.optional(flagText()) }),
    answers: { 200: guildShape },
    handle: ({ caller, params, query }, platform) => {
      const { guild } = requestingMember(caller, params.guild_id, platform);
      const { tables } = platform.world;
      const counts = {
        approximate_member_count: memberCount(tables, guild),
        approximate_presence_count: presenceCount(tables, guild),
      };
      return ok({ ...guildAnswer(tables, guild), ...(query.with_counts === true ? counts : {}) });
    },
  }),
  defineOperation({
    id: 'update_guild',
    summary: 'Changes a guild.',
    route: 'PATCH /guilds/{guild_id}',
    body: wanted,
    maxBodyBytes: MAX_IMAGE_BYTES,
    answers: { 200: guildShape },
    handle: ({ caller, params, body, reason }, platform) => {
      const who = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD');
      const { world } = platform;
      const fields = fieldsOf(world.tables, who, body);
      const { id } = who.guild;
      const deed = { action: AUDIT.GUILD_UPDATE, target: id, reason };
      const changed = logged(world, who, deed, logView(id), ({ guilds }) => guilds.update(id, fields));
      return ok(guildAnswer(world.tables, changed));
    },
  }),
];

/** Maximum duration of an incident action, in milliseconds. */
const MAX_INCIDENT_MS = 24 * 3_600_000;
const FIELDS = ['invites_disabled_until', 'dms_disabled_until'] as const;

/** Route of incident actions. */
export const incidentOperations = [
  defineOperation({
    id: 'update_guild_incident_actions',
    summary: 'Disables joining by invite, or direct messages, for up to a day.',
    route: 'PUT /guilds/{guild_id}/incident-actions',
    body: z.object({
      invites_disabled_until: clearable(moment()),
      dms_disabled_until: clearable(moment()),
    }),
    ours: 'An absent field stays unchanged. It is logged as a change of the guild. No source says whose direct messages dms_disabled_until disables: it is stored and sent, and disables none.',
    answers: { 200: incidentsShape },
    handle: ({ caller, params, body, reason }, platform) => {
      const who = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD');
      const { world } = platform;
      const faults: FieldFault[] = [];
      const fields: Partial<Record<(typeof FIELDS)[number], string | null>> = {};
      for (const name of FIELDS) {
        const until = body[name];
        if (until === undefined) continue;
        if (until !== null && until > who.now + MAX_INCIDENT_MS) {
          const message = 'The time is more than 24 hours from now.';
          faults.push({ path: [name], code: 'DATE_TIME_TYPE_TOO_LATE', message });
        }
        // A time in the past has the same effect as no time.
        fields[name] = until === null || until <= who.now ? null : new Date(until).toISOString();
      }
      if (faults.length > 0) throw invalidForm(faults);
      const after = world.transaction((tables) => {
        const changed = tables.guilds.update(who.guild.id, fields);
        const changes = auditChanges(incidentsAnswer(who.guild), incidentsAnswer(changed));
        writeAudit(world, tables, who, { action: AUDIT.GUILD_UPDATE, target: changed.id, reason, changes });
        return changed;
      });
      return ok(incidentsAnswer(after));
    },
  }),
];
