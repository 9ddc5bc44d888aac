import * as z from 'zod';
import { ApiError } from '../api/api-error.ts';
import { queryInteger, set, snowflake } from '../api/fields.ts';
import { noContent, ok, operationsFor } from '../api/operation.ts';
import type { Base } from '../api/world.ts';
import type { HasFileAddresses } from '../files/addresses.ts';
import type { HasFileStore } from '../files/store.ts';
import { AUDIT, noteInChannel } from '../guilds/audit/audit.ts';
import type { HasAutoMod } from '../guilds/automod/automod.ts';
import {
  type AnyChannel,
  anyChannelInView,
  type ChannelAccess,
  channelInView,
} from '../guilds/channels/channel-access.ts';
import { checkThreadState } from '../guilds/threads/rules.ts';
import { timeOf } from '../kernel/snowflake.ts';
import { messageAnswer } from './answers.ts';
import { MESSAGE_BODY, withUploads } from './attachments/uploads.ts';
import { createMessage } from './create.ts';
import { deliver } from './crossposts.ts';
import { deleteMessage } from './delete.ts';
import { editMessage } from './edit.ts';
import { encodedAnswers } from './encoded-answers.ts';
import { MESSAGE_FLAGS, type Message } from './records.ts';
import { createBody, editBody, NOT_OFFERED } from './requests.ts';
import { messageShape } from './shapes.ts';
import { type NotesTyping, startTyping } from './start-typing.ts';
import { messageIn, viewerOf } from './viewer.ts';

/** Services that these operations need. */
type Needs = Base & HasAutoMod & HasFileAddresses & HasFileStore & NotesTyping;

const defineOperation = operationsFor<Needs>();

/** Maximum age of messages in a bulk deletion (ms). */
const BULK_MS = 14 * 86_400_000;

/** Position of a page of messages: before, after or around a message. */
const page = z.object({
  limit: z.optional(queryInteger(1, 100)),
  before: z.optional(snowflake()),
  after: z.optional(snowflake()),
  around: z.optional(snowflake()),
});

function pageOf(
  { world }: Needs,
  { channel, may }: ChannelAccess<AnyChannel>,
  { limit = 50, before, after, around }: z.output<typeof page>,
): readonly Message[] {
  // Without the permission, the caller sees an empty history.
  if (!may('READ_MESSAGE_HISTORY')) return [];
  const all = world.tables.messages.by('channel', channel.id);
  const inOrder = (): readonly Message[] => {
    if (around !== undefined) {
      const found = world.tables.messages.get(around);
      const here = found?.channel === channel.id ? [found] : [];
      const half = Math.floor(limit / 2);
      return [...all.before(around, half), ...here, ...all.after(around, limit - half - here.length)];
    }
    if (after !== undefined) return all.after(after, limit);
    return before === undefined ? all.last(limit) : all.before(before, limit);
  };
  return [...inOrder()].reverse();
}

/** The routes of the messages of a channel. */
export const messageOperations = [
  defineOperation({
    id: 'list_messages',
    summary: 'Messages of a channel, newest first.',
    route: 'GET /channels/{channel_id}/messages',
    query: page,
    answers: { 200: z.array(messageShape) },
    handle: (request, platform) => {
      const access = anyChannelInView(platform, request.params.channel_id, request.caller);
      const viewer = viewerOf(platform, request);
      return ok(encodedAnswers(viewer, pageOf(platform, access, request.query)));
    },
  }),
  defineOperation({
    id: 'create_message',
    summary: 'Writes a message, also a reply or a forwarded one.',
    route: 'POST /channels/{channel_id}/messages',
    body: createBody,
    ...MESSAGE_BODY,
    notOffered: NOT_OFFERED,
    ours: 'A custom emoji that the author may not use is sent as :name:, also in code; those in embeds and text components stay. Forwarding a message whose content the caller cannot read is refused with 403. A nonce is stored for five minutes; after a deletion of its message in that time, the answer is 404 with code 10008. A field that the style of a button does not allow is refused with BUTTON_COMPONENT_INVALID_FIELD.',
    answers: { 200: messageShape },
    handle: async (request, platform) => {
      const { caller, body, params } = request;
      const message = await withUploads(platform, request.files, body.attachments, (files) =>
        createMessage(platform, caller, anyChannelInView(platform, params.channel_id, caller), body, files),
      );
      const answer = messageAnswer(viewerOf(platform, request), message);
      const { nonce } = request.body;
      return ok(nonce === undefined ? answer : { ...answer, nonce });
    },
  }),
  defineOperation({
    id: 'get_message',
    summary: 'A message.',
    route: 'GET /channels/{channel_id}/messages/{message_id}',
    answers: { 200: messageShape },
    handle: (request, platform) => {
      const access = anyChannelInView(platform, request.params.channel_id, request.caller);
      access.need('READ_MESSAGE_HISTORY');
      return ok(
        messageAnswer(viewerOf(platform, request), messageIn(platform, access, request.params.message_id)),
      );
    },
  }),
  defineOperation({
    id: 'update_message',
    summary: 'Edits a message of the caller, or hides the embeds of a message of another user.',
    route: 'PATCH /channels/{channel_id}/messages/{message_id}',
    body: editBody,
    ...MESSAGE_BODY,
    notOffered: ['sticker_ids', 'attachments.[].is_remix'],
    ours: 'A custom emoji that the author may not use becomes :name:.',
    answers: { 200: messageShape },
    handle: async (request, platform) => {
      const { caller, body, params } = request;
      const edited = await withUploads(platform, request.files, body.attachments, (files) => {
        const access = anyChannelInView(platform, params.channel_id, caller);
        const message = messageIn(platform, access, params.message_id);
        return editMessage(platform, caller, access, message, body, files);
      });
      return ok(messageAnswer(viewerOf(platform, request), edited));
    },
  }),
  defineOperation({
    id: 'delete_message',
    summary: "Deletes a message of the caller or, with the permission, another user's.",
    route: 'DELETE /channels/{channel_id}/messages/{message_id}',
    answers: { 204: null },
    handle: (request, platform) => {
      const access = anyChannelInView(platform, request.params.channel_id, request.caller);
      const message = messageIn(platform, access, request.params.message_id);
      if (message.author !== request.caller.user.id) access.need('MANAGE_MESSAGES');
      checkThreadState(access, 'delete');
      // The platform's audit log has no entry when users delete their own message, nor when a bot deletes a single
      // message.
      deleteMessage(platform, message);
      return noContent();
    },
  }),
  defineOperation({
    id: 'bulk_delete_messages',
    summary: 'Deletes 2 to 100 messages of a channel that are not older than two weeks.',
    route: 'POST /channels/{channel_id}/messages/bulk-delete',
    makesRoom: true,
    body: z.object({ messages: set(snowflake(), 2, 100) }),
    answers: { 204: null },
    handle: ({ params, caller, body, reason }, platform) => {
      const access = channelInView(platform, params.channel_id, caller);
      access.need('MANAGE_MESSAGES');
      checkThreadState(access, 'delete');
      const now = platform.clock.now();
      if (body.messages.some((id) => timeOf(id) < now - BULK_MS)) {
        throw new ApiError('OneOfTheMessagesProvidedWasTooOldForBulkDelete');
      }
      platform.world.transaction((tables) => {
        // Ids of removed messages and of messages in other channels are skipped.
        const found = body.messages
          .flatMap((id) => tables.messages.get(id) ?? [])
          .filter(({ channel }) => channel === access.channel.id);
        for (const message of found) deleteMessage(platform, message);
        if (found.length === 0) return;
        noteInChannel(platform, tables, caller, access.channel, {
          action: AUDIT.MESSAGE_BULK_DELETE,
          target: access.channel.id,
          reason,
          options: { count: String(found.length) },
        });
      });
      return noContent();
    },
  }),
];

const ANNOUNCEMENT = 5;

/** Other operations on messages. */
export const otherMessageOperations = [
  defineOperation({
    id: 'crosspost_message',
    summary: 'Publishes a message of an announcement channel.',
    route: 'POST /channels/{channel_id}/messages/{message_id}/crosspost',
    ours: 'Edits also change the copies in following channels; after a deletion the copies only state that the original was deleted.',
    answers: { 200: messageShape },
    handle: (request, platform) => {
      const access = channelInView(platform, request.params.channel_id, request.caller);
      const message = messageIn(platform, access, request.params.message_id);
      access.need('SEND_MESSAGES');
      if (message.author !== request.caller.user.id) access.need('MANAGE_MESSAGES');
      if (access.channel.type !== ANNOUNCEMENT) throw new ApiError('CannotExecuteActionOnThisChannelType');
      if (message.poll !== undefined) throw new ApiError('InvalidMessageType');
      const { flags = 0 } = message;
      if (flags & MESSAGE_FLAGS.crossposted) throw new ApiError('ThisMessageWasAlreadyCrossposted');
      const published = platform.world.transaction((tables) => {
        deliver(platform, tables, message);
        return tables.messages.update(message.id, { flags: flags | MESSAGE_FLAGS.crossposted });
      });
      return ok(messageAnswer(viewerOf(platform, request), published));
    },
  }),
  defineOperation({
    id: 'trigger_typing_indicator',
    summary: 'Starts the typing indicator of the caller.',
    route: 'POST /channels/{channel_id}/typing',
    answers: { 204: null },
    handle: ({ params, caller }, platform) => {
      startTyping(platform, anyChannelInView(platform, params.channel_id, caller), caller.user.id);
      return noContent();
    },
  }),
];
