import type * as z from 'zod';
import { ApiError } from '../api/api-error.ts';
import type { Reading } from '../api/world.ts';
import type { ChannelAccess } from '../guilds/channels/channel-access.ts';
import type { Message } from './records.ts';
import type { stickerItemShape } from './shapes.ts';

/** Stored form of a message's sticker; the sticker itself may have been removed. */
type StoredSticker = NonNullable<Message['stickers']>[number];

/**
 * Stored form of stickers from a pack or a guild; those of another guild need a permission.
 * @throws ApiError 50081 for one that is unknown or cannot be used, 50013.
 */
export function stickersOf(
  tables: Reading,
  { need }: Pick<ChannelAccess, 'need'>,
  guild: string | undefined,
  ids: readonly string[],
): readonly StoredSticker[] {
  return [...new Set(ids)].map((id) => {
    const own = tables.stickers.get(id);
    const found = own?.available === true ? own : tables.pack_stickers.get(id);
    if (found === undefined) throw new ApiError('InvalidStickerSent');
    if (own !== undefined && own.guild !== guild) need('USE_EXTERNAL_STICKERS');
    return { id, name: found.name, format: found.format };
  });
}

/** The field with the stickers of a message in the form that clients receive; an empty object without stickers. */
export function stickerItems({ stickers }: Pick<Message, 'stickers'>): {
  sticker_items?: z.output<typeof stickerItemShape>[];
} {
  if (stickers === undefined) return {};
  return { sticker_items: stickers.map(({ id, name, format }) => ({ id, name, format_type: format })) };
}
