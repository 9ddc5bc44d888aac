import type { ChannelHandle } from '../channels.ts';
import { idText, needText } from '../checks.ts';
import type { Core } from '../core.ts';
import type { MessageHandle, UserMessageSummary } from '../message-handle.ts';
import type { ClientResult } from '../result.ts';
import { type Id, uint64 } from '../values.ts';
import { limitOf, MESSAGE, MESSAGES, messageBody, type Texts } from './message-values.ts';
import { action, callbackValues, method, request } from './row.ts';

/** Gets the last message with each player, newest first. */
export type UserMessageSummariesCallback = (result: ClientResult, summaries: UserMessageSummary[]) => void;

const SUMMARIES = callbackValues(
  { summaries: [] as UserMessageSummary[] },
  (call: UserMessageSummariesCallback, { result, summaries }) => call(result, summaries),
);

/** Messages between two players, and what is known of messages and channels. */
export const USER_MESSAGES = {
  SendUserMessage: request(MESSAGE, async (core, recipientId: Id, content: string) =>
    send(core, recipientId, content, {}),
  ),

  /** The same, with texts of the game that nobody is shown. */
  SendUserMessageWithMetadata: request(
    MESSAGE,
    async (core, recipientId: Id, content: string, metadata: Texts) =>
      send(core, recipientId, content, metadata),
  ),

  /** Changes what the player wrote to another. What moderation said of it goes. */
  EditUserMessage: action(async ({ player, service }, recipientId: Id, messageId: Id, content: string) => {
    const other = idText('recipientId', recipientId);
    const path = `/users/${other}/messages/${idText('messageId', messageId)}`;
    const change = player.messages.changing(other);
    change(await service.object('PATCH', path, { content: needText('content', content) }));
  }),

  DeleteUserMessage: action(async ({ player, service }, recipientId: Id, messageId: Id) => {
    const id = idText('messageId', messageId);
    await service.ask('DELETE', `/users/${idText('recipientId', recipientId)}/messages/${id}`);
    player.messages.drop(id);
  }),

  /**
   * What the player and another said to each other in the last 72 hours, newest first; 200 at most. For 0 and less it is for the
   * service to say how many.
   */
  GetUserMessagesWithLimit: request(MESSAGES, async ({ player, service }, recipientId: Id, limit: number) => {
    const other = idText('recipientId', recipientId);
    const query = Number.isInteger(limit) && limit <= 0 ? '' : `?limit=${limitOf(limit)}`;
    const take = player.messages.taking(other);
    return { messages: (await service.list(`/users/${other}/messages${query}`)).map(take) };
  }),

  /**
   * The last message with each player, newest first. Nobody publishes how the service is asked for these: they are of the
   * messages that this client has seen since it was connected, and of no others.
   */
  GetUserMessageSummaries: request(SUMMARIES, async ({ player }) => ({
    summaries: player.messages.summaries(),
  })),

  /** A message that this client has seen; of the last 25,000. */
  GetMessageHandle: method(({ player }, messageId: Id): MessageHandle | undefined =>
    player.messages.get(uint64('messageId', messageId)),
  ),

  /** A lobby, or a private channel that this client has seen: by a message, or because it was told of. Undefined for any other. */
  GetChannelHandle: method(({ player }, channelId: Id): ChannelHandle | undefined =>
    player.channels.get(uint64('channelId', channelId)),
  ),

  /** False: there is no way to ask a chat client to show one, so that `OpenMessageInDiscord` is not there. */
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
