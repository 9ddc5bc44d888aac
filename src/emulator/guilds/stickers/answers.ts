import * as z from 'zod';
import { namedShape } from '../../api/fields.ts';
import type { Reading } from '../../api/world.ts';
import { userAnswer } from '../../users/answers.ts';
import { userShape } from '../../users/shapes.ts';
import type { PackSticker, Sticker, StickerPack } from './records.ts';

const common = {
  id: z.string(),
  name: z.string(),
  tags: z.string(),
  type: z.int(),
  format_type: z.int(),
  description: z.nullable(z.string()),
};

/** A sticker of a guild. */
export const stickerShape = namedShape('GuildSticker', {
  ...common,
  type: z.literal(2),
  available: z.boolean(),
  guild_id: z.string(),
  user: z.optional(userShape),
});

/** A sticker of a pack. */
export const packStickerShape = namedShape('StandardSticker', {
  ...common,
  type: z.literal(1),
  pack_id: z.string(),
  sort_value: z.int(),
});

/** A sticker pack. */
export const packShape = namedShape('StickerPack', {
  id: z.string(),
  sku_id: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  stickers: z.array(packStickerShape),
  cover_sticker_id: z.optional(z.string()),
  banner_asset_id: z.optional(z.string()),
});

/** A sticker of a guild; `withUser` includes the creator, if the creator is known. */
export function stickerAnswer(
  { users }: Pick<Reading, 'users'>,
  { id, name, tags, format, description, available, guild, user }: Sticker,
  withUser: boolean,
): z.output<typeof stickerShape> {
  const maker = withUser && user !== null ? users.get(user) : undefined;
  return {
    id,
    name,
    tags,
    type: 2,
    format_type: format,
    description,
    available,
    guild_id: guild,
    ...(maker === undefined ? {} : { user: userAnswer(maker) }),
  };
}

/** A sticker of a pack. */
export function packStickerAnswer(sticker: PackSticker): z.output<typeof packStickerShape> {
  const { id, name, tags, format, description, pack, sort_value } = sticker;
  return { id, name, tags, type: 1, format_type: format, description, pack_id: pack, sort_value };
}

/** A sticker pack with its stickers, in the order of the pack. */
export function packAnswer(
  { pack_stickers }: Pick<Reading, 'pack_stickers'>,
  { id, sku, name, description, cover_sticker, banner_asset }: StickerPack,
): z.output<typeof packShape> {
  const stickers = [...pack_stickers.by('pack', id)].sort((a, b) => a.sort_value - b.sort_value);
  return {
    id,
    sku_id: sku,
    name,
    description,
    stickers: stickers.map(packStickerAnswer),
    ...(cover_sticker === null ? {} : { cover_sticker_id: cover_sticker }),
    ...(banner_asset === null ? {} : { banner_asset_id: banner_asset }),
  };
}
