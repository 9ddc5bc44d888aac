import type { SchemaParts, WrittenBy } from '../kernel/state/record.ts';

/** Media types of pictures and sounds. */
export const MEDIA_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'application/json',
  'audio/mpeg',
  'audio/ogg',
] as const;

/** A media type of pictures and sounds. */
export type MediaType = (typeof MEDIA_TYPES)[number];

/**
 * The file of a record. Its bytes are stored by digest, outside of the state; they may be missing for an imported
 * record.
 */
export const storedFile = ({ table, matching, count, choice }: SchemaParts) =>
  table({
    /** SHA-256 of the bytes, in hex. */
    digest: matching(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex'),
    /** In bytes. */
    size: count(2 ** 31 - 1),
    content_type: choice(...MEDIA_TYPES),
  });

/** The file of a record. */
export type StoredFile = WrittenBy<typeof storedFile>;

/** The index of records by file. */
export const byDigest = {
  of: ({ file }: { readonly file?: StoredFile | undefined }) => file?.digest ?? null,
};
