import {
  type AnyChannel,
  accessToAnyChannel,
  type ChannelAccess,
} from '../guilds/channels/channel-access.ts';
import { SettingError } from '../kernel/errors.ts';
import type { User } from '../users/records.ts';
import { addReaction, emojiOn, takeReaction } from './reactions/react.ts';
import { asSettingError, withCode } from './refusal-text.ts';
import { checkRevision } from './revision.ts';
import type { NotesTyping } from './start-typing.ts';

/** A reaction of a simulated user. */
export interface Reacting {
  /** The character, or `name:id`. */
  readonly emoji: string;
  /** False to take the reaction away. */
  readonly isOn: boolean;
  /** As of `channel.view`; a message of another revision is refused. */
  readonly revision?: string | undefined;
}

/** Actions of a simulated user at a message or a channel, besides writing. */
export class MessageActions {
  readonly #platform: NotesTyping;

  constructor(platform: NotesTyping) {
    this.#platform = platform;
  }

  /** Reacts to a message, and returns the emoji in its stored form. @throws SettingError, StaleRevision */
  react(messageId: string, user: User, { emoji: named, isOn, revision }: Reacting): string {
    const { tables } = this.#platform.world;
    const message = tables.messages.get(messageId);
    if (message === undefined) {
      const isEphemeral = tables.ephemeral_messages.has(messageId);
      const why = isEphemeral
        ? `message ${messageId} is ephemeral: nobody reacts to it`
        : noMessage(messageId);
      throw new SettingError('', why);
    }
    const access = this.#access(message.channel, user);
    checkRevision(tables, message, revision);
    return asSettingError(
      () => {
        const emoji = emojiOn(this.#platform, message, named);
        if (isOn) addReaction(this.#platform, { user }, access, message, emoji);
        else takeReaction(this.#platform, access, message, { emoji, user: user.id });
        return emoji;
      },
      '',
      withCode,
    );
  }

  /** Shows that a user types, for ten seconds or until their next message. @throws SettingError */
  async type(channelId: string, user: User): Promise<void> {
    const access = this.#access(channelId, user);
    // The event's shape is loaded with the gateway, not with each bridge.
    const { startTyping } = await import('./start-typing.ts');
    asSettingError(() => startTyping(this.#platform, access, user.id), 'user', withCode);
  }

  #access(channelId: string, user: User): ChannelAccess<AnyChannel> {
    const access = accessToAnyChannel(this.#platform, channelId, user);
    if (access !== undefined) return access;
    throw new SettingError('channel', `${user.username} does not see this channel`);
  }
}

function noMessage(id: string): string {
  return `there is no message ${JSON.stringify(id.slice(0, 20))}`;
}
