import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { authorOf } from '../../../emulator/messages/presenting.ts';
import { authorIdOf, type Message } from '../../../emulator/messages/records.ts';
import type { EventDataOf } from '../../../protocol/registry.ts';
import { rpcUser } from '../user/shapes.ts';

/** Message in the form of a client's own store, parsed content included. */
export function rpcMessage(emulator: Emulator, message: Message): EventDataOf<'MESSAGE_CREATE'>['message'] {
  const { author: id, webhook } = message;
  const author = authorOf(emulator.tables, message);
  const found = emulator.channel(message.channel);
  const guildId = found.kind === 'found' ? found.channel.guild_id : '';
  const pieces = emulator.messages.fragments(message.content);
  const { mentions, embeds, attachments } = emulator.messages.parts(message);
  const color = id === null ? undefined : emulator.accounts.colorIn(guildId, id);
  return {
    id: message.id,
    blocked: id !== null && emulator.accounts.relationship(id)?.type === 2,
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
            content: { type: 'text', content: `@${emulator.accounts.nameIn(guildId, piece.user.id)}` },
          },
    ),
    nick: webhook?.name ?? emulator.accounts.nameIn(guildId, authorIdOf(message)),
    ...(color === undefined ? {} : { author_color: color }),
    edited_timestamp: message.edited_timestamp,
    timestamp: message.timestamp,
    tts: message.tts,
    mentions: mentions.users.flatMap((id) => {
      const user = emulator.user(id);
      return user === undefined ? [] : [rpcUser(user)];
    }),
    mention_everyone: mentions.everyone,
    mention_roles: [...mentions.roles],
    embeds: [...embeds],
    attachments: [...attachments],
    author: author === undefined ? null : rpcUser(author),
    pinned: message.pinned,
    type: message.type ?? 0,
  };
}
