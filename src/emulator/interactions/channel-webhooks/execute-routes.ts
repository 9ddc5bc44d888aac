import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import { flagText, snowflake } from '../../api/fields.ts';
import { anybody, noContent, ok, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasFileAddresses } from '../../files/addresses.ts';
import type { HasFileStore } from '../../files/store.ts';
import type { HasAutoMod } from '../../guilds/automod/automod.ts';
import type { ChannelRecord } from '../../guilds/channels/records.ts';
import { messageAnswer } from '../../messages/answers.ts';
import { MESSAGE_FILES, withUploads } from '../../messages/attachments/uploads.ts';
import { deleteMessage } from '../../messages/delete.ts';
import { editMessage } from '../../messages/edit.ts';
import type { Message } from '../../messages/records.ts';
import { editBody } from '../../messages/requests.ts';
import { messageShape } from '../../messages/shapes.ts';
import { messageIn, viewerOf } from '../../messages/viewer.ts';
import { hasWritten } from '../../messages/writer.ts';
import { answerOf, editAnswer, followUp, interactionOfToken } from '../answer.ts';
import { deleteAnswer, viewerOfAnswers } from '../ephemeral.ts';
import type { HasInteractions } from '../interactions.ts';
import type { Interaction } from '../records.ts';
import {
  accessOf,
  executeBody,
  executeWebhook,
  targetChannelOf,
  withComponents,
  writerOf,
} from './execute.ts';
import { interactionByToken } from './token-interaction.ts';
import { type TokenWebhook, webhookByToken } from './webhooks.ts';

/** Services that these operations need. */
type Needs = Base & HasAutoMod & HasFileAddresses & HasFileStore & HasInteractions;

const defineOperation = operationsFor<Needs>();

const WEBHOOK = '/webhooks/{webhook_id}/{webhook_token}';
const MESSAGE = `${WEBHOOK}/messages/{message_id}` as const;

const inThread = { thread_id: z.optional(snowflake()) };
const threadQuery = z.object(inThread);
const change = z.object({ ...inThread, with_components: z.optional(flagText()) });

interface Named {
  readonly params: {
    readonly webhook_id: string;
    readonly webhook_token: string;
    readonly message_id: string;
  };
  readonly query: { readonly thread_id?: string | undefined };
}

/** Returns a webhook and a message that the webhook wrote. @throws ApiError 10015, 50027, 10003, 10008. */
function written(
  platform: Needs,
  { params, query }: Named,
): { readonly webhook: TokenWebhook; readonly channel: ChannelRecord; readonly message: Message } {
  const webhook = webhookByToken(platform, params);
  const channel = targetChannelOf(platform, webhook, query.thread_id);
  const message = messageIn(platform, accessOf(channel), params.message_id);
  if (!hasWritten(writerOf(webhook), message)) throw new ApiError('UnknownMessage');
  return { webhook, channel, message };
}

/**
 * A message written with the token of an interaction; undefined when the token belongs to no interaction. @throws
 * ApiError
 */
function answered(
  platform: Needs,
  { params }: Named,
): { readonly interaction: Interaction; readonly message: Message } | undefined {
  const interaction = interactionOfToken(platform, params);
  if (interaction === undefined) return undefined;
  return { interaction, message: answerOf(platform, interaction, params.message_id) };
}

/** Response with a message that an interaction's token wrote, in the form for the holder of the token. */
function messageReply(platform: Needs, base: string, message: Message) {
  return ok(messageAnswer(viewerOfAnswers(platform, base, message), message));
}

/** Operations with a webhook token: write messages, and read, edit and delete them. */
export const executeWebhookOperations = [
  defineOperation({
    id: 'execute_webhook',
    summary:
      'Writes a message, also into a thread or a new forum post; with the token of an interaction, a follow-up answer.',
    route: `POST ${WEBHOOK}`,
    who: [anybody],
    query: change.extend({ wait: z.optional(flagText()) }),
    body: executeBody,
    bodyKinds: ['json', 'form', 'multipart'],
    maxBodyBytes: 1024 * 1024,
    files: MESSAGE_FILES,
    notOffered: ['poll.question.emoji', 'attachments.[].is_remix'],
    ours: 'Errors are returned whether or not `wait` is set. A webhook may mention everyone unless allowed_mentions forbids it, and use the emoji of every guild.',
    answers: { 200: messageShape, 204: null },
    handle: async ({ params, query, body, files, base }, platform) => {
      if (interactionOfToken(platform, params) !== undefined) {
        const message = await withUploads(platform, files, body.attachments, (stored) =>
          // The token may have expired while the files were stored.
          followUp(platform, interactionByToken(platform, params), body, stored),
        );
        return messageReply(platform, base, message);
      }
      webhookByToken(platform, params);
      const { wait, thread_id: threadId, with_components } = query;
      const message = await withUploads(platform, files, body.attachments, (stored) => {
        // The webhook may have been removed while the files were stored.
        const webhook = webhookByToken(platform, params);
        return executeWebhook(platform, webhook, body, { threadId, withComponents: with_components }, stored);
      });
      if (wait !== true) return noContent();
      return ok(messageAnswer(viewerOf(platform, { caller: undefined, base }), message));
    },
  }),
  defineOperation({
    id: 'get_webhook_message',
    summary: 'A message that the webhook wrote.',
    route: `GET ${MESSAGE}`,
    who: [anybody],
    query: threadQuery,
    answers: { 200: messageShape },
    handle: (request, platform) => {
      const answer = answered(platform, request);
      if (answer !== undefined) return messageReply(platform, request.base, answer.message);
      const { message } = written(platform, request);
      return ok(messageAnswer(viewerOf(platform, { caller: undefined, base: request.base }), message));
    },
  }),
  defineOperation({
    id: 'update_webhook_message',
    summary: 'Changes a message that the webhook wrote.',
    route: `PATCH ${MESSAGE}`,
    who: [anybody],
    query: change,
    body: editBody,
    bodyKinds: ['json', 'form', 'multipart'],
    maxBodyBytes: 1024 * 1024,
    files: MESSAGE_FILES,
    notOffered: ['poll', 'attachments.[].is_remix'],
    answers: { 200: messageShape },
    handle: async (request, platform) => {
      const { body, base } = request;
      if (answered(platform, request) !== undefined) {
        const changed = await withUploads(platform, request.files, body.attachments, (files) => {
          // The token may have expired while the files were stored.
          const interaction = interactionByToken(platform, request.params);
          const message = answerOf(platform, interaction, request.params.message_id);
          return editAnswer(platform, interaction, message, body, files);
        });
        return messageReply(platform, base, changed);
      }
      written(platform, request);
      const edited = await withUploads(platform, request.files, body.attachments, (files) => {
        const { webhook, channel, message } = written(platform, request);
        const wanted = withComponents(webhook, body, request.query.with_components);
        return editMessage(platform, writerOf(webhook), accessOf(channel), message, wanted, files);
      });
      return ok(messageAnswer(viewerOf(platform, { caller: undefined, base }), edited));
    },
  }),
  defineOperation({
    id: 'delete_webhook_message',
    summary: 'Deletes a message that the webhook wrote.',
    route: `DELETE ${MESSAGE}`,
    who: [anybody],
    query: threadQuery,
    answers: { 204: null },
    handle: (request, platform) => {
      const answer = answered(platform, request);
      if (answer !== undefined) {
        deleteAnswer(platform, answer.message);
        return noContent();
      }
      const { message } = written(platform, request);
      deleteMessage(platform, message);
      return noContent();
    },
  }),
];
