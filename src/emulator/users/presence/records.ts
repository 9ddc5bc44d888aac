import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** A participant of an application's embedded activity other than the logged-in user. */
export const participants = defineRecord({
  name: 'participants',
  noun: 'participant',
  about: 'who takes part in every activity of an application besides those who come',
  key: ['application', 'user'],
  indexes: { application: {} },
  references: { user: { to: 'users', onRemoval: 'remove' } },
  schema: ({ table, snowflake, text }: SchemaParts) => table({ application: snowflake(), user: text(64) }),
});

/** Activity of the user as an app sends it. The type declares only fields that the emulator reads. */
export interface Activity {
  readonly application_id: string;
  readonly [key: string]: unknown;
}

/** Public activity of a connected app. */
export const presences = defineRecord({
  name: 'presences',
  noun: 'presence',
  key: ['session'],
  transient: true,
  schema: ({ table, anyText, internalValue }: SchemaParts) =>
    table({
      session: anyText(),
      activity: internalValue<Activity>(),
      /** Start of the public activity (ms since the Unix epoch). */
      since: internalValue<number>(),
    }),
});

/** A request to join a user's game. Like an invite, the request is a message in a private channel. */
export const joinRequests = defineRecord({
  name: 'join_requests',
  noun: 'request to join',
  key: ['application', 'user', 'to'],
  transient: true,
  indexes: { application: {} },
  references: { user: { to: 'users', onRemoval: 'remove' }, to: { to: 'users', onRemoval: 'remove' } },
  schema: ({ table, anyText }: SchemaParts) =>
    table({
      user: anyText(),
      application: anyText(),
      /** Recipient of the request. */
      to: anyText(),
      channel: anyText(),
      message: anyText(),
    }),
});

/** An invite into a user's game. */
export const gameInvites = defineRecord({
  name: 'game_invites',
  noun: 'invite to a game',
  key: ['message'],
  transient: true,
  indexes: { host: {} },
  references: {
    sender: { to: 'users', onRemoval: 'remove' },
    recipient: { to: 'users', onRemoval: 'remove' },
  },
  hidden: ['secret'],
  schema: ({ table, anyText, internalValue, orNull }: SchemaParts) =>
    table({
      sender: anyText(),
      recipient: anyText(),
      application: anyText(),
      channel: anyText(),
      message: anyText(),
      /** Text that the sender added. */
      content: anyText(),
      /** Session of the host. */
      session: anyText(),
      activity: internalValue<Activity>(),
      /** Join secret for the guest. */
      secret: anyText(),
      /** Connected app or gateway session of the host; null when the host is not connected to this emulator. */
      host: orNull(anyText()),
    }),
});

/** A request to join a user's game. */
export type JoinRequest = RowOf<typeof joinRequests>;
/** An invite into a user's game. */
export type GameInvite = RowOf<typeof gameInvites>;

/**
 * Strictness towards activities. `as-client` accepts what the real client accepts, `warn` also reports a warning for
 * each invalid field, and `refuse` answers with an error that names the field.
 */
export const activityRules = defineRecord({
  name: 'activity_rules',
  noun: 'rule for activities',
  about:
    '`as-client` (default) takes the activities that the real client takes; `warn` takes them and reports doubtful fields; `refuse` answers ERROR 4000, which names each field',
  singleton: true,
  schema: ({ choice, or }: SchemaParts) => or(choice('as-client', 'warn', 'refuse'), 'as-client'),
});

/** Strictness towards activities. */
export type ActivityRules = RowOf<typeof activityRules>;
