import {
  defineRecord,
  type Fit,
  type NamedTables,
  type RowOf,
  type SchemaParts,
} from '../../kernel/state/record.ts';

/** Longest that an invite may hold at all, in seconds: sixty days. */
export const LONGEST_AGE_S = 5_184_000;
/** Longest that one may be asked for unless another limit is set, in seconds: a week. */
const WEEK_S = 604_800;

/** Longest age of an invite that somebody may ask for, in seconds: public sources say a week, and sixty days. */
export const inviteMaxAge = defineRecord({
  name: 'invite_max_age',
  noun: 'longest age of an invite',
  singleton: true,
  schema: ({ or, count }: SchemaParts) => or(count(LONGEST_AGE_S), WEEK_S),
});

/** An invite gives roles of the guild that it leads to. */
const ofTheGuild: Fit = {
  otherwise: 'of another guild',
  of: (invite: { readonly channel: string }, role: { readonly guild: string }, { channels }: NamedTables) =>
    (channels?.get(invite.channel) as { readonly guild: string } | undefined)?.guild === role.guild,
};

/** What an invite shows in its channel: somebody's stream, an application; or that it leads from a lobby. */
export const TARGET = { STREAM: 1, EMBEDDED_APPLICATION: 2, LOBBY: 5 } as const;

/** An invite to a channel. */
export const channelInvites = defineRecord({
  name: 'channel_invites',
  noun: 'invite to a channel',
  key: ['code'],
  references: {
    channel: { to: 'channels', gone: 'remove' },
    inviter: { to: 'users', gone: 'null' },
    target_user: { to: 'users', gone: 'remove' },
    roles: { to: 'roles', gone: 'null', fits: ofTheGuild },
  },
  check: ({ targeted, job }) =>
    job !== null && !targeted
      ? { path: ['job'], reason: 'is of an invite for certain users: set targeted = true' }
      : undefined,
  schema: (parts: SchemaParts) => {
    const { table, matching, snowflake, moment, text, words, or, orNull, choice, count, flag, list } = parts;
    return table({
      code: matching(/^[A-Za-z0-9_-]{2,64}$/, 'must be 2 to 64 letters, digits, - and _'),
      /** Id of the channel that it leads to. */
      channel: snowflake(),
      /** ISO 8601. */
      created_at: moment(),
      /** Id of the user who made it; null where nobody did. */
      inviter: orNull(text(64)),
      /** Seconds; 0 is no limit. */
      max_age: or(count(LONGEST_AGE_S), 86_400),
      /** 0 is no limit. */
      max_uses: or(count(100), 0),
      /** Who comes by it goes with the connection. */
      temporary: flag(false),
      uses: or(count(2 ** 31 - 1), 0),
      /** 1 the stream of a user, 2 an application, 5 the channel of a lobby; null is the channel alone. */
      target_type: orNull(count(5)),
      /** Id of the user whose stream it shows. */
      target_user: orNull(text(64)),
      /** Id of the application that it opens. */
      target_application: orNull(snowflake()),
      /** Ids of the roles that whoever accepts it gets. */
      roles: list(snowflake(), 250),
      /** For the users in its list alone. */
      targeted: flag(false),
      /** The list of users that was sent last as a file, and how far it is read. */
      job: orNull(
        table({
          state: choice('processing', 'completed', 'failed'),
          total: count(2 ** 31 - 1),
          processed: or(count(2 ** 31 - 1), 0),
          created_at: moment(),
          completed_at: orNull(moment()),
          error: orNull(words(1000)),
        }),
      ),
      /** Files are read no further by themselves: somebody says how far. */
      holds_jobs: flag(false),
    });
  },
});

/** Somebody for whom an invite is. */
export const inviteTargets = defineRecord({
  name: 'invite_targets',
  noun: 'target user of an invite',
  key: ['invite', 'user'],
  indexes: { invite: {} },
  within: { kind: 'channel_invites', as: 'targets', field: 'invite' },
  schema: ({ table, snowflake, flag }: SchemaParts) =>
    table({
      /** The platform takes the id of anybody, known or not. */
      user: snowflake(),
      /** Stands in a file that is not read so far. */
      pending: flag(false),
    }),
});

/** An invite to a channel, as written down. */
export type ChannelInviteRecord = RowOf<typeof channelInvites>;
/** How far a file of target users is read. */
export type TargetJob = NonNullable<ChannelInviteRecord['job']>;
