import type { SchemaParts, WrittenBy } from '../kernel/state/record.ts';

/** What a picture or a sound can be. */
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

/** What a picture or a sound is. */
export type MediaType = (typeof MEDIA_TYPES)[number];

/** The file of a record, whose bytes are kept beside the state by their digest; one from elsewhere has none here. */
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

/** By what a record with a file is found. */
export const byDigest = {
  of: ({ file }: { readonly file?: StoredFile | undefined }) => file?.digest ?? null,
};
