import type { Derive } from '../../api/world.ts';
import { isDirect, type PrivateChannel } from '../../guilds/channels/private-records.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import type { Message } from '../../messages/records.ts';

/** What becomes different about messages between two people; no bot is one of them. */
export type DirectMessageChange = {
  readonly type: 'direct-message-created' | 'direct-message-updated' | 'direct-message-removed';
  readonly message: Message;
  readonly channel: PrivateChannel;
};

/** A message without what moderation said of it. */
const unmoderated = (message: Message) => ({ ...message, moderation_metadata: undefined });

/** What a transaction means for messages between two people. Those that go with their channel are told of no more. */
export const directMessageChanges: Derive<DirectMessageChange> = (commit, { private_channels, users }) => {
  const { created, updated, removed } = commit.of('messages');
  const told =
    (type: DirectMessageChange['type']) =>
    (message: Message): DirectMessageChange[] => {
      const channel = private_channels.get(message.channel);
      const isOfPeople =
        channel !== undefined && isDirect(channel) && channel.recipients.every((id) => !users.get(id)?.bot);
      return isOfPeople ? [{ type, message, channel }] : [];
    };
  return [
    ...removed.flatMap(told('direct-message-removed')),
    ...updated
      // What moderation says of one changes nothing about it; an edit takes that away, and is told.
      .filter(({ before, after }) => !isSameJson(unmoderated(before), unmoderated(after)))
      .flatMap(({ after }) => told('direct-message-updated')(after)),
    ...created.flatMap(told('direct-message-created')),
  ];
};
