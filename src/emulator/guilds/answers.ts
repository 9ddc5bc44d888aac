import type * as z from 'zod';
import type { Guild } from './records.ts';
import type { authorizedGuildShape } from './shapes.ts';

/** A guild in the result of an authorization, as the API sends it. */
export type AuthorizedGuild = z.output<typeof authorizedGuildShape>;

/** Builds the guild in the result of an authorization from its record. */
export function authorizedGuildAnswer(guild: Guild): AuthorizedGuild {
  return {
    id: guild.id,
    name: guild.name,
    icon: guild.icon,
    description: guild.description,
    splash: guild.splash,
    discovery_splash: guild.discovery_splash,
    banner: guild.banner,
    owner_id: guild.owner,
    features: [...guild.features],
    verification_level: guild.verification_level,
    default_message_notifications: guild.default_message_notifications,
    explicit_content_filter: guild.explicit_content_filter,
    mfa_level: guild.mfa_level,
    nsfw_level: guild.nsfw_level,
    premium_tier: guild.premium_tier,
    preferred_locale: guild.preferred_locale,
    vanity_url_code: guild.vanity_url_code,
  };
}
