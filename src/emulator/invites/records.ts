import { defineRecord, type RowOf, type SchemaParts } from '../state/record.ts';

/** Longest that an invite holds, in seconds: a week. */
const WEEK_S = 604_800;

/** An invite to a channel. */
export const channelInvites = defineRecord({
  name: 'channel_invites',
  noun: 'invite to a channel',
  key: ['code'],
  references: { channel: { to: 'channels', gone: 'remove' } },
  schema: ({ table, matching, snowflake, moment, or, count, flag }: SchemaParts) =>
    table({
      code: matching(/^[A-Za-z0-9_-]{2,64}$/, 'must be 2 to 64 letters, digits, - and _'),
      /** Id of the channel that it leads to. */
      channel: snowflake(),
      /** ISO 8601. */
      created_at: moment(),
      /** Seconds; 0 is no limit. */
      max_age: or(count(WEEK_S), 86_400),
      /** 0 is no limit. */
      max_uses: or(count(100), 0),
      /** Who comes by it goes with the connection. */
      temporary: flag(false),
      uses: or(count(2 ** 31 - 1), 0),
    }),
});

/** An invite to a channel, as written down. */
export type ChannelInviteRecord = RowOf<typeof channelInvites>;
