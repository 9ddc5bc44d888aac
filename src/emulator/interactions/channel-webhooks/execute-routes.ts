import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import { flagText, snowflake } from '../../api/fields.ts';
import { anybody, noContent, type Operation, ok, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasFileAddresses } from '../../files/addresses.ts';
import type { HasFileStore } from '../../files/store.ts';
import type { HasAutoMod } from '../../guilds/automod/automod.ts';
import { messageAnswer } from '../../messages/answers.ts';
import { MESSAGE_BODY, withUploads } from '../../messages/attachments/uploads.ts';
import { deleteAnswer } from '../../messages/delete.ts';
import { editMessage } from '../../messages/edit.ts';
import type { Message } from '../../messages/records.ts';
import { type EditRequest, editBody } from '../../messages/requests.ts';
import { messageShape } from '../../messages/shapes.ts';
import { messageIn } from '../../messages/viewer.ts';
import type { NewFile } from '../../messages/write.ts';
import { hasWritten } from '../../messages/writer.ts';
import { answerOf, editAnswer, followUp, interactionOfToken } from '../answer.ts';
import { viewerOfAnswers } from '../ephemeral.ts';
import type { HasInteractions } from '../interactions.ts';
import {
  accessOf,
  executeBody,
  executeWebhook,
  targetChannelOf,
  withComponents,
  writerOf,
} from './execute.ts';
import { webhookByToken } from './webhooks.ts';

/** Services that these operations need. */
type Needs = Base & HasAutoMod & HasFileAddresses & HasFileStore & HasInteractions;

const defineOperation = operationsFor<Needs>();

const WEBHOOK = '/webhooks/{webhook_id}/{webhook_token}';
const MESSAGE = `${WEBHOOK}/messages/{message_id}` as const;
const ORIGINAL = `${WEBHOOK}/messages/@original` as const;

const inThread = { thread_id: z.optional(snowflake()) };
const threadQuery = z.object(inThread);
const change = z.object({ ...inThread, with_components: z.optional(flagText()) });

interface Named {
  readonly params: {
    readonly webhook_id: string;
    readonly webhook_token: string;
    /** Absent for the message of the first answer to an interaction. */
    readonly message_id?: string;
  };
  readonly query: z.output<typeof change>;
}

/**
 * A message that was written with the token of a request: the token of an interaction, or that of a webhook.
 * @throws ApiError 10015, 50027, 10003, 10008.
 */
function written(platform: Needs, { params, query }: Named) {
  const interaction = interactionOfToken(platform, params);
  if (interaction !== undefined) {
    const message = answerOf(platform, interaction, params.message_id);
    const edit = (body: EditRequest, files: readonly NewFile[]) =>
      editAnswer(platform, interaction, message, body, files);
    return { message, edit };
  }
  const webhook = webhookByToken(platform, params);
  if (params.message_id === undefined) throw new ApiError('UnknownMessage');
  const access = accessOf(targetChannelOf(platform, webhook, query.thread_id));
  const message = messageIn(platform, access, params.message_id);
  if (!hasWritten(writerOf(webhook), message)) throw new ApiError('UnknownMessage');
  const edit = (body: EditRequest, files: readonly NewFile[]) => {
    const wanted = withComponents(webhook, body, query.with_components);
    return editMessage(platform, writerOf(webhook), access, message, wanted, files);
  };
  return { message, edit };
}

/** Response with a message, in the form for the holder of the token that wrote it. */
function messageReply(platform: Needs, base: string, message: Message) {
  return ok(messageAnswer(viewerOfAnswers(platform, base, message), message));
}

/** Operations on a message that a token wrote. `name` is the middle of their ids. */
function messageOperations(
  path: typeof MESSAGE | typeof ORIGINAL,
  name: string,
  summaries: Readonly<Record<'get' | 'update' | 'delete', string>>,
): readonly Operation<Needs>[] {
  return [
    defineOperation({
      id: `get_${name}`,
      summary: summaries.get,
      route: `GET ${path}`,
      who: [anybody],
      query: threadQuery,
      answers: { 200: messageShape },
      handle: (request, platform) => messageReply(platform, request.base, written(platform, request).message),
    }),
    defineOperation({
      id: `update_${name}`,
      summary: summaries.update,
      route: `PATCH ${path}`,
      who: [anybody],
      query: change,
      body: editBody,
      ...MESSAGE_BODY,
      notOffered: ['poll', 'attachments.[].is_remix'],
      answers: { 200: messageShape },
      handle: async (request, platform) => {
        const { body, base } = request;
        written(platform, request);
        const edited = await withUploads(platform, request.files, body.attachments, (files) =>
          // While the files were stored, the token may have expired, and the message may have been removed.
          written(platform, request).edit(body, files),
        );
        return messageReply(platform, base, edited);
      },
    }),
    defineOperation({
      id: `delete_${name}`,
      summary: summaries.delete,
      route: `DELETE ${path}`,
      who: [anybody],
      query: threadQuery,
      answers: { 204: null },
      handle: (request, platform) => {
        deleteAnswer(platform, written(platform, request).message);
        return noContent();
      },
    }),
  ];
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
    ...MESSAGE_BODY,
    notOffered: ['poll.question.emoji', 'attachments.[].is_remix'],
    ours: 'Errors are returned whether or not `wait` is set. A webhook may mention everyone unless allowed_mentions forbids it, and use the emoji of every guild.',
    answers: { 200: messageShape, 204: null },
    handle: async ({ params, query, body, files, base }, platform) => {
      const isAnswer = interactionOfToken(platform, params) !== undefined;
      if (!isAnswer) webhookByToken(platform, params);
      const { wait, thread_id: threadId, with_components } = query;
      const message = await withUploads(platform, files, body.attachments, (stored) => {
        // While the files were stored, the token may have expired, and the webhook may have been removed.
        const interaction = interactionOfToken(platform, params);
        if (interaction !== undefined) return followUp(platform, interaction, body, stored);
        const webhook = webhookByToken(platform, params);
        return executeWebhook(platform, webhook, body, { threadId, withComponents: with_components }, stored);
      });
      return isAnswer || wait === true ? messageReply(platform, base, message) : noContent();
    },
  }),
  ...messageOperations(MESSAGE, 'webhook_message', {
    get: 'A message that the webhook wrote.',
    update: 'Changes a message that the webhook wrote.',
    delete: 'Deletes a message that the webhook wrote.',
  }),
];

/** Operations on the first answer to an interaction, by its token. */
export const originalOperations = messageOperations(ORIGINAL, 'original_webhook_message', {
  get: 'The message of the first answer, or the message of the component that it edited.',
  update: 'Edits that message, which completes a deferred answer.',
  delete: 'Deletes that message.',
});
