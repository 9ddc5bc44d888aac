import { ApiError } from '../../api/api-error.ts';
import type { Base } from '../../api/world.ts';
import type { AnyChannel, ChannelAccess } from '../../guilds/channels/channel-access.ts';
import { emojiOf } from '../../guilds/emoji/emoji-text.ts';
import { checkThreadState } from '../../guilds/threads/rules.ts';
import type { RowOf } from '../../kernel/state/record.ts';
import { emojisFor } from '../emoji-use.ts';
import type { Message } from '../records.ts';
import type { ApplicationWriter, UserWriter } from '../writer.ts';
import type { reactions } from './records.ts';

type Reaction = RowOf<typeof reactions>;

/** Maximum number of different emoji per message. */
const MAX_EMOJIS = 20;

/** Reactions to a message, with one emoji or with any. */
export function reactionsOf(
  { world }: Pick<Base, 'world'>,
  { id }: Pick<Message, 'id'>,
  emoji?: string,
): readonly Reaction[] {
  const all = [...world.tables.reactions.by('message', id)];
  return emoji === undefined ? all : all.filter((reaction) => reaction.emoji === emoji);
}

/** The stored form of an emoji that a request names, for a message. @throws ApiError 10014 */
export function emojiOn(platform: Base, message: Message, name: string): string {
  const written = emojiOf(name);
  if (written === undefined) throw new ApiError('UnknownEmoji', { status: 400 });
  const id = idOf(written);
  if (id === undefined) return written;
  // The id alone identifies a custom emoji; the name may differ.
  return reactionsOf(platform, message).find((one) => idOf(one.emoji) === id)?.emoji ?? written;
}

/**
 * Adds the reaction of a user or a bot to a message; nothing changes for a reaction that is there already. `emoji` is
 * the result of {@link emojiOn}. @throws ApiError
 */
export function addReaction(
  platform: Base,
  reacting: ApplicationWriter | UserWriter,
  access: ChannelAccess<AnyChannel>,
  message: Message,
  named: string,
): void {
  access.need('READ_MESSAGE_HISTORY');
  checkThreadState(access, 'react');
  const all = reactionsOf(platform, message);
  const { id } = reacting.user;
  const isExisting = all.some((reaction) => reaction.emoji === named);
  const emoji = isExisting ? named : firstOf(platform, reacting, access, named);
  if (all.some((reaction) => reaction.emoji === emoji && reaction.user === id)) return;
  // Adding to an existing reaction needs no permission.
  if (!isExisting) {
    access.need('ADD_REACTIONS');
    if (new Set(all.map((reaction) => reaction.emoji)).size >= MAX_EMOJIS) {
      throw new ApiError('MaximumNumberOfReactionsReached', { limit: MAX_EMOJIS });
    }
  }
  platform.world.transaction((tables) => tables.reactions.insert({ message: message.id, emoji, user: id }));
}

/** Takes a reaction away, if it is there. @throws ApiError for a thread in which nobody reacts. */
export function takeReaction(
  platform: Base,
  access: ChannelAccess<AnyChannel>,
  { id }: Message,
  { emoji, user }: Pick<Reaction, 'emoji' | 'user'>,
): void {
  checkThreadState(access, 'react');
  removeReaction(platform, { message: id, emoji, user });
}

/** Removes a reaction, if it is there. */
export function removeReaction({ world }: Pick<Base, 'world'>, { message, emoji, user }: Reaction): void {
  world.transaction((tables) => tables.reactions.remove(`${message} ${emoji} ${user}`));
}

/** The id of an emoji stored as `name:id`; undefined for a Unicode emoji. */
function idOf(emoji: string): string | undefined {
  return /:(\d+)$/.exec(emoji)?.[1];
}

/**
 * Stored form of an emoji without reactions yet, with the current name of a custom emoji. @throws ApiError 10014 for an
 * emoji that the user may not use.
 */
function firstOf(
  { world }: Base,
  reacting: ApplicationWriter | UserWriter,
  access: ChannelAccess<AnyChannel>,
  emoji: string,
): string {
  const id = idOf(emoji);
  if (id === undefined) return emoji;
  const found = emojisFor(world.tables, reacting, access)(id);
  if (found === undefined) throw new ApiError('UnknownEmoji', { status: 400 });
  return `${found.name}:${id}`;
}
