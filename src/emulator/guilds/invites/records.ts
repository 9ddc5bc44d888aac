import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';
import { ofGuildOfChannel } from '../relation-records.ts';

/** Absolute maximum of an invite's lifetime in seconds: sixty days. */
export const MAX_AGE_S = 5_184_000;
/** Default of the maximum lifetime of an invite, in seconds: a week. */
const WEEK_S = 604_800;

/**
 * Maximum lifetime of a requested invite in seconds. It is configurable, because public sources differ between a week
 * and sixty days.
 */
export const inviteMaxAge = defineRecord({
  name: 'invite_max_age',
  noun: 'longest age of an invite',
  about: 'longest age of an invite that may be asked for, in seconds: 604,800 (default) to 5,184,000',
  singleton: true,
  schema: ({ or, count }: SchemaParts) => or(count(MAX_AGE_S), WEEK_S),
});

/** Target types of an invite: a user's stream, an application, or the lobby that the invite comes from. */
export const TARGET = { STREAM: 1, EMBEDDED_APPLICATION: 2, LOBBY: 5 } as const;

/** An invite to a channel. */
export const channelInvites = defineRecord({
  name: 'channel_invites',
  noun: 'invite to a channel',
  about:
    'invites to channels: one that is `targeted` is for certain users; `job` is a file of them that is being read, and `holds_jobs` holds it',
  key: ['code'],
  references: {
    channel: { to: 'channels', onRemoval: 'remove' },
    inviter: { to: 'users', onRemoval: 'null' },
    target_user: { to: 'users', onRemoval: 'remove' },
    roles: { to: 'roles', onRemoval: 'null', relationCheck: ofGuildOfChannel },
  },
  check: ({ targeted, job }) =>
    job !== null && !targeted
      ? { path: ['job'], reason: 'is only for an invite for certain users: set targeted = true' }
      : undefined,
  schema: (parts: SchemaParts) => {
    const { table, matching, snowflake, moment, text, textOrEmpty, or, orNull, choice, count, flag, list } =
      parts;
    return table({
      code: matching(/^[A-Za-z0-9_-]{2,64}$/, 'must be 2 to 64 letters, digits, - and _'),
      /** Id of its channel. */
      channel: snowflake(),
      /** ISO 8601. */
      created_at: moment(),
      /** Id of the creator; null for an invite without a creator. */
      inviter: orNull(text(64)),
      /** Seconds; 0 is no limit. */
      max_age: or(count(MAX_AGE_S), 86_400),
      /** 0 is no limit. */
      max_uses: or(count(100), 0),
      /** True if the invite grants a temporary membership, which ends when the user disconnects. */
      temporary: flag(false),
      uses: or(count(2 ** 31 - 1), 0),
      /**
       * Target type: 1 the stream of a user, 2 an application, 5 the channel of a lobby; null for the channel alone.
       */
      target_type: orNull(count(5)),
      /** Id of the user whose stream is the target. */
      target_user: orNull(text(64)),
      /** Id of the application that is the target. */
      target_application: orNull(snowflake()),
      /** Ids of the roles that the invite grants. */
      roles: list(snowflake(), 250),
      /** True if the invite is valid only for the users in its target list. */
      targeted: flag(false),
      /** Progress of the last file of target users. */
      job: orNull(
        table({
          state: choice('processing', 'completed', 'failed'),
          total: count(2 ** 31 - 1),
          processed: or(count(2 ** 31 - 1), 0),
          created_at: moment(),
          completed_at: orNull(moment()),
          error: orNull(textOrEmpty(1000)),
        }),
      ),
      /** True if files are not read automatically; then only an operation advances the job. */
      holds_jobs: flag(false),
    });
  },
});

/** A target user of an invite. */
export const inviteTargets = defineRecord({
  name: 'invite_targets',
  noun: 'target user of an invite',
  about: 'users that an invite is for',
  key: ['invite', 'user'],
  indexes: { invite: {} },
  within: { kind: 'channel_invites', as: 'targets', field: 'invite' },
  schema: ({ table, snowflake, flag }: SchemaParts) =>
    table({
      /** Id of a target user. The platform accepts any id, even an unknown one. */
      user: snowflake(),
      /** True if the user is at a line of the file that the job has not read yet. */
      pending: flag(false),
    }),
});

/** An invite to a channel as it is stored. */
export type ChannelInviteRecord = RowOf<typeof channelInvites>;
/** Progress of reading a file of target users. */
export type TargetJob = NonNullable<ChannelInviteRecord['job']>;
