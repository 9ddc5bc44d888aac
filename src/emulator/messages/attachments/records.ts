import { defineRecord, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';

/** A file of a message. The row has the digest of the file, whose bytes are stored beside the state. */
export const attachments = defineRecord({
  name: 'attachments',
  noun: 'attachment',
  about: 'files of messages: a file that was neither sent to this process nor imported has no bytes',
  key: ['id'],
  // Index by the digest, because files with the same bytes are stored once.
  indexes: { digest: {} },
  file: 'digest',
  references: { message: { to: 'messages', onRemoval: 'remove' } },
  schema: ({ table, snowflake, text, textOrEmpty, matching, count, optional, flag, between }: SchemaParts) =>
    table({
      id: snowflake(),
      message: snowflake(),
      filename: matching(/^[\w.-]{1,260}$/, 'must be of letters, digits, and . _ -'),
      title: optional(text(1024)),
      description: optional(textOrEmpty(1024)),
      content_type: optional(matching(/^[\w.+-]{1,64}\/[\w.+-]{1,64}$/, 'must be a media type')),
      /** In bytes. */
      size: count(2 ** 31 - 1),
      /** SHA-256 of the bytes, in hex. */
      digest: matching(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex'),
      spoiler: flag(false),
      duration_secs: optional(between(0, 2 ** 31 - 1)),
      waveform: optional(text(400)),
    }),
});

/** A file of a message. */
export type AttachmentRecord = RowOf<typeof attachments>;
