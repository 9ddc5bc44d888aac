import { ACTIVITY_TYPES } from '../../../base/activity-types.ts';
import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** Maximum number of activities that one account has from one client. */
const MAX_ACTIVITIES = 16;

/** Schema of an activity that the user or another device has set. */
const activity = (parts: SchemaParts) => {
  const {
    table,
    text,
    textOrEmpty,
    or,
    optional,
    orNull,
    numberOrName,
    snowflake,
    moment,
    count,
    many,
    whole,
  } = parts;
  const { flag, anyNumber } = parts;
  return table({
    name: text(128),
    type: or(numberOrName(ACTIVITY_TYPES), ACTIVITY_TYPES.playing),
    /** Of a stream. */
    url: optional(text(512)),
    /** Time at which the activity was set; the default is the creation time of the account. */
    created_at: optional(moment()),
    application_id: optional(snowflake()),
    state: optional(textOrEmpty(128)),
    state_url: optional(text(256)),
    details: optional(textOrEmpty(128)),
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
    /** Labels of the buttons. */
    buttons: optional(many(text(32), 2)),
    flags: optional(count(2 ** 31 - 1)),
    status_display_type: optional(whole(0, 2)),
  });
};

/** Presence of an account from clients that are not connected here, and its privacy. */
export const userPresences = defineRecord({
  name: 'user_presences',
  noun: 'presence of a user',
  about:
    'what a user shows of themselves: `status` is online, idle, dnd, invisible or offline; `custom_status_privacy` is everyone, friends_and_small_servers or friends; `activities` have `name`, `type` (playing, streaming, listening, watching, custom, competing), `state`, `details`, `assets` …',
  key: ['user'],
  references: { user: { to: 'users', onRemoval: 'remove', defaultsToMe: true } },
  schema: (parts: SchemaParts) => {
    const { table, userOrMe, or, choice, list } = parts;
    return table({
      user: userOrMe(),
      status: or(choice('online', 'idle', 'dnd', 'invisible', 'offline'), 'online'),
      /**
       * Users who see the custom status: everyone, friends and members of guilds with at most 200 members, or only
       * friends.
       */
      custom_status_privacy: or(choice('everyone', 'friends_and_small_servers', 'friends'), 'everyone'),
      activities: list(activity(parts), MAX_ACTIVITIES),
    });
  },
});

/** Presence of an account from clients that are not connected here. */
export type UserPresence = RowOf<typeof userPresences>;

/** Public form of an activity. */
export interface PublicActivity {
  readonly name: string;
  readonly type: number;
  /** Time at which the activity was set, in milliseconds since the Unix epoch. */
  readonly created_at: number;
  readonly [key: string]: unknown;
}

/** Online status. An `invisible` user is online, but appears offline to others. */
export type Status = UserPresence['status'];

/** A kind of client in `client_status`. */
export type ClientKind = 'desktop' | 'mobile' | 'web' | 'embedded' | 'vr';

/** A session without a connection, which lasts as long as its game renews it. */
export interface Headless {
  readonly application: string;
  /** Family of the token that created the session; the session ends with the family. */
  readonly family: string | undefined;
  /** Token with which the game renews or ends the session. */
  readonly token: string;
  /** Expiry, in milliseconds. */
  readonly until: number;
}

/** Presence of one session, which is a gateway session or a headless one. */
export const sessionPresences = defineRecord({
  name: 'session_presences',
  noun: 'presence of a session',
  key: ['session'],
  transient: true,
  references: { user: { to: 'users', onRemoval: 'remove' } },
  hidden: ['secret', 'headless'],
  schema: ({ table, anyText, internalValue }: SchemaParts) =>
    table({
      session: anyText(),
      user: anyText(),
      status: internalValue<Status>(),
      /** Kind of the session's client in `client_status`. */
      client: internalValue<ClientKind>(),
      activities: internalValue<readonly PublicActivity[]>(),
      /**
       * Join secret of the activity's party, which only invited guests receive. Null when the party cannot be joined.
       */
      secret: internalValue<string | null>(),
      /** Data of a headless session; null for a gateway session, whose presence ends with it. */
      headless: internalValue<Headless | null>(),
    }),
});

/** Presence of one session. */
export type SessionPresence = RowOf<typeof sessionPresences>;
