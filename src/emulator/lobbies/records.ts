import { timeOf } from '../kernel/snowflake.ts';
import { defineRecord, type RecordConstraint, type RowOf, type SchemaParts } from '../kernel/state/record.ts';
import { MESSAGE_METADATA, MODERATION_METADATA, nonceKey } from '../messages/records.ts';

/** Limits of metadata: number of pairs, and length of a key or a value (characters). */
export const METADATA = { pairs: 25, maxLength: 1024 } as const;
/** Limits and default of a lobby's idle time (seconds). */
export const IDLE_SECONDS = { min: 5, max: 604_800, usual: 300 } as const;
/** Maximum length of a secret (characters). */
export const MAX_SECRET_LENGTH = 250;
/** Maximum length of an additional name (characters). */
export const MAX_NAME_LENGTH = 80;

const TEXT_CHANNEL = 0;

/** Condition for a channel that is linked to a lobby: a text channel of a guild that is not age-restricted. */
export const linkable: RecordConstraint = {
  name: 'text for all ages',
  of: ({ type, nsfw }: { readonly type: number; readonly nsfw: boolean }) => type === TEXT_CHANNEL && !nsfw,
};

/**
 * Maximum total length of all keys and values of a lobby's metadata (characters); the limit applies to a member's
 * metadata as well.
 */
export const lobbyMetadataLimit = defineRecord({
  name: 'lobby_metadata_limit',
  noun: 'lobby metadata limit',
  about:
    'characters that the keys and values of the metadata of a lobby, or of a member, may have together; 1000 unless written',
  singleton: true,
  schema: ({ or, count }: SchemaParts) => or(count(METADATA.pairs * METADATA.maxLength * 2), 1000),
});

/** Index key of a secret. It includes the application, because applications may use the same secret independently. */
export function secretKey(application: string, secret: string): string {
  return `${application} ${secret}`;
}

interface Secretive {
  readonly application: string;
  readonly secret: string | null;
}

/** A group of users of one application. */
export const lobbies = defineRecord({
  name: 'lobbies',
  noun: 'lobby',
  about: 'lobbies: `made_by` is `server`, or `client` by a `secret`',
  key: ['id'],
  hidden: ['secret'],
  indexes: {
    application: {},
    secret: {
      unique: true,
      of: ({ application, secret }: Secretive) => (secret === null ? null : secretKey(application, secret)),
    },
    linked_channel: { unique: true },
  },
  references: { linked_channel: { to: 'channels', onRemoval: 'null', needs: linkable } },
  check: ({ made_by, secret, linked_channel }) => {
    if (made_by === 'server' && secret !== null) {
      return { path: ['secret'], reason: 'is only for a lobby with made_by = "client"' };
    }
    return made_by === 'client' && linked_channel !== null
      ? { path: ['linked_channel'], reason: 'is only for a lobby with made_by = "server"' }
      : undefined;
  },
  schema: ({ table, snowflake, text, texts, or, orNull, whole, count, choice, moment }: SchemaParts) =>
    table({
      id: snowflake(),
      /** Id of the application whose users meet in the lobby. */
      application: snowflake(),
      metadata: orNull(texts(METADATA.pairs, METADATA.maxLength)),
      flags: or(count(1), 0),
      idle_timeout_seconds: or(whole(IDLE_SECONDS.min, IDLE_SECONDS.max), IDLE_SECONDS.usual),
      /** `client`: a game client created the lobby with a secret, and users join and leave it by themselves. */
      made_by: or(choice('server', 'client'), 'server'),
      /** Secret with which users join. */
      secret: orNull(text(MAX_SECRET_LENGTH)),
      /** ISO 8601; null for no expiry. */
      secret_expires_at: orNull(moment()),
      /** Id of the channel that is linked to the lobby and shares its messages. */
      linked_channel: orNull(snowflake()),
      /** Time in ISO 8601 since when the lobby has been empty; null for a lobby with members. */
      idle_since: orNull(moment()),
    }),
});

/** A group of users of one application. */
export type Lobby = RowOf<typeof lobbies>;

/** Member flag: the member may link a channel to the lobby. */
export const CAN_LINK_LOBBY = 1;

/** Member of a lobby. */
export const lobbyMembers = defineRecord({
  name: 'lobby_members',
  noun: 'member of a lobby',
  about: 'members of a lobby: `flags` 1 may link a channel',
  key: ['lobby', 'user'],
  within: { kind: 'lobbies', as: 'members', field: 'lobby' },
  references: { user: { to: 'users', onRemoval: 'remove' } },
  schema: ({ table, text, texts, or, orNull, count }: SchemaParts) =>
    table({
      user: text(64),
      metadata: orNull(texts(METADATA.pairs, METADATA.maxLength)),
      /** Member flags: 1 when the member may link a channel to the lobby. */
      flags: or(count(CAN_LINK_LOBBY), 0),
      /** Additional name that the application's server gave the member. */
      additional_name: orNull(text(MAX_NAME_LENGTH)),
    }),
});

/** Member of a lobby. */
export type LobbyMember = RowOf<typeof lobbyMembers>;

/** Voice state in the call of a lobby. The call carries no voice data, and the state is not saved. */
export const lobbyVoiceStates = defineRecord({
  name: 'lobby_voice_states',
  noun: 'voice state in a lobby',
  key: ['lobby', 'user'],
  transient: true,
  indexes: { session: {} },
  references: { lobby: { to: 'lobbies', onRemoval: 'remove' }, user: { to: 'users', onRemoval: 'remove' } },
  schema: ({ table, anyText, orNull, flag }: SchemaParts) =>
    table({
      lobby: anyText(),
      user: anyText(),
      /** Id of the gateway session that joined the call; null when an operator operation made the user join. */
      session: orNull(anyText()),
      self_mute: flag(false),
      self_deaf: flag(false),
    }),
});

/** Voice state in the call of a lobby. */
export type LobbyVoiceState = RowOf<typeof lobbyVoiceStates>;

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
