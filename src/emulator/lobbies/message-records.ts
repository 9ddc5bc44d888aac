import { timeOf } from '../kernel/snowflake.ts';
import { defineRecord, type RowOf, type SchemaParts } from '../kernel/state/record.ts';
import { MESSAGE_METADATA, MODERATION_METADATA, nonceKey } from '../messages/records.ts';
import { MAX_NAME_LENGTH } from './records.ts';

/** Maximum length of the content of a lobby message (characters). */
export const MAX_CONTENT_LENGTH = 4000;

interface Nonced {
  readonly author: string | null;
  readonly nonce?: string | undefined;
}

/** A message of a lobby, written in the lobby itself or in its linked channel. */
export const lobbyMessages = defineRecord({
  name: 'lobby_messages',
  noun: 'message of a lobby',
  about: 'messages of a lobby: `channel` where it is in a linked one as well',
  key: ['id'],
  indexes: {
    lobby: { order: 'key' },
    nonce: { of: (row: Nonced) => (row.nonce === undefined ? null : nonceKey(row.author ?? '', row.nonce)) },
  },
  references: {
    lobby: { to: 'lobbies', onRemoval: 'remove' },
    author: { to: 'users', onRemoval: 'remove', defaultsToMe: true },
    channel: { to: 'channels', onRemoval: 'null' },
  },
  check: ({ author, webhook }) =>
    (author === null) === (webhook !== undefined)
      ? undefined
      : { path: ['author'], reason: 'is required, unless a webhook wrote it in the linked channel' },
  schema: (parts: SchemaParts) => {
    const { table, derived, snowflake, textOrEmpty, text, texts, userOrMeOrNobody, optional, orNull } = parts;
    const { moment } = parts;
    return derived(
      table({
        id: snowflake(),
        lobby: snowflake(),
        /** Id of the author; null for a webhook. */
        author: userOrMeOrNobody(),
        /** Author webhook in the linked channel. */
        webhook: optional(table({ id: snowflake(), name: text(80), avatar: orNull(text(64)) })),
        /** Id of the linked channel with a copy of the message, under the same id. */
        channel: orNull(snowflake()),
        content: textOrEmpty(MAX_CONTENT_LENGTH),
        /** Time of creation in ISO 8601; by default the time of the message's id. */
        timestamp: optional(moment()),
        edited_timestamp: orNull(moment()),
        type: optional(parts.count(255)),
        /** 65536: written in the game. */
        flags: optional(parts.count(2 ** 31 - 1)),
        /** Value by which the author's client recognizes the message. */
        nonce: optional(text(25)),
        metadata: optional(texts(MESSAGE_METADATA.pairs, MESSAGE_METADATA.maxChars)),
        /** Metadata that the application's moderation attached to the message. */
        moderation_metadata: optional(
          texts(MODERATION_METADATA.pairs, MODERATION_METADATA.maxNameChars, MODERATION_METADATA.maxChars),
        ),
        /** Additional name of the author at the time of writing. */
        additional_name: optional(text(MAX_NAME_LENGTH)),
      }),
      (written) => ({
        ...written,
        // A message without a named author was written by its webhook.
        author: written.author === '' && written.webhook !== undefined ? null : written.author,
        timestamp: written.timestamp ?? new Date(timeOf(written.id)).toISOString(),
      }),
    );
  },
});

/** A message of a lobby. */
export type LobbyMessage = RowOf<typeof lobbyMessages>;

/** Returns a message with new content. The moderation metadata is removed, because it concerned the old content. */
export function rewritten(
  message: LobbyMessage,
  newContent: Pick<LobbyMessage, 'content' | 'edited_timestamp'>,
): LobbyMessage {
  const { moderation_metadata: _, ...rest } = message;
  return { ...rest, ...newContent };
}
