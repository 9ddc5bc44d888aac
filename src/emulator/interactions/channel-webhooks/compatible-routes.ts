import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import { flagText, snowflake } from '../../api/fields.ts';
import { anybody, noContent, ok, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasAutoMod } from '../../guilds/automod/automod.ts';
import { hasText } from '../../guilds/channels/records.ts';
import { type ExecuteRequest, executeBody, executeWebhook, targetChannelOf } from './execute.ts';
import { githubEmbed } from './github.ts';
import { githubBody } from './github-body.ts';
import { slackBody } from './slack.ts';
import { webhookByToken } from './webhooks.ts';

/** Services that these operations need. */
type Needs = Base & HasAutoMod;

const defineOperation = operationsFor<Needs>();

const query = z.object({ wait: z.optional(flagText()), thread_id: z.optional(snowflake()) });
const embedsOnly = executeBody.pick({ embeds: true });

interface TokenRequest {
  readonly params: { readonly webhook_id: string; readonly webhook_token: string };
  readonly query: z.output<typeof query>;
}

/**
 * Writes the message for a payload of GitHub or Slack. A missing `body` stands for an event without a message, for
 * which nothing is written. @throws ApiError like a normal webhook.
 */
function writeForService(platform: Needs, request: TokenRequest, body: ExecuteRequest | undefined): void {
  const webhook = webhookByToken(platform, request.params);
  if (!hasText(targetChannelOf(platform, webhook, undefined))) {
    throw new ApiError('WebhookServicesCannotBeUsedInForumChannels');
  }
  const threadId = request.query.thread_id;
  targetChannelOf(platform, webhook, threadId);
  if (body !== undefined) executeWebhook(platform, webhook, body, { threadId });
}

/** The routes of webhooks for services with their own format. */
export const compatibleWebhookOperations = [
  defineOperation({
    id: 'execute_slack_compatible_webhook',
    summary: 'Writes a message in the format of Slack.',
    route: 'POST /webhooks/{webhook_id}/{webhook_token}/slack',
    who: [anybody],
    query,
    body: slackBody,
    bodyKinds: ['json', 'form', 'multipart'],
    maxBodyBytes: 1024 * 1024,
    answers: { 200: z.string() },
    ours: 'Each attachment becomes an embed; `pretext` stands above its text. Errors of the resulting embeds are reported as errors of `embeds`.',
    handle: (request, platform) => {
      writeForService(platform, request, request.body);
      return ok('ok');
    },
  }),
  defineOperation({
    id: 'execute_github_compatible_webhook',
    summary: 'Writes a message about a GitHub event, which the header X-GitHub-Event names.',
    route: 'POST /webhooks/{webhook_id}/{webhook_token}/github',
    who: [anybody],
    query,
    body: githubBody,
    maxBodyBytes: 2 * 1024 * 1024,
    answers: { 204: null },
    ours: 'The text of an embed is our own: the platform documents the accepted events, not their texts. Other events write nothing.',
    handle: (request, platform) => {
      const [event = ''] = [request.headers['x-github-event']].flat();
      const embed = githubEmbed(event, request.body);
      writeForService(platform, request, embed && embedsOnly.parse({ embeds: [embed] }));
      return noContent();
    },
  }),
];
