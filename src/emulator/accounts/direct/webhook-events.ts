import { timestamp } from '../../api/fields.ts';
import type { Reading } from '../../api/world.ts';
import type { EventType } from '../../applications/webhooks/records.ts';
import type { WebhookEvent } from '../../applications/webhooks/webhooks.ts';
import { userAnswer } from '../../users/answers.ts';
import type { OAuth2 } from '../oauth2/oauth2.ts';
import type { DirectMessageChange } from './changes.ts';

const EVENTS: Readonly<Record<DirectMessageChange['type'], EventType>> = {
  'direct-message-created': 'GAME_DIRECT_MESSAGE_CREATE',
  'direct-message-updated': 'GAME_DIRECT_MESSAGE_UPDATE',
  'direct-message-removed': 'GAME_DIRECT_MESSAGE_DELETE',
};

/** Who may read the messages of whoever let them. */
const SCOPE = 'dm_channels.messages.read';

/** Whether a change is one of these. */
export function isDirectMessageChange<Change extends { readonly type: string }>(
  change: Change | DirectMessageChange,
): change is DirectMessageChange {
  return Object.hasOwn(EVENTS, change.type);
}

/** What games are told of a message between two people: those that one of the two lets read it. */
export function gameEventsOf(
  change: DirectMessageChange,
  { users, event_webhooks }: Reading,
  { holds }: { readonly holds: OAuth2['holds'] },
): readonly WebhookEvent[] {
  const { message, channel } = change;
  const { id, content, author, flags = 0, type = 0, application, metadata, edited_timestamp } = message;
  const writer = users.get(author ?? '');
  const data = {
    id,
    type,
    content,
    channel_id: channel.id,
    author: writer === undefined ? null : userAnswer(writer),
    flags,
    timestamp: timestamp(Date.parse(message.timestamp)),
    edited_timestamp: edited_timestamp === null ? null : timestamp(Date.parse(edited_timestamp)),
    ...(application === undefined ? {} : { application_id: application }),
    ...(metadata === undefined ? {} : { metadata }),
    channel: {
      id: channel.id,
      type: channel.type,
      recipients: channel.recipients.flatMap((one) => {
        const user = users.get(one);
        return user === undefined ? [] : [userAnswer(user)];
      }),
    },
  };
  return [...event_webhooks]
    .filter((game) => channel.recipients.some((one) => holds(one, game.application, SCOPE)))
    .map((game) => ({ application: game.application, type: EVENTS[change.type], data }));
}
