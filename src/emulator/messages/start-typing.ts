import { ApiError } from '../api/api-error.ts';
import type { HasGatewayNotifier } from '../api/dispatch.ts';
import type { Base } from '../api/world.ts';
import { type AnyChannel, type ChannelAccess, takesMessages } from '../guilds/channels/channel-access.ts';
import { isThread } from '../guilds/channels/records.ts';
import { typingDispatch, typingStart } from './dispatches.ts';
import type { HasTyping } from './typing.ts';

/** Services that a typing indicator needs. */
export type NotesTyping = Base & HasGatewayNotifier & HasTyping;

/** Starts the typing indicator of a user. @throws ApiError */
export function startTyping(
  { world, clock, gateway, typing }: NotesTyping,
  { channel, need }: ChannelAccess<AnyChannel>,
  user: string,
): void {
  if (!takesMessages(channel)) throw new ApiError('CannotSendMessagesInNonTextChannel');
  need(isThread(channel) ? 'SEND_MESSAGES_IN_THREADS' : 'SEND_MESSAGES');
  typing.start(channel.id, user);
  const dispatch = typingDispatch(world.tables, channel.id, user, clock.now());
  if (dispatch !== undefined) gateway.send(typingStart, dispatch);
}
