import * as z from 'zod';

const optionalText = z.optional(z.string().max(4096));

/** Query of the authorization page (RFC 6749 section 4.1.1). */
export const webQuery = z.object({
  client_id: z.string().max(32),
  response_type: optionalText,
  scope: optionalText,
  redirect_uri: optionalText,
  state: optionalText,
  prompt: optionalText,
  nonce: optionalText,
  code_challenge: optionalText,
  code_challenge_method: optionalText,
  integration_type: optionalText,
  guild_id: z.optional(z.string().max(32)),
  permissions: z.optional(z.string().max(32)),
  /** The preselected channel for a webhook. */
  channel_id: z.optional(z.string().max(32)),
  disable_guild_select: optionalText,
});
