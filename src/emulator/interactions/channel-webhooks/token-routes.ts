import * as z from 'zod';
import { clearable, maybe } from '../../api/fields.ts';
import { anybody, defineOperation, noContent, ok } from '../../api/operation.ts';
import { image } from '../../files/data-uri.ts';
import { webhookAnswerByToken } from '../../guilds/webhooks/answers.ts';
import { webhookShape } from '../../guilds/webhooks/shapes.ts';
import { noteWebhook, webhookByToken, webhookName } from './webhooks.ts';

/** Operations on a webhook by its token, except operations on messages. */
export const tokenWebhookOperations = [
  defineOperation({
    id: 'get_webhook_by_token',
    summary: 'A webhook, without its creator.',
    route: 'GET /webhooks/{webhook_id}/{webhook_token}',
    who: [anybody],
    answers: { 200: webhookShape },
    handle: ({ params, base }, platform) =>
      ok(webhookAnswerByToken(platform.world.tables, webhookByToken(platform, params), base)),
  }),
  defineOperation({
    id: 'update_webhook_by_token',
    summary: 'Changes the name or picture of a webhook.',
    route: 'PATCH /webhooks/{webhook_id}/{webhook_token}',
    who: [anybody],
    body: z.object({ name: maybe(webhookName()), avatar: clearable(image()) }),
    maxBodyBytes: 1024 * 1024,
    answers: { 200: webhookShape },
    ours: 'The audit log entry of a change by token has no user.',
    handle: ({ params, body, base, reason }, platform) => {
      const { world } = platform;
      const before = webhookByToken(platform, params);
      const { name = before.name, avatar = before.avatar } = body;
      return world.transaction((tables) => {
        const after = tables.channel_webhooks.update(before.id, { name, avatar });
        noteWebhook(platform, tables, undefined, { before, after, reason });
        return ok(webhookAnswerByToken(world.tables, after, base));
      });
    },
  }),
  defineOperation({
    id: 'delete_webhook_by_token',
    summary: 'Deletes a webhook.',
    route: 'DELETE /webhooks/{webhook_id}/{webhook_token}',
    who: [anybody],
    answers: { 204: null },
    handle: ({ params, reason }, platform) => {
      const before = webhookByToken(platform, params);
      platform.world.transaction((tables) => {
        noteWebhook(platform, tables, undefined, { before, reason });
        tables.channel_webhooks.remove(before.id);
      });
      return noContent();
    },
  }),
];
