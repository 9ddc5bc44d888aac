import * as z from 'zod';
import { namedShape, timestamp } from '../api/fields.ts';
import { picked } from '../api/present.ts';
import type { Reading } from '../api/world.ts';
import { emojiAnswer, emojiShape } from './emoji/answers.ts';
import type { Guild } from './records.ts';
import { roleAnswer, roleShape } from './roles/answers.ts';
import { rolesInOrder } from './roles/roles.ts';
import { stickerAnswer, stickerShape } from './stickers/answers.ts';

/** Id that replaces the owner of a guild without an owner: the platform's account for deleted users. */
const NOBODY = '456226577798135808';

/** Times until which invites and direct messages of a guild are disabled. */
export const incidentsShape = namedShape('GuildIncidents', {
  invites_disabled_until: z.nullable(z.string()),
  dms_disabled_until: z.nullable(z.string()),
});

function hasIncidents(guild: Guild): boolean {
  return guild.invites_disabled_until !== null || guild.dms_disabled_until !== null;
}

/** Times until which invites and direct messages of a guild are disabled. */
export function incidentsAnswer(guild: Guild): z.output<typeof incidentsShape> {
  const moment = (written: string | null) => (written === null ? null : timestamp(Date.parse(written)));
  return {
    invites_disabled_until: moment(guild.invites_disabled_until),
    dms_disabled_until: moment(guild.dms_disabled_until),
  };
}

/** Fields of a guild that its members see as they are stored. */
const asStored = {
  id: z.string(),
  name: z.string(),
  icon: z.nullable(z.string()),
  description: z.nullable(z.string()),
  home_header: z.nullable(z.string()),
  splash: z.nullable(z.string()),
  discovery_splash: z.nullable(z.string()),
  banner: z.nullable(z.string()),
  afk_timeout: z.int(),
  system_channel_flags: z.int(),
  widget_enabled: z.boolean(),
  verification_level: z.int(),
  default_message_notifications: z.int(),
  mfa_level: z.int(),
  explicit_content_filter: z.int(),
  vanity_url_code: z.nullable(z.string()),
  premium_tier: z.int(),
  preferred_locale: z.string(),
  premium_progress_bar_enabled: z.boolean(),
  nsfw_level: z.int(),
};

/** A guild for its members. */
export const guildShape = namedShape('Guild', {
  ...asStored,
  features: z.array(z.string()),
  owner_id: z.string(),
  application_id: z.null(),
  hub_type: z.null(),
  region: z.string(),
  afk_channel_id: z.nullable(z.string()),
  system_channel_id: z.nullable(z.string()),
  widget_channel_id: z.nullable(z.string()),
  roles: z.array(roleShape),
  max_presences: z.null(),
  max_members: z.int(),
  max_stage_video_channel_users: z.int(),
  max_video_channel_users: z.int(),
  premium_subscription_count: z.int(),
  rules_channel_id: z.nullable(z.string()),
  safety_alerts_channel_id: z.nullable(z.string()),
  public_updates_channel_id: z.nullable(z.string()),
  nsfw: z.boolean(),
  emojis: z.array(emojiShape),
  stickers: z.array(stickerShape),
  incidents_data: z.nullable(incidentsShape),
  approximate_member_count: z.optional(z.int()),
  approximate_presence_count: z.optional(z.int()),
});

/** Values of `nsfw_level` that exclude minors from the guild. */
const EXPLICIT = [1, 3];

/** Id of a guild's owner, as members see it. */
function ownerOf({ owner }: Guild): string {
  return owner ?? NOBODY;
}

/** A guild for its members. */
export function guildAnswer(tables: Reading, guild: Guild): z.output<typeof guildShape> {
  return {
    ...picked(guild, asStored),
    features: [...guild.features],
    owner_id: ownerOf(guild),
    application_id: null,
    hub_type: null,
    region: 'deprecated',
    afk_channel_id: guild.afk_channel,
    system_channel_id: guild.system_channel,
    widget_channel_id: guild.widget_channel,
    roles: rolesInOrder(tables, guild.id).map(roleAnswer),
    max_presences: null,
    // Limits that the platform sets for a guild.
    max_members: 500_000,
    max_stage_video_channel_users: [50, 50, 150, 300][guild.premium_tier] ?? 50,
    max_video_channel_users: 25,
    premium_subscription_count: boosts(tables, guild),
    rules_channel_id: guild.rules_channel,
    safety_alerts_channel_id: guild.safety_alerts_channel,
    public_updates_channel_id: guild.public_updates_channel,
    nsfw: EXPLICIT.includes(guild.nsfw_level),
    emojis: [...tables.emojis.by('guild', guild.id)].map((emoji) => emojiAnswer(tables, emoji, false)),
    stickers: [...tables.stickers.by('guild', guild.id)].map((one) => stickerAnswer(tables, one, false)),
    incidents_data: hasIncidents(guild) ? incidentsAnswer(guild) : null,
  };
}

function boosts({ members }: Reading, { id }: Guild): number {
  let count = 0;
  for (const { premium_since: since } of members.by('guild', id)) if (since !== null) count += 1;
  return count;
}
