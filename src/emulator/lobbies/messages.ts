import { ApiError, full } from '../api/api-error.ts';
import { present } from '../api/present.ts';
import type { Base, Writing } from '../api/world.ts';
import { type HasAutoMod, MessageBlocked } from '../guilds/automod/automod.ts';
import { accessTo, noAccess } from '../guilds/channels/channel-access.ts';
import type { ChannelRecord } from '../guilds/channels/records.ts';
import { MAX_RECORDS } from '../kernel/limits.ts';
import { unlessBlank } from '../kernel/own-text.ts';
import { composeMessage, nonceOf, sentBefore } from '../messages/create.ts';
import { MESSAGE_FLAGS, type Message, nonceKey } from '../messages/records.ts';
import { rememberedKey } from '../messages/removed-nonces.ts';
import type { CreateRequest } from '../messages/requests.ts';
import { type ComposedMessage, messageIds, writeMessage } from '../messages/write.ts';
import type { User } from '../users/records.ts';
import type { Lobby, LobbyMember, LobbyMessage } from './records.ts';

/** Flags that an author may set. */
const SETTABLE = MESSAGE_FLAGS.suppressEmbeds | MESSAGE_FLAGS.suppressNotifications;

/** Services for lobby messages. */
export type LobbyPlatform = Base & HasAutoMod;

/** A member who writes, and the lobby of the message. */
interface Speaking {
  readonly lobby: Lobby;
  readonly member: LobbyMember;
}

/** Request that creates a message in a lobby. */
export interface LobbyMessageRequest
  extends Pick<CreateRequest, 'content' | 'flags' | 'allowed_mentions' | 'nonce' | 'enforce_nonce'> {
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/**
 * Sends a message to a lobby and to its linked channel. Membership in the lobby is enough, whatever the author's
 * permissions in the guild. @throws ApiError 50006 for an empty message, 10008 when the message with an enforced nonce
 * was deleted.
 */
export function sendLobbyMessage(
  platform: LobbyPlatform,
  { lobby, member }: Speaking,
  body: LobbyMessageRequest,
): LobbyMessage {
  const { world, clock } = platform;
  const now = clock.now();
  const content = unlessBlank(body.content ?? '');
  if (content === '') throw new ApiError('CannotSendAnEmptyMessage');
  const { tables } = world;
  const nonce = nonceOf(body);
  if (nonce !== undefined && body.enforce_nonce === true) {
    const sent = [...tables.lobby_messages.by('nonce', nonceKey(member.user, nonce))];
    const here = sent.filter((one) => one.lobby === lobby.id);
    const same = sentBefore(tables, here, rememberedKey(member.user, nonce, lobby.id), now);
    if (same !== undefined) return same;
  }
  const linkedChannel = tables.channels.get(lobby.linked_channel ?? '');
  const common = {
    id: messageIds(world, now)(),
    flags: ((body.flags ?? 0) & SETTABLE) | MESSAGE_FLAGS.sentByGame,
    additional_name: member.additional_name ?? undefined,
  };
  const channelCopy = linkedChannel && inChannel(platform, linkedChannel, { lobby, member }, body, common);
  return world.transaction((writing) => {
    if (channelCopy !== undefined) writeMessage(writing, channelCopy);
    return writeLobbyMessage(writing, {
      ...common,
      lobby: lobby.id,
      author: member.user,
      channel: channelCopy === undefined ? null : channelCopy.message.channel,
      content,
      timestamp: new Date(now).toISOString(),
      edited_timestamp: null,
      nonce,
      metadata: body.metadata,
    });
  });
}

/**
 * Stores a lobby message, within the current transaction. @throws ApiError 503 when the number of messages is at its
 * maximum.
 */
export function writeLobbyMessage({ lobby_messages }: Writing, message: LobbyMessage): LobbyMessage {
  if (lobby_messages.size >= MAX_RECORDS) throw full('messages of lobbies');
  return lobby_messages.insert(present(message));
}

/**
 * Copy of the message for the linked channel; undefined when an AutoMod rule of the guild blocks it. The rule affects
 * only the channel, not the lobby.
 */
function inChannel(
  platform: LobbyPlatform,
  channel: ChannelRecord,
  { lobby, member }: Speaking,
  { content, allowed_mentions, nonce }: LobbyMessageRequest,
  common: Pick<Message, 'id' | 'flags' | 'additional_name'>,
): ComposedMessage | undefined {
  const user = platform.world.tables.users.get(member.user) as User;
  const access = accessTo(platform, channel.id, user) ?? noAccess(channel);
  const writer = { user, application: { id: lobby.application, intents: [] } };
  try {
    return composeMessage(platform, writer, access, { content, allowed_mentions, nonce }, [], common);
  } catch (error) {
    if (error instanceof MessageBlocked) return undefined;
    throw error;
  }
}
