import { ApiError } from '../../api/api-error.ts';
import type { Base } from '../../api/world.ts';
import { interactionOfToken } from '../answer.ts';
import type { Interaction } from '../records.ts';
import { webhookByToken } from './webhooks.ts';

/**
 * The interaction of a token. @throws ApiError 10015, 50027, or 10008 for the token of a channel webhook, which has no
 * answers.
 */
export function interactionByToken(
  platform: Parameters<typeof interactionOfToken>[0] & Base,
  params: { readonly webhook_id: string; readonly webhook_token: string },
): Interaction {
  const interaction = interactionOfToken(platform, params);
  if (interaction !== undefined) return interaction;
  webhookByToken(platform, params);
  throw new ApiError('UnknownMessage');
}
