import * as z from 'zod';
import { flagText, snowflake } from '../../api/fields.ts';
import { anybody, noContent, ok, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasFileAddresses } from '../../files/addresses.ts';
import type { HasFileStore } from '../../files/store.ts';
import type { HasAutoMod } from '../../guilds/automod/automod.ts';
import { messageAnswer } from '../../messages/answers.ts';
import { MESSAGE_FILES, withUploads } from '../../messages/attachments/uploads.ts';
import { editBody } from '../../messages/requests.ts';
import { messageShape } from '../../messages/shapes.ts';
import { editOriginal, originalOf } from '../answer.ts';
import { deleteAnswer, viewerOfAnswers } from '../ephemeral.ts';
import type { HasInteractions } from '../interactions.ts';
import { interactionByToken } from './token-interaction.ts';

/** Services that these operations need. */
type Needs = Base & HasAutoMod & HasFileAddresses & HasFileStore & HasInteractions;

const defineOperation = operationsFor<Needs>();

const ORIGINAL = '/webhooks/{webhook_id}/{webhook_token}/messages/@original';
const threadQuery = z.object({ thread_id: z.optional(snowflake()) });

/** Operations on the first answer to an interaction, by its token. */
export const originalOperations = [
  defineOperation({
    id: 'get_original_webhook_message',
    summary: 'The message of the first answer, or the message of the component that it edited.',
    route: `GET ${ORIGINAL}`,
    who: [anybody],
    query: threadQuery,
    answers: { 200: messageShape },
    handle: ({ params, base }, platform) => {
      const message = originalOf(platform, interactionByToken(platform, params));
      return ok(messageAnswer(viewerOfAnswers(platform, base, message), message));
    },
  }),
  defineOperation({
    id: 'update_original_webhook_message',
    summary: 'Edits that message, which completes a deferred answer.',
    route: `PATCH ${ORIGINAL}`,
    who: [anybody],
    query: threadQuery.extend({ with_components: z.optional(flagText()) }),
    body: editBody,
    bodyKinds: ['json', 'form', 'multipart'],
    maxBodyBytes: 1024 * 1024,
    files: MESSAGE_FILES,
    notOffered: ['poll', 'attachments.[].is_remix'],
    answers: { 200: messageShape },
    handle: async ({ params, body, files, base }, platform) => {
      originalOf(platform, interactionByToken(platform, params));
      const edited = await withUploads(platform, files, body.attachments, (stored) =>
        // The message may have been removed while the files were stored.
        editOriginal(platform, interactionByToken(platform, params), body, stored),
      );
      return ok(messageAnswer(viewerOfAnswers(platform, base, edited), edited));
    },
  }),
  defineOperation({
    id: 'delete_original_webhook_message',
    summary: 'Deletes that message.',
    route: `DELETE ${ORIGINAL}`,
    who: [anybody],
    query: threadQuery,
    answers: { 204: null },
    handle: ({ params }, platform) => {
      deleteAnswer(platform, originalOf(platform, interactionByToken(platform, params)));
      return noContent();
    },
  }),
];
