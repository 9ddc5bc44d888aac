import { CallEntryPoints } from './call-entry-points.ts';
import type { CallbackOf } from './callbacks.ts';
import type { ChannelHandle } from './channels.ts';
import { idText, metadataOf, needText } from './checks.ts';
import type { Core } from './core.ts';
import { limitOf, type MessagesCallback, type SendMessageCallback } from './lobby-entry-points.ts';
import type { MessageHandle, UserMessageSummary } from './message-handle.ts';
import type { Outcome } from './outcome.ts';
import type { ClientResult, ResultCallback } from './result.ts';
import { type Id, uint64 } from './values.ts';

/** Gets the last message with each player, newest first. */
export type UserMessageSummariesCallback = (result: ClientResult, summaries: UserMessageSummary[]) => void;

/** Messages between two players. */
export class MessageEntryPoints extends CallEntryPoints {
  readonly #core: Core;

  constructor(core: Core) {
    super(core);
    this.#core = core;
  }

  SendUserMessage(
    recipientId: Id,
    content: string,
    callback?: SendMessageCallback,
  ): Promise<Outcome<{ readonly messageId: bigint }>> {
    return this.#write('SendUserMessage', recipientId, content, {}, callback);
  }

  /** The same, with texts of the game that nobody is shown. */
  SendUserMessageWithMetadata(
    recipientId: Id,
    content: string,
    metadata: Readonly<Record<string, string>>,
    callback?: SendMessageCallback,
  ): Promise<Outcome<{ readonly messageId: bigint }>> {
    return this.#write('SendUserMessageWithMetadata', recipientId, content, metadata, callback);
  }

  /** Changes what the player wrote to another. What moderation said of it goes. */
  EditUserMessage(
    recipientId: Id,
    messageId: Id,
    content: string,
    callback?: ResultCallback,
  ): Promise<Outcome> {
    const work = async (): Promise<object> => {
      const other = idText('recipientId', recipientId);
      const path = `/users/${other}/messages/${idText('messageId', messageId)}`;
      const { messages, service } = this.#core;
      const change = messages.changing(other);
      change(await service.object('PATCH', path, { content: needText('content', content) }));
      return {};
    };
    return this.#core.settle('EditUserMessage', {}, work, callback, (call, { result }) => call(result));
  }

  DeleteUserMessage(recipientId: Id, messageId: Id, callback?: ResultCallback): Promise<Outcome> {
    const work = async (): Promise<object> => {
      const id = idText('messageId', messageId);
      await this.#core.service.ask('DELETE', `/users/${idText('recipientId', recipientId)}/messages/${id}`);
      this.#core.messages.drop(id);
      return {};
    };
    return this.#core.settle('DeleteUserMessage', {}, work, callback, (call, { result }) => call(result));
  }

  /**
   * What the player and another said to each other in the last 72 hours, newest first; 200 at most. For 0 and less it is for the
   * service to say how many.
   */
  GetUserMessagesWithLimit(
    recipientId: Id,
    limit: number,
    callback?: MessagesCallback,
  ): Promise<Outcome<{ readonly messages: MessageHandle[] }>> {
    const work = async (): Promise<{ messages: MessageHandle[] }> => {
      const other = idText('recipientId', recipientId);
      const asked = Number.isInteger(limit) && limit <= 0 ? '' : `?limit=${limitOf(limit)}`;
      const { messages, service } = this.#core;
      const take = messages.taking(other);
      return { messages: (await service.list(`/users/${other}/messages${asked}`)).map(take) };
    };
    const empty = { messages: [] as MessageHandle[] };
    return this.#core.settle(
      'GetUserMessagesWithLimit',
      empty,
      work,
      callback,
      (call, { result, messages }) => call(result, messages),
    );
  }

  /**
   * The last message with each player, newest first. Nobody publishes how the service is asked for these: they are of the
   * messages that this client has seen since it was connected, and of no others.
   */
  GetUserMessageSummaries(
    callback?: UserMessageSummariesCallback,
  ): Promise<Outcome<{ readonly summaries: UserMessageSummary[] }>> {
    const work = async (): Promise<{ summaries: UserMessageSummary[] }> => ({
      summaries: this.#core.messages.summaries(),
    });
    const empty = { summaries: [] as UserMessageSummary[] };
    return this.#core.settle(
      'GetUserMessageSummaries',
      empty,
      work,
      callback,
      (call, { result, summaries }) => call(result, summaries),
    );
  }

  /** A message that this client has seen; of the last 25,000. */
  GetMessageHandle(messageId: Id): MessageHandle | undefined {
    return this.#core.messages.get(uint64('messageId', messageId));
  }

  /** A lobby, or a private channel that this client has seen: by a message, or because it was told of. Undefined for any other. */
  GetChannelHandle(channelId: Id): ChannelHandle | undefined {
    return this.#core.channels.get(uint64('channelId', channelId));
  }

  /** False: there is no way to ask a chat client to show one, so that `OpenMessageInDiscord` is not there. */
  CanOpenMessageInDiscord(messageId: Id): boolean {
    uint64('messageId', messageId);
    return false;
  }

  /** Called with each message of a lobby or of another player, also with those of this player. Undefined ends it, here and below. */
  SetMessageCreatedCallback(callback: CallbackOf<'SetMessageCreatedCallback'> | undefined): void {
    this.#core.callbacks.set('SetMessageCreatedCallback', callback);
  }

  SetMessageUpdatedCallback(callback: CallbackOf<'SetMessageUpdatedCallback'> | undefined): void {
    this.#core.callbacks.set('SetMessageUpdatedCallback', callback);
  }

  SetMessageDeletedCallback(callback: CallbackOf<'SetMessageDeletedCallback'> | undefined): void {
    this.#core.callbacks.set('SetMessageDeletedCallback', callback);
  }

  #write(
    name: string,
    recipientId: Id,
    content: string,
    metadata: Readonly<Record<string, string>>,
    callback: SendMessageCallback | undefined,
  ): Promise<Outcome<{ readonly messageId: bigint }>> {
    const work = async (): Promise<{ messageId: bigint }> => {
      const other = idText('recipientId', recipientId);
      const said = metadataOf('metadata', metadata);
      const body = {
        content: needText('content', content),
        ...(Object.keys(said).length > 0 ? { metadata: said } : {}),
      };
      const { messages, service } = this.#core;
      const take = messages.taking(other);
      return { messageId: take(await service.made('POST', `/users/${other}/messages`, body)).Id() };
    };
    return this.#core.settle(name, { messageId: 0n }, work, callback, (call, { result, messageId }) =>
      call(result, messageId),
    );
  }
}
