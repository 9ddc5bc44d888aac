import { ApiError } from '../api/api-error.ts';
import type { Download } from '../api/reply.ts';
import type { Platform } from '../platform.ts';
import type { Kinds } from '../records.ts';
import type { SchemaParts, WrittenBy } from '../state/record.ts';
import type { Snapshot } from '../state/tables.ts';
import type { Reading, Transaction } from '../world.ts';

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

/** Tables whose records have files, besides those of messages. */
const HOLDERS = [
  'application_attachments',
  'emojis',
  'application_emojis',
  'stickers',
  'soundboard_sounds',
  'scheduled_events',
] as const;

/** Whether a record names a file by its digest. */
export function isFileNamed(tables: Reading, digest: string): boolean {
  return (
    tables.attachments.by('digest', digest).size > 0 ||
    tables.ephemeral_attachments.by('digest', digest).size > 0 ||
    HOLDERS.some((name) => tables[name].by('file', digest).size > 0)
  );
}

/** The digests of all files that a state names. */
export function digestsIn(rows: Snapshot<Kinds>): ReadonlySet<string> {
  const named = (['attachments', ...HOLDERS] as const).flatMap((name) => [...rows[name]].map(digestOf));
  return new Set(named.filter((digest) => digest !== undefined));
}

/** The digests of files that a transaction took from a record. */
export function digestsLost({ events }: Transaction): string[] {
  return events.flatMap((event) => {
    if (event.kind === 'created') return [];
    const digest = digestOf(event.before);
    return digest === undefined || (event.kind === 'updated' && digestOf(event.after) === digest)
      ? []
      : [digest];
  });
}

function digestOf(row: unknown): string | undefined {
  const { digest, file } = { ...(row as { digest?: unknown; file?: { digest?: unknown } }) };
  const found = file?.digest ?? digest;
  return typeof found === 'string' ? found : undefined;
}

/** Keeps the bytes of a file while `use` makes a record of it. */
export async function withStored<T>(
  { fileStore }: Pick<Platform, 'fileStore'>,
  { bytes, type }: { readonly bytes: Buffer; readonly type: MediaType },
  use: (file: StoredFile) => T,
): Promise<T> {
  const held = await fileStore.hold(bytes);
  try {
    return use({ digest: held.digest, size: bytes.length, content_type: type });
  } finally {
    held.release();
  }
}

/** A file for whoever asks for its address. @throws ApiError 404 when there is none. */
export function downloadOf(
  { fileStore }: Pick<Platform, 'fileStore'>,
  file: StoredFile | undefined,
): Download {
  const path = file === undefined ? undefined : fileStore.pathOf(file.digest);
  if (file === undefined || path === undefined)
    throw new ApiError(404, 'This content is no longer available.');
  return {
    status: 200,
    path,
    size: file.size,
    headers: { 'Content-Type': file.content_type, 'Content-Security-Policy': "sandbox; default-src 'none'" },
  };
}
