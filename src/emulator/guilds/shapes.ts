import * as z from 'zod';
import { namedShape } from '../api/fields.ts';

/** A guild in the result of an authorization, without its roles, channels and members. */
export const authorizedGuildShape = namedShape('AuthorizedGuild', {
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
});
