import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';
import { holdsWebhooks } from '../channels/records.ts';

/** Webhook type numbers, by the names that a fixture may use. */
export const WEBHOOK_TYPES = { incoming: 1, follower: 2, application: 3 } as const;

/** A webhook that writes in a channel. It has a token that authorizes any caller, or it follows another channel. */
export const channelWebhooks = defineRecord({
  name: 'channel_webhooks',
  noun: 'webhook of a channel',
  about:
    'webhooks of channels: `type` is incoming, follower or application; `token` is `emulator.webhook.ID` unless written; `source_channel` is what a follower follows',
  key: ['id'],
  hidden: ['token'],
  references: {
    channel: { to: 'channels', onRemoval: 'remove', needs: { name: 'webhooks', of: holdsWebhooks } },
    user: { to: 'users', onRemoval: 'null' },
    source_channel: { to: 'channels', onRemoval: 'null' },
  },
  printedForms: { type: WEBHOOK_TYPES },
  check: ({ type, channel, source_channel, token }) => {
    if ((channel === null) !== (type === WEBHOOK_TYPES.application)) {
      const reason = 'is required, except for a webhook of an application, which has none';
      return { path: ['channel'], reason };
    }
    if (source_channel !== null && type !== WEBHOOK_TYPES.follower) {
      return { path: ['source_channel'], reason: 'is only for a webhook that follows a channel' };
    }
    if (token !== null && type !== WEBHOOK_TYPES.incoming) {
      return { path: ['token'], reason: 'is only for an incoming webhook' };
    }
    return undefined;
  },
  schema: (parts: SchemaParts) => {
    const { table, derived, snowflake, numberOrName, or, orNull, text, matching } = parts;
    return derived(
      table({
        id: snowflake(),
        type: or(numberOrName(WEBHOOK_TYPES), WEBHOOK_TYPES.incoming),
        /** Id of the channel; null for a webhook of an application. */
        channel: orNull(snowflake()),
        name: text(80),
        /** Avatar hash. */
        avatar: orNull(text(64)),
        /** Token that authorizes any caller to write. The default token can be guessed. */
        token: orNull(matching(/^[\w.-]{1,128}$/, 'must be letters, digits, and . _ -')),
        /** Id of the creator. */
        user: orNull(text(64)),
        /** Id of the application that owns the webhook; null for none. */
        application: orNull(snowflake()),
        /** Id of the announcement channel that the webhook follows; null for none. */
        source_channel: orNull(snowflake()),
      }),
      (written) => ({
        ...written,
        token:
          written.token ??
          (written.type === WEBHOOK_TYPES.incoming ? `emulator.webhook.${written.id}` : null),
      }),
    );
  },
});

/** A webhook that writes in a channel. */
export type ChannelWebhook = RowOf<typeof channelWebhooks>;
