import { byDigest, storedFile } from '../../files/stored-records.ts';
import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** Numbers of the formats that a sticker can have, by the names that a fixture may use. */
export const STICKER_FORMATS = { png: 1, apng: 2, lottie: 3, gif: 4 } as const;

/** A sticker of a guild. */
export const stickers = defineRecord({
  name: 'stickers',
  noun: 'sticker',
  key: ['id'],
  indexes: { guild: { order: 'key' }, file: byDigest },
  file: 'file',
  within: { kind: 'guilds', as: 'stickers', field: 'guild' },
  references: { user: { to: 'users', gone: 'null' } },
  spelled: { format: STICKER_FORMATS },
  schema: (parts: SchemaParts) => {
    const { table, snowflake, text, words, orNull, or, flag, optional, numberOrName } = parts;
    return table({
      id: snowflake(),
      name: text(30),
      description: or(words(100), ''),
      /** What finds it; by the usage of the client, the name of an emoji. */
      tags: or(words(200), ''),
      format: numberOrName(STICKER_FORMATS),
      /** Whether it can be used: not, when the guild has lost what it came with. */
      available: flag(true),
      /** Id of the user who made it. */
      user: orNull(text(64)),
      file: optional(storedFile(parts)),
    });
  },
});

/** A pack of stickers that everybody may use. */
export const stickerPacks = defineRecord({
  name: 'sticker_packs',
  noun: 'pack of stickers',
  key: ['id'],
  schema: ({ table, snowflake, text, words, or, orNull }: SchemaParts) =>
    table({
      id: snowflake(),
      sku: snowflake(),
      name: text(100),
      description: or(words(1000), ''),
      /** Id of the sticker of it that stands for it. */
      cover_sticker: orNull(snowflake()),
      banner_asset: orNull(snowflake()),
    }),
});

/** A sticker of a pack. */
export const packStickers = defineRecord({
  name: 'pack_stickers',
  noun: 'sticker of a pack',
  key: ['id'],
  within: { kind: 'sticker_packs', as: 'stickers', field: 'pack' },
  placed: 'sort_value',
  spelled: { format: STICKER_FORMATS },
  schema: ({ table, snowflake, text, words, or, numberOrName, position }: SchemaParts) =>
    table({
      id: snowflake(),
      name: text(30),
      description: or(words(100), ''),
      tags: or(words(200), ''),
      format: numberOrName(STICKER_FORMATS),
      /** Its place in the pack; without one it stands where it is written. */
      sort_value: position(1_000_000),
    }),
});

/** A sticker of a guild. */
export type Sticker = RowOf<typeof stickers>;
/** A pack of stickers. */
export type StickerPack = RowOf<typeof stickerPacks>;
/** A sticker of a pack. */
export type PackSticker = RowOf<typeof packStickers>;
