import { byDigest, storedFile } from '../../files/stored-records.ts';
import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** Sticker formats, by the names that a fixture may use. */
export const STICKER_FORMATS = { png: 1, apng: 2, lottie: 3, gif: 4 } as const;

/** A sticker of a guild. */
export const stickers = defineRecord({
  name: 'stickers',
  noun: 'sticker',
  about: 'stickers: `format` is png, apng, lottie or gif. One that is written here has no picture',
  key: ['id'],
  indexes: { guild: { order: 'key' }, file: byDigest },
  file: 'file',
  within: { kind: 'guilds', as: 'stickers', field: 'guild' },
  references: { user: { to: 'users', onRemoval: 'null' } },
  printedForms: { format: STICKER_FORMATS },
  schema: (parts: SchemaParts) => {
    const { table, snowflake, text, textOrEmpty, orNull, or, flag, optional, numberOrName } = parts;
    return table({
      id: snowflake(),
      name: text(30),
      description: or(textOrEmpty(100), ''),
      /** Text for the search; clients send the name of an emoji. */
      tags: or(textOrEmpty(200), ''),
      format: numberOrName(STICKER_FORMATS),
      /** False if the guild has lost the boost level or feature that the sticker requires. */
      available: flag(true),
      /** Id of the creator. */
      user: orNull(text(64)),
      file: optional(storedFile(parts)),
    });
  },
});

/** A sticker pack that all users may use. */
export const stickerPacks = defineRecord({
  name: 'sticker_packs',
  noun: 'pack of stickers',
  about:
    "sticker packs for everybody. There are no others: the platform's own packs are not part of this emulator",
  key: ['id'],
  schema: ({ table, snowflake, text, textOrEmpty, or, orNull }: SchemaParts) =>
    table({
      id: snowflake(),
      sku: snowflake(),
      name: text(100),
      description: or(textOrEmpty(1000), ''),
      /** Id of its cover sticker. */
      cover_sticker: orNull(snowflake()),
      banner_asset: orNull(snowflake()),
    }),
});

/** A sticker of a pack. */
export const packStickers = defineRecord({
  name: 'pack_stickers',
  noun: 'sticker of a pack',
  about: 'stickers of a pack',
  key: ['id'],
  within: { kind: 'sticker_packs', as: 'stickers', field: 'pack' },
  positionField: 'sort_value',
  printedForms: { format: STICKER_FORMATS },
  schema: ({ table, snowflake, text, textOrEmpty, or, numberOrName, position }: SchemaParts) =>
    table({
      id: snowflake(),
      name: text(30),
      description: or(textOrEmpty(100), ''),
      tags: or(textOrEmpty(200), ''),
      format: numberOrName(STICKER_FORMATS),
      /** Position of the sticker in its pack; the default follows from the order in the fixture. */
      sort_value: position(1_000_000),
    }),
});

/** A sticker of a guild. */
export type Sticker = RowOf<typeof stickers>;
/** A sticker pack. */
export type StickerPack = RowOf<typeof stickerPacks>;
/** A sticker of a pack. */
export type PackSticker = RowOf<typeof packStickers>;
