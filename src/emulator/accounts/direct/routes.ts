import * as z from 'zod';
import { ApiError, missingScope, notOfToken } from '../../api/api-error.ts';
import type { HasAuthorizations } from '../../api/caller.ts';
import { choice, integer, maybe, queryInteger, snowflake, textUpTo } from '../../api/fields.ts';
import { bearer, noContent, ok, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import type { HasFileAddresses } from '../../files/addresses.ts';
import type { HasFileStore } from '../../files/store.ts';
import type { HasAutoMod } from '../../guilds/automod/automod.ts';
import { directBetween } from '../../guilds/channels/private-channels.ts';
import { idAt } from '../../kernel/snowflake.ts';
import { messageAnswer } from '../../messages/answers.ts';
import { MESSAGE_FILES, withUploads } from '../../messages/attachments/uploads.ts';
import { createMessage } from '../../messages/create.ts';
import { deleteMessage } from '../../messages/delete.ts';
import { editMessage } from '../../messages/edit.ts';
import { messageMetadata, moderationMetadata } from '../../messages/metadata.ts';
import { createBody, editBody, NOT_OFFERED } from '../../messages/requests.ts';
import { messageShape } from '../../messages/shapes.ts';
import { messageIn, viewerOf } from '../../messages/viewer.ts';
import type { HasInvitations } from '../../users/presence/invitations.ts';
import { ACTIONS } from '../../users/presence/joinable-games.ts';
import { inviteMessage } from './invite-answers.ts';
import { sendInvite } from './play-invites.ts';
import { channelTo, channelWith, checkMayWriteTo, mayRead, speakerOf } from './speaking.ts';

/** Services for direct messages. */
type Needs = Base &
  HasApplications &
  HasAuthorizations &
  HasAutoMod &
  HasFileAddresses &
  HasFileStore &
  HasInvitations;

const defineOperation = operationsFor<Needs>();

/** Age limit of returned messages: 72 hours, in milliseconds. */
const WINDOW_MS = 72 * 3_600_000;

const MAX_BODY_BYTES = 1024 * 1024;
/** Fields that only applications may send. */
const OF_APPLICATIONS = ['embeds', 'components'] as const;

const MESSAGES_SCOPE = 'dm_channels.messages.write';
const INVITES_SCOPE = 'activities.invites.write';

const inviteWish = z.object({
  type: choice(ACTIONS.JOIN, ACTIONS.JOIN_REQUEST),
  session_id: maybe(textUpTo(128)),
  party_id: maybe(textUpTo(128)),
});

const message = {
  bodyKinds: ['json', 'form', 'multipart'],
  maxBodyBytes: MAX_BODY_BYTES,
  files: MESSAGE_FILES,
} as const;

/** The routes of messages between users of a game. */
export const directMessageOperations = [
  defineOperation({
    id: 'get_user_messages',
    summary: 'The direct messages of the user and another player in the last 72 hours, newest first.',
    route: 'GET /users/{user_id}/messages',
    who: [bearer('dm_channels.messages.read')],
    query: z.object({ limit: z.optional(queryInteger(1, 200)) }),
    ours: 'Users with a token of the game count as players; with any other user there is no channel (10003). Before the first message the list is empty.',
    answers: { 200: z.array(messageShape) },
    handle: ({ params, caller, query, base }, platform) => {
      const speaker = speakerOf(platform, caller);
      if (!mayRead(platform, speaker, params.user_id)) throw new ApiError('UnknownChannel');
      const { tables } = platform.world;
      const channel = directBetween(tables, speaker.user.id, params.user_id);
      if (channel === undefined) return ok([]);
      const since = idAt(platform.clock.now() - WINDOW_MS);
      const { limit = 50 } = query;
      const recent = tables.messages
        .by('channel', channel.id)
        .last(limit)
        .filter(({ id }) => BigInt(id) >= BigInt(since));
      const viewer = viewerOf(platform, { caller: { kind: 'bot', isUnlisted: false, ...speaker }, base });
      return ok([...recent].reverse().map((message) => messageAnswer(viewer, message)));
    },
  }),
  defineOperation({
    id: 'create_user_message',
    summary: 'Sends a direct message to another user.',
    route: 'POST /users/{user_id}/messages',
    who: [bearer(MESSAGES_SCOPE, INVITES_SCOPE)],
    ...message,
    body: createBody.omit({ embeds: true, components: true }).extend({
      metadata: maybe(messageMetadata()),
      activity: maybe(inviteWish),
      application_id: maybe(snowflake()),
    }),
    notOffered: [...NOT_OFFERED, ...OF_APPLICATIONS],
    communication: 'direct-message',
    ours:
      'Users with a token of the game count as players. A user who may not be written to is refused with 50007, whatever the reason. ' +
      'With `activity` it is an invite to play (1), or a request for one (5): it needs activities.invites.write, has no text but `content`, ' +
      'and is sent to the other user’s games, but not stored as a message. `application_id` is that of the token.',
    answers: { 200: messageShape },
    handle: async (request, platform) => {
      const { caller, params, base } = request;
      const speaker = speakerOf(platform, caller);
      const { metadata, activity, application_id, ...fields } = request.body;
      const scope = activity === undefined ? MESSAGES_SCOPE : INVITES_SCOPE;
      if (!caller.effectiveScopes.includes(scope)) throw missingScope();
      if (application_id !== undefined && application_id !== caller.clientId)
        throw notOfToken(['application_id']);
      if (activity !== undefined) {
        const sent = sendInvite(platform, speaker, params.user_id, {
          content: fields.content ?? '',
          activity,
        });
        return ok(inviteMessage(speaker.user, sent));
      }
      const message = await withUploads(platform, request.files, fields.attachments, (files) => {
        checkMayWriteTo(platform, speaker, params.user_id);
        // The channel is created in the same transaction, so that a refused message leaves no channel behind.
        return platform.world.transaction(() =>
          createMessage(
            platform,
            speaker,
            channelTo(platform, speaker, params.user_id),
            { ...fields, metadata },
            files,
          ),
        );
      });
      const viewer = viewerOf(platform, { caller: { kind: 'bot', isUnlisted: false, ...speaker }, base });
      const answer = messageAnswer(viewer, message);
      return ok(fields.nonce === undefined ? answer : { ...answer, nonce: fields.nonce });
    },
  }),
  defineOperation({
    id: 'update_user_message',
    summary: 'Edits a direct message of the user.',
    route: 'PATCH /users/{user_id}/messages/{message_id}',
    who: [bearer(MESSAGES_SCOPE)],
    ...message,
    body: editBody.omit({ embeds: true, components: true }).extend({ flags: maybe(integer(0, 2 ** 31 - 1)) }),
    notOffered: [...NOT_OFFERED, ...OF_APPLICATIONS],
    answers: { 200: messageShape },
    handle: async (request, platform) => {
      const { caller, params, base } = request;
      const speaker = speakerOf(platform, caller);
      const edited = await withUploads(platform, request.files, request.body.attachments, (files) => {
        const access = channelWith(platform, speaker, params.user_id);
        const message = messageIn(platform, access, params.message_id);
        return editMessage(platform, speaker, access, message, request.body as never, files);
      });
      const viewer = viewerOf(platform, { caller: { kind: 'bot', isUnlisted: false, ...speaker }, base });
      return ok(messageAnswer(viewer, edited));
    },
  }),
  defineOperation({
    id: 'delete_user_message',
    summary: 'Deletes a direct message of the user.',
    route: 'DELETE /users/{user_id}/messages/{message_id}',
    who: [bearer(MESSAGES_SCOPE)],
    answers: { 204: null },
    handle: ({ params, caller }, platform) => {
      const speaker = speakerOf(platform, caller);
      const access = channelWith(platform, speaker, params.user_id);
      const message = messageIn(platform, access, params.message_id);
      if (message.author !== speaker.user.id) throw new ApiError('CannotExecuteActionOnDMChannel');
      deleteMessage(platform, message);
      return noContent();
    },
  }),
  defineOperation({
    id: 'update_user_message_external_moderation_metadata',
    summary: "Sets the game's moderation metadata of a message between two of its players, in either order.",
    route: 'PUT /partner-sdk/dms/{user_id_1}/{user_id_2}/messages/{message_id}/moderation-metadata',
    body: moderationMetadata(),
    bodyKinds: ['json', 'form', 'multipart'],
    ours: 'Only for messages that were sent in the game; any other is unknown (10008).',
    answers: { 204: null },
    handle: ({ params, caller, body: metadata }, { world }) => {
      const channel = directBetween(world.tables, params.user_id_1, params.user_id_2);
      const message = world.tables.messages.get(params.message_id);
      const isOfGame =
        channel !== undefined &&
        message?.channel === channel.id &&
        message.application === caller.application.id;
      if (!isOfGame) throw new ApiError('UnknownMessage');
      world.transaction(({ messages }) => messages.update(message.id, { moderation_metadata: metadata }));
      return noContent();
    },
  }),
];
