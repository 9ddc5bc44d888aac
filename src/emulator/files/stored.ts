import { generalError } from '../api/api-error.ts';
import type { Download } from '../api/operation.ts';
import type { Base, Reading, Transaction } from '../api/world.ts';
import type { RecordKind } from '../kernel/state/record.ts';
import type { ReadTable } from '../kernel/state/table.ts';
import type { Snapshot } from '../kernel/state/tables.ts';
import { type Kinds, kinds } from '../schema.ts';
import type { HasFileStore } from './store.ts';
import type { MediaType, StoredFile } from './stored-records.ts';

/** Kinds of records that contain a file, each with the name of the file's field. */
const holders = Object.values<RecordKind>(kinds).flatMap(({ name, file, transient }) =>
  file === undefined ? [] : [{ name, file, transient }],
);

/** Whether a record refers to a file with this digest. */
export function isFileNamed(tables: Reading, digest: string): boolean {
  const all: Readonly<Record<string, unknown>> = tables;
  return holders.some(
    ({ name, file }) =>
      (all[name] as ReadTable<Readonly<Record<'digest' | 'file', unknown>>>).by(file, digest).size > 0,
  );
}

/** The digests of all files that a state refers to. */
export function digestsIn(rows: Snapshot<Kinds>): ReadonlySet<string> {
  const all: Readonly<Record<string, unknown>> = rows;
  const lasting = holders.filter(({ transient }) => !transient);
  const named = lasting.flatMap(({ name }) => [...(all[name] as readonly unknown[])].map(digestOf));
  return new Set(named.filter((digest) => digest !== undefined));
}

/** The digests of files that a transaction removed from records. */
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

/** Holds the bytes of a file while `use` creates the file's record. */
export async function withStored<T>(
  { fileStore, world }: HasFileStore & Pick<Base, 'world'>,
  { bytes, type }: { readonly bytes: Buffer; readonly type: MediaType },
  use: (file: StoredFile) => T,
): Promise<T> {
  const goOn = world.continuation();
  const held = await fileStore.hold(bytes);
  try {
    return goOn(() => use({ digest: held.digest, size: bytes.length, content_type: type }));
  } finally {
    held.release();
  }
}

/** The download of a file, with its own headers. @throws ApiError 404 for a missing file. */
export function downloadOf(
  { fileStore }: HasFileStore,
  file: (Pick<StoredFile, 'digest' | 'size'> & { readonly content_type: string }) | undefined,
  headers: Download['headers'] = {},
): Download {
  const path = file === undefined ? undefined : fileStore.pathOf(file.digest);
  if (file === undefined || path === undefined)
    throw generalError(404, 'This content is no longer available.');
  const safe = {
    'Content-Type': file.content_type,
    'Content-Security-Policy': "sandbox; default-src 'none'",
  };
  return { status: 200, path, size: file.size, headers: { ...safe, ...headers } };
}
