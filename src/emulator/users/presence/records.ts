import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** Somebody who takes part in an application's embedded activity besides the logged-in user. */
export const participants = defineRecord({
  name: 'participants',
  noun: 'participant',
  key: ['application', 'user'],
  indexes: { application: {} },
  references: { user: { to: 'users', gone: 'remove' } },
  schema: ({ table, snowflake, text }: SchemaParts) => table({ application: snowflake(), user: text(64) }),
});

/** What an app says the user does. The service reads no more of it than it must. */
export interface Activity {
  readonly application_id: string;
  readonly [key: string]: unknown;
}

/** What others see of a connected app's activity. */
export const presences = defineRecord({
  name: 'presences',
  noun: 'presence',
  key: ['session'],
  transient: true,
  schema: ({ table, anyText, given }: SchemaParts) =>
    table({
      session: anyText(),
      activity: given<Activity>(),
      /** Since when something is shown, in milliseconds. */
      since: given<number>(),
    }),
});

/** Somebody asks to join what another plays. Like an invite it is a message in a private channel. */
export const joinRequests = defineRecord({
  name: 'join_requests',
  noun: 'request to join',
  key: ['application', 'user', 'to'],
  transient: true,
  indexes: { application: {} },
  references: { user: { to: 'users', gone: 'remove' }, to: { to: 'users', gone: 'remove' } },
  schema: ({ table, anyText }: SchemaParts) =>
    table({
      user: anyText(),
      application: anyText(),
      /** Whom they ask. */
      to: anyText(),
      channel: anyText(),
      message: anyText(),
    }),
});

/** An invite into somebody's game. */
export const gameInvites = defineRecord({
  name: 'game_invites',
  noun: 'invite to a game',
  key: ['message'],
  transient: true,
  indexes: { host: {} },
  references: { sender: { to: 'users', gone: 'remove' }, recipient: { to: 'users', gone: 'remove' } },
  hidden: ['secret'],
  schema: ({ table, anyText, given, orNull }: SchemaParts) =>
    table({
      sender: anyText(),
      recipient: anyText(),
      application: anyText(),
      channel: anyText(),
      message: anyText(),
      /** What the sender wrote beside it. */
      content: anyText(),
      /** Names the session that plays. */
      session: anyText(),
      activity: given<Activity>(),
      /** What lets the guest in. */
      secret: anyText(),
      /** The connected app or the session that invites; null when its player is not here. */
      host: orNull(anyText()),
    }),
});

/** Somebody asks to join what another plays. */
export type JoinRequest = RowOf<typeof joinRequests>;
/** An invite into somebody's game. */
export type GameInvite = RowOf<typeof gameInvites>;
