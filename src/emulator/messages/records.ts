import { withText } from '../guilds/channels/records.ts';
import { timeOf } from '../kernel/snowflake.ts';
import { defineRecord, type RowOf, type SchemaParts } from '../kernel/state/record.ts';

/** The stickers of a message, as they were then. */
const stickers = ({ table, snowflake, text, whole, many }: SchemaParts) =>
  many(table({ id: snowflake(), name: text(30), format: whole(1, 4) }), 3);

/** What one message has of another's, when it passes it on. */
const snapshot = (parts: SchemaParts) => {
  const { table, snowflake, words, optional, orNull, moment, count, list, text, many, json } = parts;
  return table({
    type: optional(count(255)),
    flags: optional(count(2 ** 31 - 1)),
    content: words(4000),
    timestamp: moment(),
    edited_timestamp: orNull(moment()),
    embeds: optional(many(json(32_768), 10)),
    components: optional(many(json(), 40)),
    /** Ids of those whom it mentions. */
    users: list(text(64), 100),
    roles: list(snowflake(), 100),
    stickers: optional(stickers(parts)),
  });
};

/** The interaction that a message answers: what of it whoever sees the message may know. Users and messages may be no more. */
const interaction = (parts: SchemaParts) => {
  const { table, snowflake, text, texts, whole, optional } = parts;
  const known = {
    id: snowflake(),
    /** 2 a command was used, 3 a component, 5 a modal was submitted. */
    type: whole(2, 5),
    /** Id of who did. */
    user: text(64),
    /** What the command is called. */
    name: optional(text(128)),
    /** For what of the application's it counts: `0` its installation in a guild, `1` that of a user. */
    owners: texts(2, 8, 20),
    /** What a command of a context menu was used on. */
    target_user: optional(text(64)),
    target_message: optional(snowflake()),
    /** The message of the component. */
    interacted_message: optional(snowflake()),
  };
  return table({
    ...known,
    /** The first answer, where this message is another. */
    original: optional(snowflake()),
    /** Where the modal came from. */
    triggered_by: optional(table(known)),
  });
};

/** What a game may write beside a message: pairs, and the longest of their names and texts. */
export const MESSAGE_METADATA = { pairs: 25, longest: 1024 } as const;
/** What its moderation may say of one. */
export const MODERATION_METADATA = { pairs: 5, longestName: 1024, longest: 2000 } as const;

/** A message of a channel. What most messages have not is left out of those. */
export const messages = defineRecord({
  name: 'messages',
  noun: 'message',
  key: ['id'],
  indexes: {
    // In a channel the oldest comes first, and an id says when it was made.
    channel: { order: 'key' },
    author: { order: 'key' },
    pinned: { order: 'key', of: (row: Pinnable) => (row.pinned ? row.channel : null) },
    // Copies of what is published, by what they are copies of.
    about: { of: ({ about }: Aimed) => (about?.kind === 'crosspost' ? (about.message ?? null) : null) },
    poll: { of: ({ poll }: Asking) => (poll === undefined || poll.finalized ? null : 'open') },
    nonce: { of: (row: Nonced) => (row.nonce === undefined ? null : nonceKey(row.author ?? '', row.nonce)) },
  },
  references: {
    channel: { to: 'channels', or: 'private_channels', gone: 'remove', needs: withText },
    author: { to: 'users', gone: 'remove', orMe: true },
  },
  check: ({ author, webhook }) =>
    (author === null) === (webhook !== undefined)
      ? undefined
      : {
          path: ['author'],
          reason: 'must be there, unless a webhook wrote it: then there is no other author',
        },
  schema: (parts: SchemaParts) => {
    const { table, derived, snowflake, words, userOrMeOrNobody, optional, orNull, moment, flag, count } =
      parts;
    const { text, texts, list, choice, many, json, whole } = parts;
    return derived(
      table({
        id: snowflake(),
        /** Id of its channel, of a guild or a private one. */
        channel: snowflake(),
        /** Id of the user who wrote it; null where a webhook did. */
        author: userOrMeOrNobody(),
        /** The webhook that wrote it, as it called itself then. It may be no more. */
        webhook: optional(table({ id: snowflake(), name: text(80), avatar: orNull(text(64)) })),
        content: words(4000),
        /** ISO 8601. */
        timestamp: optional(moment()),
        edited_timestamp: orNull(moment()),
        tts: flag(false),
        pinned: flag(false),
        /** Since when it is pinned; unless written, since it was made. */
        pinned_at: optional(moment()),
        /** 0 unless written: 6 says that another was pinned, 19 is a reply. */
        type: optional(count(255)),
        flags: optional(count(2 ** 31 - 1)),
        /** By which its author tells it apart. */
        nonce: optional(text(25)),
        /** Id of the application whose bot wrote it. */
        application: optional(snowflake()),
        /** What its author was called besides in the lobby from which it comes. */
        additional_name: optional(text(80)),
        embeds: optional(many(json(32_768), 10)),
        components: optional(many(json(), 40)),
        /** What a game writes beside a message between its players. */
        metadata: optional(texts(MESSAGE_METADATA.pairs, MESSAGE_METADATA.longest)),
        /** What the moderation of that game says of it. */
        moderation_metadata: optional(
          texts(MODERATION_METADATA.pairs, MODERATION_METADATA.longestName, MODERATION_METADATA.longest),
        ),
        /** Whom it mentions, where that is not just what its text says. */
        mentions: optional(
          table({ users: list(text(64), 100), roles: list(snowflake(), 100), everyone: flag(false) }),
        ),
        /** The message that it is about, which may be no more. */
        about: optional(
          table({
            kind: choice('reply', 'forward', 'pin', 'thread', 'crosspost', 'follow', 'poll'),
            channel: snowflake(),
            /** Not there where it is about the channel alone. */
            message: optional(snowflake()),
          }),
        ),
        stickers: optional(stickers(parts)),
        /** What it asks; the votes are records of their own. */
        poll: optional(
          table({
            question: text(300),
            answers: many(
              table({ id: whole(1, 10), text: optional(text(55)), emoji: optional(text(64)) }),
              10,
            ),
            expiry: moment(),
            allow_multiselect: flag(false),
            /** Whether it is over, and was counted. */
            finalized: flag(false),
          }),
        ),
        /** What a forwarded message says. */
        snapshot: optional(snapshot(parts)),
        /** What it answers, where an application wrote it because somebody used it. */
        interaction: optional(interaction(parts)),
      }),
      ({ pinned_at, ...written }) => {
        const timestamp = written.timestamp ?? new Date(timeOf(written.id)).toISOString();
        // Where nobody is named, a webhook says who wrote it.
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

interface Asking {
  readonly poll?: { readonly finalized: boolean } | undefined;
}

interface Nonced {
  readonly author: string | null;
  readonly nonce?: string | undefined;
}

/** What the messages with one nonce of one author are found by. */
export function nonceKey(author: string, nonce: string): string {
  return `${author} ${nonce}`;
}

/** A message of a channel. */
export type Message = RowOf<typeof messages>;

/** Id of whoever wrote a message: a user or a webhook. */
export function authorIdOf({ author, webhook }: Pick<Message, 'author' | 'webhook'>): string {
  return author ?? webhook?.id ?? '';
}

/** Type numbers of messages that are told apart here. */
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

/** Bits of a message. */
export const MESSAGE_FLAGS = {
  crossposted: 1 << 0,
  isCrosspost: 1 << 1,
  suppressEmbeds: 1 << 2,
  sourceDeleted: 1 << 3,
  hasThread: 1 << 5,
  /** For one person alone. */
  ephemeral: 1 << 6,
  /** Its application has put off what it says. */
  loading: 1 << 7,
  suppressNotifications: 1 << 12,
  hasSnapshot: 1 << 14,
  componentsV2: 1 << 15,
  /** Written in a game. */
  sentByGame: 1 << 16,
} as const;

/** Whether a message is for one person alone. */
export function isEphemeral({ flags = 0 }: Pick<Message, 'flags'>): boolean {
  return (flags & MESSAGE_FLAGS.ephemeral) !== 0;
}
