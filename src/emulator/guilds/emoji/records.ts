import { byDigest, storedFile } from '../../files/stored-records.ts';
import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';
import { ofItsGuild } from '../relation-records.ts';

const name = ({ matching }: SchemaParts) => matching(/^\w{2,32}$/, 'must be 2 to 32 letters, digits and _');

/** An emoji of a guild. */
export const emojis = defineRecord({
  name: 'emojis',
  noun: 'emoji',
  about: 'emoji: `roles` that may use one. One that is written here has no picture',
  key: ['id'],
  indexes: { guild: { order: 'key' }, file: byDigest },
  file: 'file',
  within: { kind: 'guilds', as: 'emojis', field: 'guild' },
  references: {
    roles: { to: 'roles', onRemoval: 'null', relationCheck: ofItsGuild },
    user: { to: 'users', onRemoval: 'null' },
  },
  schema: (parts: SchemaParts) => {
    const { table, snowflake, text, list, orNull, flag, optional } = parts;
    return table({
      id: snowflake(),
      name: name(parts),
      /** Ids of the roles that may use the emoji; empty if there is no restriction. */
      roles: list(snowflake(), 1521),
      /** Id of the creator. */
      user: orNull(text(64)),
      animated: flag(false),
      /** False if the guild has lost the boost level or feature that the emoji requires. */
      available: flag(true),
      /** True if an integration created the emoji. */
      managed: flag(false),
      file: optional(storedFile(parts)),
    });
  },
});

/** An emoji of an application, which only the application's bot can use. */
export const applicationEmojis = defineRecord({
  name: 'application_emojis',
  noun: 'emoji of an application',
  about: 'emoji that only the bot of an application uses',
  key: ['id'],
  indexes: { application: { order: 'key' }, file: byDigest },
  file: 'file',
  references: {
    application: { to: 'applications', onRemoval: 'remove' },
    user: { to: 'users', onRemoval: 'null' },
  },
  schema: (parts: SchemaParts) => {
    const { table, snowflake, text, orNull, flag, optional } = parts;
    return table({
      id: snowflake(),
      application: snowflake(),
      name: name(parts),
      /** Id of the creator. */
      user: orNull(text(64)),
      animated: flag(false),
      file: optional(storedFile(parts)),
    });
  },
});

/** An emoji of a guild. */
export type Emoji = RowOf<typeof emojis>;
/** An emoji of an application. */
export type ApplicationEmoji = RowOf<typeof applicationEmojis>;
