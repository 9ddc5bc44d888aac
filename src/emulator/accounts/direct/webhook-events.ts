import type { Derivation, Reading } from '../../api/world.ts';
import type { WebhookEvent } from '../../applications/webhooks/webhooks.ts';
import { isDirect, type PrivateChannel } from '../../guilds/channels/private-records.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import { authorOf, gameMessage, timesOf } from '../../messages/presenting.ts';
import type { Message } from '../../messages/records.ts';
import { userAnswer } from '../../users/answers.ts';
import type { OAuth2 } from '../oauth2/oauth2.ts';

/** Scope to read the messages of users. */
const SCOPE = 'dm_channels.messages.read';

/**
 * Webhook events of messages between two users. They go to the games that one of the users permits to read messages.
 * The deletion of a whole channel emits no events, and neither do changes of moderation metadata, which an edit clears.
 */
export function directMessageEvents(holds: OAuth2['holds']): Derivation<WebhookEvent> {
  return {
    tables: ['messages'],
    derive(commit, tables) {
      const { created, updated, removed } = commit.of('messages');
      const eventsOf = (type: WebhookEvent['type']) => (message: Message) => {
        const channel = channelOfUsers(tables, message);
        if (channel === undefined) return [];
        const readers = [...tables.event_webhooks].filter(({ application }) =>
          channel.recipients.some((one) => holds(one, application, SCOPE)),
        );
        if (readers.length === 0) return [];
        const data = directMessage(tables, message, channel);
        return readers.map(({ application }): WebhookEvent => ({ application, type, data }));
      };
      return [
        ...removed.flatMap(eventsOf('GAME_DIRECT_MESSAGE_DELETE')),
        ...updated
          .filter(({ before, after }) => !isSameJson(unmoderated(before), unmoderated(after)))
          .flatMap(({ after }) => eventsOf('GAME_DIRECT_MESSAGE_UPDATE')(after)),
        ...created.flatMap(eventsOf('GAME_DIRECT_MESSAGE_CREATE')),
      ];
    },
  };
}

/** A message without moderation metadata. */
function unmoderated(message: Message): Message {
  return { ...message, moderation_metadata: undefined };
}

/** The channel of a message between two users; undefined for other channels, and where one of the two is a bot. */
function channelOfUsers(
  { private_channels, users }: Reading,
  { channel: id }: Message,
): PrivateChannel | undefined {
  const channel = private_channels.get(id);
  if (channel === undefined || !isDirect(channel)) return undefined;
  return channel.recipients.some((one) => users.get(one)?.bot) ? undefined : channel;
}

function directMessage(tables: Reading, message: Message, { id, type, recipients }: PrivateChannel): object {
  const author = authorOf(tables, message);
  return {
    ...gameMessage(message),
    ...timesOf(message),
    channel_id: id,
    author: author === undefined ? null : userAnswer(author),
    ...(message.application === undefined ? {} : { application_id: message.application }),
    channel: {
      id,
      type,
      recipients: recipients.flatMap((one) => {
        const user = tables.users.get(one);
        return user === undefined ? [] : [userAnswer(user)];
      }),
    },
  };
}
