import * as z from 'zod';
import { ApiError } from '../api/api-error.ts';
import { integer, maybe, messageNonce, queryInteger, writtenText } from '../api/fields.ts';
import { bearer, noContent, ok, operationsFor } from '../api/operation.ts';
import type { Base } from '../api/world.ts';
import type { HasAutoMod } from '../guilds/automod/automod.ts';
import { messageMetadata, moderationMetadata } from '../messages/metadata.ts';
import { allowedMentions } from '../messages/requests.ts';
import { moderatedAnswer } from './answers.ts';
import { sendLobbyMessage } from './messages.ts';
import { MAX_CONTENT_LENGTH } from './records.ts';
import { lobbyOf, lobbyWith } from './request-checks.ts';
import { lobbyMessageShape } from './shapes.ts';

const defineOperation = operationsFor<Base & HasAutoMod>();

const MESSAGES = '/lobbies/{lobby_id}/messages';
/** Maximum age (72 hours, in milliseconds) and maximum number of listed messages. */
const HISTORY_MS = 72 * 3_600_000;
const MAX_MESSAGES = 200;

/** Public fields of a message that a lobby message lacks. */
const NOT_OFFERED = [
  'embeds',
  'sticker_ids',
  'components',
  'attachments',
  'poll',
  'shared_client_theme',
  'message_reference',
  'tts',
] as const;

/** Routes of lobby messages. */
export const lobbyMessageOperations = [
  defineOperation({
    id: 'get_lobby_messages',
    summary: 'Last messages of a lobby from 72 hours, newest first.',
    route: `GET ${MESSAGES}`,
    who: [bearer('lobbies.write')],
    query: z.object({ limit: z.optional(queryInteger(1, MAX_MESSAGES)) }),
    answers: { 200: z.array(lobbyMessageShape) },
    ours: 'The newest comes first, as in channels.',
    handle: ({ caller, params, query }, { world, clock }) => {
      const { tables } = world;
      const { lobby } = lobbyWith(tables, caller, params.lobby_id);
      const since = clock.now() - HISTORY_MS;
      const messages = tables.lobby_messages
        .by('lobby', lobby.id)
        .last(query.limit ?? 50)
        .filter(({ timestamp }) => Date.parse(timestamp) > since);
      return ok(messages.reverse().map((message) => moderatedAnswer(tables, message)));
    },
  }),
  defineOperation({
    id: 'create_lobby_message',
    summary: 'Writes a message in a lobby, and in the channel that it is linked to.',
    route: `POST ${MESSAGES}`,
    who: [bearer('lobbies.write')],
    body: z.object({
      content: maybe(writtenText(MAX_CONTENT_LENGTH)),
      metadata: maybe(messageMetadata()),
      allowed_mentions: maybe(allowedMentions),
      flags: maybe(integer(0, 2 ** 31 - 1)),
      nonce: maybe(messageNonce()),
      enforce_nonce: maybe(z.boolean()),
    }),
    bodyKinds: ['json', 'form', 'multipart'],
    notOffered: NOT_OFFERED,
    communication: 'lobby-message',
    answers: { 201: lobbyMessageShape },
    ours: 'Its copy in the linked channel has the same id and needs no permission of its author there. An enforced nonce is remembered as in channels.',
    handle: ({ caller, params, body }, platform) => {
      const { tables } = platform.world;
      const message = sendLobbyMessage(platform, lobbyWith(tables, caller, params.lobby_id), body);
      return { status: 201, body: moderatedAnswer(tables, message) };
    },
  }),
  defineOperation({
    id: 'update_lobby_message_external_moderation_metadata',
    summary: 'Sets the moderation metadata of a message.',
    route: 'PUT /lobbies/{lobby_id}/messages/{message_id}/moderation-metadata',
    body: moderationMetadata(),
    bodyKinds: ['json', 'form', 'multipart'],
    answers: { 204: null },
    handle: ({ caller, params, body }, { world }) => {
      const lobby = lobbyOf(world.tables, caller.application.id, params.lobby_id);
      const message = world.tables.lobby_messages.get(params.message_id);
      if (message?.lobby !== lobby.id) throw new ApiError('UnknownMessage');
      world.transaction(({ lobby_messages }) =>
        lobby_messages.update(message.id, { moderation_metadata: body }),
      );
      return noContent();
    },
  }),
];
