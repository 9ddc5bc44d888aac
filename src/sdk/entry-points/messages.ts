import { idText, needText } from '../checks.ts';
import type { Core } from '../core.ts';
import type { ChannelHandle } from '../handles.ts';
import type { MessageHandle, UserMessageSummary } from '../message-handle.ts';
import type { ClientResult } from '../result.ts';
import { type Id, uint64 } from '../values.ts';
import { limitOf, MESSAGE, MESSAGES, messageBody, type Texts } from './message-values.ts';
import { action, callbackValues, method, request } from './row.ts';

/** Receives the last message with each player, newest first. */
export type UserMessageSummariesCallback = (result: ClientResult, summaries: UserMessageSummary[]) => void;

const SUMMARIES = callbackValues(
  { summaries: [] as UserMessageSummary[] },
  (call: UserMessageSummariesCallback, { result, summaries }) => call(result, summaries),
);

/** Entry points for messages between two players, and for lookups of messages and channels. */
export const USER_MESSAGES = {
  SendUserMessage: request(MESSAGE, async (core, recipientId: Id, content: string) =>
    send(core, recipientId, content, {}),
  ),

  /** Sends a message like `SendUserMessage`, with metadata of the game, which chat clients do not display. */
  SendUserMessageWithMetadata: request(
    MESSAGE,
    async (core, recipientId: Id, content: string, metadata: Texts) =>
      send(core, recipientId, content, metadata),
  ),

  /** Edits a message that the player sent to another player. The edit removes the message's moderation metadata. */
  EditUserMessage: action(async ({ player, service }, recipientId: Id, messageId: Id, content: string) => {
    const other = idText('recipientId', recipientId);
    const path = `/users/${other}/messages/${idText('messageId', messageId)}`;
    const change = player.messages.changing(other);
    change(await service.object('PATCH', path, { content: needText('content', content) }));
  }),

  DeleteUserMessage: action(async ({ player, service }, recipientId: Id, messageId: Id) => {
    const id = idText('messageId', messageId);
    await service.request('DELETE', `/users/${idText('recipientId', recipientId)}/messages/${id}`);
    player.messages.drop(id);
  }),

  /**
   * Messages between the player and another player in the last 72 hours, newest first; at most 200. For a limit of 0 or
   * less the service chooses the number.
   */
  GetUserMessagesWithLimit: request(MESSAGES, async ({ player, service }, recipientId: Id, limit: number) => {
    const other = idText('recipientId', recipientId);
    const query = Number.isInteger(limit) && limit <= 0 ? '' : `?limit=${limitOf(limit)}`;
    const take = player.messages.taking(other);
    return { messages: (await service.list(`/users/${other}/messages${query}`)).map(take) };
  }),

  /**
   * The last message with each player, newest first. The service's request for these summaries is not published, so the
   * list covers only messages that this client has received since it connected.
   */
  GetUserMessageSummaries: request(SUMMARIES, async ({ player }) => ({
    summaries: player.messages.summaries(),
  })),

  /**
   * Returns a message that this client has received; undefined for any other. The client stores the last 25,000
   * messages.
   */
  GetMessageHandle: method(({ player }, messageId: Id): MessageHandle | undefined =>
    player.messages.get(uint64('messageId', messageId)),
  ),

  /**
   * Returns a lobby, or a private channel that this client has received in an event or a message; undefined for any
   * other channel.
   */
  GetChannelHandle: method(({ player }, channelId: Id): ChannelHandle | undefined =>
    player.channels.get(uint64('channelId', channelId)),
  ),

  /** Always false: a chat client has no command to open a message, so `OpenMessageInDiscord` is missing here. */
  CanOpenMessageInDiscord: method((_core, messageId: Id): boolean => {
    uint64('messageId', messageId);
    return false;
  }),
};

async function send(
  { player, service }: Core,
  recipientId: Id,
  content: string,
  metadata: Texts,
): Promise<{ messageId: bigint }> {
  const other = idText('recipientId', recipientId);
  const body = messageBody(content, metadata);
  const take = player.messages.taking(other);
  return { messageId: take(await service.made('POST', `/users/${other}/messages`, body)).Id() };
}
