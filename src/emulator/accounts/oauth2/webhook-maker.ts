import { ApiError } from '../../api/api-error.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import { accessTo } from '../../guilds/channels/channel-access.ts';
import { type ChannelRecord, holdsWebhooks } from '../../guilds/channels/records.ts';
import { type WebhookAnswer, webhookAnswerByToken } from '../../guilds/webhooks/answers.ts';
import { checkRoom, newIncoming } from '../../interactions/channel-webhooks/webhooks.ts';
import type { User } from '../../users/records.ts';
import { OAuth2Error } from './error.ts';

const MAX_NAME_LENGTH = 80;

/** A channel in which a user may create a webhook. */
export interface WebhookChannel {
  readonly id: string;
  readonly guild: string;
  /** Name for the user, such as `#general of River Bank`. */
  readonly name: string;
}

/** Creates webhooks for applications in channels. */
export class WebhookMaker {
  readonly #platform: Base & HasApplications;

  constructor(platform: Base & HasApplications) {
    this.#platform = platform;
  }

  /** Channels in which a user may create webhooks, with display names. */
  channelsOf(userId: string): readonly WebhookChannel[] {
    const { tables } = this.#platform.world;
    return [...tables.channels]
      .filter((channel) => this.#mayMake(userId, channel))
      .map(({ id, guild, name }) => ({
        id,
        guild,
        name: `#${name} of ${tables.guilds.get(guild)?.name ?? guild}`,
      }));
  }

  /**
   * Creates a webhook on behalf of a user and returns its id. @throws OAuth2Error when the emulator has no memory left
   * for the webhook.
   */
  make(clientId: string, userId: string, channelId: string): string {
    const { world, application } = this.#platform;
    const channel = world.tables.channels.get(channelId);
    // The channel or the user's permission may have been removed while the request waited.
    if (channel === undefined || !this.#mayMake(userId, channel)) {
      throw new OAuth2Error('access_denied', 'The user may no longer make webhooks in this channel.');
    }
    const user = world.tables.users.get(userId) as User;
    const { name, icon } = application(clientId)?.record ?? { name: 'Webhook', icon: null };
    const made = { name: name.slice(0, MAX_NAME_LENGTH), avatar: icon, application: clientId };
    try {
      checkRoom(this.#platform, channel);
      return world.transaction(
        (tables) =>
          newIncoming(this.#platform, tables, { ...made, channel: channelId, user, reason: undefined }).id,
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new OAuth2Error('temporarily_unavailable', error.message);
    }
  }

  /** A webhook with its token; `issuer` is the emulator's own URL. Undefined for a webhook that was deleted. */
  answer(webhookId: string, issuer: string): WebhookAnswer | undefined {
    const { tables } = this.#platform.world;
    const webhook = tables.channel_webhooks.get(webhookId);
    return webhook && webhookAnswerByToken(tables, webhook, `${issuer}/api`);
  }

  #mayMake(userId: string, channel: ChannelRecord): boolean {
    if (!holdsWebhooks(channel)) return false;
    const access = accessTo(this.#platform, channel.id, { id: userId, bot: false });
    return access?.may('MANAGE_WEBHOOKS') === true;
  }
}
