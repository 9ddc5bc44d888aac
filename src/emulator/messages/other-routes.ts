import { ApiError } from '../api/api-error.ts';
import type { HasGatewayNotifier } from '../api/dispatch.ts';
import { noContent, ok, operationsFor } from '../api/operation.ts';
import type { Base } from '../api/world.ts';
import type { HasFileAddresses } from '../files/addresses.ts';
import { anyChannelInView, channelInView, takesMessages } from '../guilds/channels/channel-access.ts';
import { isThread } from '../guilds/channels/records.ts';
import { messageAnswer } from './answers.ts';
import { deliver } from './crossposts.ts';
import { typingDispatch, typingStart } from './dispatches.ts';
import { MESSAGE_FLAGS } from './records.ts';
import { messageShape } from './shapes.ts';
import { messageIn, viewerOf } from './viewer.ts';

const defineOperation = operationsFor<Base & HasFileAddresses & HasGatewayNotifier>();

const ANNOUNCEMENT = 5;

/** Other operations on messages. */
export const otherMessageOperations = [
  defineOperation({
    id: 'crosspost_message',
    summary: 'Publishes a message of an announcement channel.',
    route: 'POST /channels/{channel_id}/messages/{message_id}/crosspost',
    ours: 'Edits also change the copies in following channels; after a deletion the copies only state that the original was deleted.',
    answers: { 200: messageShape },
    handle: (request, platform) => {
      const access = channelInView(platform, request.params.channel_id, request.caller);
      const message = messageIn(platform, access, request.params.message_id);
      access.need('SEND_MESSAGES');
      if (message.author !== request.caller.user.id) access.need('MANAGE_MESSAGES');
      if (access.channel.type !== ANNOUNCEMENT) throw new ApiError('CannotExecuteActionOnThisChannelType');
      if (message.poll !== undefined) throw new ApiError('InvalidMessageType');
      const { flags = 0 } = message;
      if (flags & MESSAGE_FLAGS.crossposted) throw new ApiError('ThisMessageWasAlreadyCrossposted');
      const published = platform.world.transaction((tables) => {
        deliver(platform, tables, message);
        return tables.messages.update(message.id, { flags: flags | MESSAGE_FLAGS.crossposted });
      });
      return ok(messageAnswer(viewerOf(platform, request), published));
    },
  }),
  defineOperation({
    id: 'trigger_typing_indicator',
    summary: 'Starts the typing indicator of the caller.',
    route: 'POST /channels/{channel_id}/typing',
    answers: { 204: null },
    handle: ({ params, caller }, platform) => {
      const { channel, need } = anyChannelInView(platform, params.channel_id, caller);
      if (!takesMessages(channel)) throw new ApiError('CannotSendMessagesInNonTextChannel');
      need(isThread(channel) ? 'SEND_MESSAGES_IN_THREADS' : 'SEND_MESSAGES');
      const { world, clock, gateway } = platform;
      const dispatch = typingDispatch(world.tables, channel.id, caller.user.id, clock.now());
      if (dispatch !== undefined) gateway.send(typingStart, dispatch);
      return noContent();
    },
  }),
];
