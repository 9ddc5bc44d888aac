import * as z from 'zod';
import type { Guild } from './records.ts';

/** The guild of an authorization: what it says of itself, without its roles, channels and members. */
export const authorizedGuildShape = z
  .object({
    id: z.string(),
    name: z.string(),
    icon: z.nullable(z.string()),
    description: z.nullable(z.string()),
    splash: z.nullable(z.string()),
    discovery_splash: z.nullable(z.string()),
    banner: z.nullable(z.string()),
    owner_id: z.nullable(z.string()),
    features: z.array(z.string()),
    verification_level: z.int(),
    default_message_notifications: z.int(),
    explicit_content_filter: z.int(),
    mfa_level: z.int(),
    nsfw_level: z.int(),
    premium_tier: z.int(),
    preferred_locale: z.string(),
    vanity_url_code: z.nullable(z.string()),
  })
  .meta({ id: 'AuthorizedGuild' });

/** The guild of an authorization, on the wire. */
export type AuthorizedGuild = z.output<typeof authorizedGuildShape>;

/** The guild of an authorization, for the wire. */
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
