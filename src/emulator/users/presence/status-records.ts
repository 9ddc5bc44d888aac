import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** Type numbers of activities by the names a fixture may use. */
const activityTypes = {
  playing: 0,
  streaming: 1,
  listening: 2,
  watching: 3,
  custom: 4,
  competing: 5,
} as const;

/** Most activities that one account shows from one place. */
const MOST_ACTIVITIES = 16;

/** What somebody does, as they or their other devices say. */
const activity = (parts: SchemaParts) => {
  const { table, text, words, or, optional, orNull, numberOrName, snowflake, moment, count, many, whole } =
    parts;
  const { flag, anyNumber } = parts;
  return table({
    name: text(128),
    type: or(numberOrName(activityTypes), activityTypes.playing),
    /** Of a stream. */
    url: optional(text(512)),
    /** When it began to be shown; unless written, as old as the account. */
    created_at: optional(moment()),
    application_id: optional(snowflake()),
    state: optional(words(128)),
    state_url: optional(text(256)),
    details: optional(words(128)),
    details_url: optional(text(256)),
    /** In milliseconds. */
    timestamps: optional(table({ start: optional(anyNumber()), end: optional(anyNumber()) })),
    /** Of a custom status. */
    emoji: optional(table({ name: text(32), id: orNull(snowflake()), animated: flag(false) })),
    party: optional(table({ id: optional(text(128)), size: optional(many(count(1_000_000), 2)) })),
    assets: optional(
      table({
        large_image: optional(text(313)),
        large_text: optional(text(128)),
        large_url: optional(text(256)),
        small_image: optional(text(313)),
        small_text: optional(text(128)),
        small_url: optional(text(256)),
        invite_cover_image: optional(text(313)),
      }),
    ),
    /** What stands on the buttons. */
    buttons: optional(many(text(32), 2)),
    flags: optional(count(2 ** 31 - 1)),
    status_display_type: optional(whole(0, 2)),
  });
};

/** What an account shows of itself from places that are not connected here, and to whom. */
export const userPresences = defineRecord({
  name: 'user_presences',
  noun: 'presence of a user',
  key: ['user'],
  references: { user: { to: 'users', gone: 'remove', orMe: true } },
  schema: (parts: SchemaParts) => {
    const { table, userOrMe, or, choice, list } = parts;
    return table({
      user: userOrMe(),
      status: or(choice('online', 'idle', 'dnd', 'invisible', 'offline'), 'online'),
      /** Who is shown the custom status: everybody, friends and guilds of at most 200 members, friends alone. */
      custom_status_privacy: or(choice('everyone', 'friends_and_small_servers', 'friends'), 'everyone'),
      activities: list(activity(parts), MOST_ACTIVITIES),
    });
  },
});

/** What an account shows of itself from places that are not connected here. */
export type UserPresence = RowOf<typeof userPresences>;

/** An activity as everybody is told of it. */
export interface ToldActivity {
  readonly name: string;
  readonly type: number;
  /** Milliseconds since the Unix epoch. */
  readonly created_at: number;
  readonly [key: string]: unknown;
}

/** Whether somebody is there; `invisible` is to be there and to be shown as offline. */
export type Status = UserPresence['status'];

/** What a place is in the words of `client_status`. */
export type ClientKind = 'desktop' | 'mobile' | 'web' | 'embedded' | 'vr';

/** A session that has no connection: it lasts as long as its game renews it. */
export interface Headless {
  readonly application: string;
  /** Of the token that made it, with which it ends. */
  readonly family: string | undefined;
  /** What it is renewed and ended by. */
  readonly token: string;
  /** When it ends by itself, in milliseconds. */
  readonly until: number;
}

/** What one session shows of its user: one of the gateway, or a headless one. */
export const sessionPresences = defineRecord({
  name: 'session_presences',
  noun: 'presence of a session',
  key: ['session'],
  transient: true,
  references: { user: { to: 'users', gone: 'remove' } },
  hidden: ['secret', 'headless'],
  schema: ({ table, anyText, given }: SchemaParts) =>
    table({
      session: anyText(),
      user: anyText(),
      status: given<Status>(),
      /** What it runs on, in the words of `client_status`. */
      client: given<ClientKind>(),
      activities: given<readonly ToldActivity[]>(),
      /** What lets a guest into the party that it shows; told to whom it invites alone. Null where nobody can come in. */
      secret: given<string | null>(),
      /** Null of a session of the gateway, which lasts as long as that. */
      headless: given<Headless | null>(),
    }),
});

/** What one session shows of its user. */
export type SessionPresence = RowOf<typeof sessionPresences>;
