import { withText } from '../guilds/channels/records.ts';
import { timeOf } from '../kernel/snowflake.ts';
import { defineRecord, type RowOf, type SchemaParts } from '../kernel/state/record.ts';

/** Stickers of a message, with their fields at the time of sending. */
const stickers = ({ table, snowflake, text, whole, many }: SchemaParts) =>
  many(table({ id: snowflake(), name: text(30), format: whole(1, 4) }), 3);

/** Copied fields of a forwarded message. */
const snapshot = (parts: SchemaParts) => {
  const { table, snowflake, textOrEmpty, optional, orNull, moment, count, list, text, many, json } = parts;
  return table({
    type: optional(count(255)),
    flags: optional(count(2 ** 31 - 1)),
    content: textOrEmpty(4000),
    timestamp: moment(),
    edited_timestamp: orNull(moment()),
    embeds: optional(many(json(32_768), 10)),
    components: optional(many(json(), 40)),
    /** Ids of the mentioned users. */
    users: list(text(64), 100),
    roles: list(snowflake(), 100),
    stickers: optional(stickers(parts)),
  });
};

/**
 * The interaction that a message answers: the part that readers of the message can see. The users and messages it names
 * may have been removed.
 */
const interaction = (parts: SchemaParts) => {
  const { table, snowflake, text, texts, whole, optional } = parts;
  const known = {
    id: snowflake(),
    /** Type of the interaction: 2 for a used command, 3 for a component, 5 for a submitted modal. */
    type: whole(2, 5),
    /** Id of the user of the application. */
    user: text(64),
    /** Name of the command. */
    name: optional(text(128)),
    /** Installation owners by installation type: `0` for a guild, `1` for a user. */
    owners: texts(2, 8, 20),
    /** Ids of the user or the message that a context menu command was used on. */
    target_user: optional(text(64)),
    target_message: optional(snowflake()),
    /** The message of the component. */
    interacted_message: optional(snowflake()),
  };
  return table({
    ...known,
    /** Id of the first answer, for a follow-up message. */
    original: optional(snowflake()),
    /** The interaction that opened the modal. */
    triggered_by: optional(table(known)),
  });
};

/** Limits of a game's metadata for a message: number of pairs, and length of a name or a text (characters). */
export const MESSAGE_METADATA = { pairs: 25, maxChars: 1024 } as const;
/** Limits of the moderation metadata: number of pairs, and length of a name and of a text (characters). */
export const MODERATION_METADATA = { pairs: 5, maxNameChars: 1024, maxChars: 2000 } as const;

/** A message of a channel. Fields that most messages lack are optional. */
export const messages = defineRecord({
  name: 'messages',
  noun: 'message',
  about:
    'messages: `timestamp` follows from the id unless written; `about` (`kind`, `channel`, `message`) is what it replies to or passes on; `webhook` (`id`, `name`, `avatar`) wrote it instead of an author; `poll` has `question`, `answers` with `id`, `text`, `emoji`, and `expiry`, `allow_multiselect`, `finalized`; `stickers` have `id`, `name`, `format`',
  key: ['id'],
  indexes: {
    // Ids are ordered by time, so a channel's oldest message is first.
    channel: { order: 'key' },
    author: { order: 'key' },
    pinned: { order: 'key', of: (row: Pinnable) => (row.pinned ? row.channel : null) },
    // Index that finds the crossposts of a published message by the message's id.
    about: { of: ({ about }: Aimed) => (about?.kind === 'crosspost' ? (about.message ?? null) : null) },
    poll: { of: ({ poll }: WithPoll) => (poll === undefined || poll.finalized ? null : 'open') },
    nonce: { of: (row: Nonced) => (row.nonce === undefined ? null : nonceKey(row.author ?? '', row.nonce)) },
  },
  references: {
    channel: { to: 'channels', or: 'private_channels', onRemoval: 'remove', needs: withText },
    author: { to: 'users', onRemoval: 'remove', defaultsToMe: true },
  },
  check: ({ author, webhook }) =>
    (author === null) === (webhook !== undefined)
      ? undefined
      : {
          path: ['author'],
          reason: 'must be there, unless a webhook wrote it: then there is no other author',
        },
  schema: (parts: SchemaParts) => {
    const { table, derived, snowflake, textOrEmpty, userOrMeOrNobody, optional, orNull, moment } = parts;
    const { flag, count } = parts;
    const { text, texts, list, choice, many, json, whole } = parts;
    return derived(
      table({
        id: snowflake(),
        /** Id of the message's channel, in a guild or private. */
        channel: snowflake(),
        /** Id of the message's author; null for a webhook's message. */
        author: userOrMeOrNobody(),
        /** The webhook that wrote the message, with its name at that time. The webhook itself may have been removed. */
        webhook: optional(table({ id: snowflake(), name: text(80), avatar: orNull(text(64)) })),
        content: textOrEmpty(4000),
        /** ISO 8601. */
        timestamp: optional(moment()),
        edited_timestamp: orNull(moment()),
        tts: flag(false),
        pinned: flag(false),
        /** Time of pinning; default: time of creation. */
        pinned_at: optional(moment()),
        /** Message type, default 0: 6 is a pin notice, 19 is a reply. */
        type: optional(count(255)),
        flags: optional(count(2 ** 31 - 1)),
        /** Nonce of its author. */
        nonce: optional(text(25)),
        /** Id of the application whose bot wrote the message. */
        application: optional(snowflake()),
        /** Additional name of the author in the lobby, for a message that comes from a lobby. */
        additional_name: optional(text(80)),
        embeds: optional(many(json(32_768), 10)),
        components: optional(many(json(), 40)),
        /** A game's metadata for a message between its players. */
        metadata: optional(texts(MESSAGE_METADATA.pairs, MESSAGE_METADATA.maxChars)),
        /** Metadata that the moderation of that game attached to the message. */
        moderation_metadata: optional(
          texts(MODERATION_METADATA.pairs, MODERATION_METADATA.maxNameChars, MODERATION_METADATA.maxChars),
        ),
        /** Mentions of the message, if they differ from the mentions in its text. */
        mentions: optional(
          table({ users: list(text(64), 100), roles: list(snowflake(), 100), everyone: flag(false) }),
        ),
        /** The message or channel that this message refers to, which may have been removed. */
        about: optional(
          table({
            kind: choice('reply', 'forward', 'pin', 'thread', 'crosspost', 'follow', 'poll'),
            channel: snowflake(),
            /** Id of the message; absent when the reference is to a channel only. */
            message: optional(snowflake()),
          }),
        ),
        stickers: optional(stickers(parts)),
        /** The poll; its votes are separate records. */
        poll: optional(
          table({
            question: text(300),
            answers: many(
              table({ id: whole(1, 10), text: optional(text(55)), emoji: optional(text(64)) }),
              10,
            ),
            expiry: moment(),
            allow_multiselect: flag(false),
            /** Whether the poll has ended and its votes were counted. */
            finalized: flag(false),
          }),
        ),
        /** Content of a forwarded message. */
        snapshot: optional(snapshot(parts)),
        /** The interaction that the message answers, for a message of an application. */
        interaction: optional(interaction(parts)),
      }),
      ({ pinned_at, ...written }) => {
        const timestamp = written.timestamp ?? new Date(timeOf(written.id)).toISOString();
        // A message without an author was written by its webhook.
        const author = written.author === '' && written.webhook !== undefined ? null : written.author;
        return Object.assign(
          written,
          { author, timestamp },
          written.pinned ? { pinned_at: pinned_at ?? timestamp } : {},
        );
      },
    );
  },
});

interface Pinnable {
  readonly pinned: boolean;
  readonly channel: string;
}

interface Aimed {
  readonly about?: { readonly kind: string; readonly message?: string | undefined } | undefined;
}

interface WithPoll {
  readonly poll?: { readonly finalized: boolean } | undefined;
}

interface Nonced {
  readonly author: string | null;
  readonly nonce?: string | undefined;
}

/** Index key that finds the messages of an author with a nonce. */
export function nonceKey(author: string, nonce: string): string {
  return `${author} ${nonce}`;
}

/** A message of a channel. */
export type Message = RowOf<typeof messages>;

/** Id of a message's author: a user or a webhook. */
export function authorIdOf({ author, webhook }: Pick<Message, 'author' | 'webhook'>): string {
  return author ?? webhook?.id ?? '';
}

/** Message types that the emulator treats differently. */
export const MESSAGE_TYPES = {
  default: 0,
  pinned: 6,
  followAdded: 12,
  threadCreated: 18,
  reply: 19,
  command: 20,
  threadStarter: 21,
  contextMenu: 23,
  automodAction: 24,
  pollResult: 46,
} as const;

/** Types of messages that somebody wrote. */
const WRITTEN: readonly number[] = [
  MESSAGE_TYPES.default,
  MESSAGE_TYPES.reply,
  MESSAGE_TYPES.command,
  MESSAGE_TYPES.contextMenu,
];

/** Whether nobody wrote a message, so nobody edits, pins, forwards or answers it. */
export function isSystem({ type = MESSAGE_TYPES.default }: Pick<Message, 'type'>): boolean {
  return !WRITTEN.includes(type);
}

/** Flags of a message. */
export const MESSAGE_FLAGS = {
  crossposted: 1 << 0,
  isCrosspost: 1 << 1,
  suppressEmbeds: 1 << 2,
  sourceDeleted: 1 << 3,
  hasThread: 1 << 5,
  /** Visible to one user only. */
  ephemeral: 1 << 6,
  /** The application has deferred the content of the message. */
  loading: 1 << 7,
  suppressNotifications: 1 << 12,
  voiceMessage: 1 << 13,
  hasSnapshot: 1 << 14,
  componentsV2: 1 << 15,
  /** Sent from a game. */
  sentByGame: 1 << 16,
} as const;

/** Whether a message is visible to one user only. */
export function isEphemeral({ flags = 0 }: Pick<Message, 'flags'>): boolean {
  return (flags & MESSAGE_FLAGS.ephemeral) !== 0;
}

/** Whether a message is a voice message. */
export function isVoiceMessage({ flags = 0 }: Pick<Message, 'flags'>): boolean {
  return (flags & MESSAGE_FLAGS.voiceMessage) !== 0;
}

/** The nonce of a message that was removed recently. Restored states do not contain it. */
export const removedNonces = defineRecord({
  name: 'removed_nonces',
  noun: 'nonce of a removed message',
  key: ['nonce'],
  transient: true,
  schema: ({ table, anyText }: SchemaParts) =>
    table({
      /** Key of the nonce with its author and, for a lobby message, its lobby. */
      nonce: anyText(),
      /** Time of sending; ISO 8601. */
      timestamp: anyText(),
    }),
});

export type RemovedNonce = RowOf<typeof removedNonces>;
