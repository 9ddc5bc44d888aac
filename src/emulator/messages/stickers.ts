import type * as z from 'zod';
import { ApiError } from '../api/api-error.ts';
import type { Reading } from '../api/world.ts';
import type { ChannelAccess } from '../guilds/channels/channel-access.ts';
import type { Message } from './records.ts';
import type { stickerItemShape } from './shapes.ts';

/** What a message keeps of a sticker, which may be no more. */
type Shown = NonNullable<Message['stickers']>[number];

/**
 * Stickers as a message keeps them: of a pack, or of a guild. One of another guild needs a right of its own.
 * @throws ApiError 50081 for one that is not there or cannot be used, 50013.
 */
export function stickersOf(
  tables: Reading,
  { need }: Pick<ChannelAccess, 'need'>,
  guild: string | undefined,
  ids: readonly string[],
): readonly Shown[] {
  return [...new Set(ids)].map((id) => {
    const own = tables.stickers.get(id);
    const found = own?.available === true ? own : tables.pack_stickers.get(id);
    if (found === undefined) throw new ApiError('InvalidStickerSent');
    if (own !== undefined && own.guild !== guild) need('USE_EXTERNAL_STICKERS');
    return { id, name: found.name, format: found.format };
  });
}

/** The stickers of a message as they are told; nothing where there are none. */
export function stickerItems({ stickers }: Pick<Message, 'stickers'>): {
  sticker_items?: z.output<typeof stickerItemShape>[];
} {
  if (stickers === undefined) return {};
  return { sticker_items: stickers.map(({ id, name, format }) => ({ id, name, format_type: format })) };
}
