import { ApiError } from '../../api/api-error.ts';
import type { Base } from '../../api/world.ts';
import type { ApplicationRecord } from '../../applications/records.ts';
import { accessTo } from '../../guilds/channels/channel-access.ts';
import { type ChannelRecord, holdsWebhooks } from '../../guilds/channels/records.ts';
import { webhookAnswerByToken } from '../../guilds/webhooks/answers.ts';
import { checkRoom, newIncoming } from '../../interactions/channel-webhooks/webhooks.ts';
import type { User } from '../../users/records.ts';
import { OAuth2Error } from './error.ts';
import type { WebhookMaker } from './incoming.ts';

const LONGEST_NAME = 80;

/** Makes webhooks for applications in the channels of a world. */
export function webhookMakerOf(
  platform: Base,
  application: (clientId: string) => ApplicationRecord | undefined,
): WebhookMaker {
  const { world } = platform;
  const mayMake = (userId: string, channel: ChannelRecord): boolean =>
    holdsWebhooks(channel) &&
    accessTo(platform, channel.id, { id: userId, bot: false })?.may('MANAGE_WEBHOOKS') === true;
  return {
    channelsOf: (userId) =>
      [...world.tables.channels]
        .filter((channel) => mayMake(userId, channel))
        .map(({ id, guild, name }) => ({
          id,
          guild,
          name: `#${name} of ${world.tables.guilds.get(guild)?.name ?? guild}`,
        })),
    answer: (id, issuer) => {
      const webhook = world.tables.channel_webhooks.get(id);
      return webhook && webhookAnswerByToken(world.tables, webhook, `${issuer}/api`);
    },
    make: (clientId, userId, channelId) => {
      const channel = world.tables.channels.get(channelId);
      // While the person thought, the channel or their right there may have gone.
      if (channel === undefined || !mayMake(userId, channel)) {
        throw new OAuth2Error('access_denied', 'The user may no longer make webhooks in this channel.');
      }
      const user = world.tables.users.get(userId) as User;
      const { name, icon } = application(clientId) ?? { name: 'Webhook', icon: null };
      try {
        checkRoom(platform, channel);
        const made = { name: name.slice(0, LONGEST_NAME), avatar: icon, application: clientId };
        return world.transaction(
          (tables) =>
            newIncoming(platform, tables, { ...made, channel: channelId, user, reason: undefined }).id,
        );
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        throw new OAuth2Error('temporarily_unavailable', error.message);
      }
    },
  };
}
