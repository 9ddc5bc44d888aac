import type { Emulator } from '../../../emulator/emulator.ts';
import { mentionsEveryone } from '../../../emulator/messages/mentions.ts';
import type { Message } from '../../../emulator/messages/records.ts';
import type { EventDataOf } from '../../../protocol/registry.ts';
import { rpcUser } from '../user/shapes.ts';

/** Message as a client's own store holds it, parsed content included. */
export function rpcMessage(emulator: Emulator, message: Message): EventDataOf<'MESSAGE_CREATE'>['message'] {
  const author = emulator.user(message.author);
  const found = emulator.channel(message.channel);
  const guildId = found.kind === 'found' ? found.channel.guild_id : '';
  const pieces = emulator.messages.fragments(message.content);
  return {
    id: message.id,
    blocked: emulator.people.relationship(message.author)?.type === 2,
    bot: author?.bot ?? false,
    content: message.content,
    content_parsed: pieces.map((piece) =>
      piece.kind === 'text'
        ? { type: 'text', content: piece.text, originalMatch: piece.text }
        : {
            type: 'mention',
            userId: piece.user.id,
            parsedUserId: piece.user.id,
            channelId: message.channel,
            guildId,
            content: { type: 'text', content: `@${emulator.people.nameIn(guildId, piece.user.id)}` },
          },
    ),
    nick: emulator.people.nameIn(guildId, message.author),
    edited_timestamp: message.edited_timestamp,
    timestamp: message.timestamp,
    tts: message.tts,
    mentions: pieces.flatMap((piece) => (piece.kind === 'mention' ? [rpcUser(piece.user)] : [])),
    mention_everyone: mentionsEveryone(message.content),
    mention_roles: [],
    embeds: [],
    attachments: [],
    author: author === undefined ? null : rpcUser(author),
    pinned: message.pinned,
    type: 0,
  };
}
