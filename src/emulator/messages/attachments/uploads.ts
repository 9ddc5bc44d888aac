import { ApiError, invalidForm } from '../../api/api-error.ts';
import type { UploadedFile } from '../../api/file.ts';
import { present } from '../../api/present.ts';
import type { Base } from '../../api/world.ts';
import { safeName, titleOf } from '../../files/file-name.ts';
import type { HasFileStore } from '../../files/store.ts';
import type { AttachmentRequest } from '../requests.ts';
import type { NewFile } from '../write.ts';

/** Services that these functions need. */
type Needs = Base & HasFileStore;

const MIB = 1024 * 1024;
/** Date (ms) from which the platform has a higher file limit (change-log of 2026-09-03). */
const LARGER_SINCE = Date.parse('2026-09-03T00:00:00Z');

/** Rules for the files of a message. */
export const MESSAGE_FILES = {
  fields: ['files[n]', 'file', 'file{n}'],
  maxCount: 10,
  tooMany: 'MaximumNumberOfAttachmentsInAMessageReached',
  maxFileBytes: 20 * MIB,
  request: 25 * MIB,
} as const;

/** Declares the body of an operation that sends or edits a message. */
export const MESSAGE_BODY = {
  bodyKinds: ['json', 'form', 'multipart'],
  maxBodyBytes: MIB,
  files: MESSAGE_FILES,
} as const;

/** Current maximum file size in bytes: the configured limit, or else the platform's. */
export function maxFileBytes({ world, clock }: Base): number {
  const { value } = world.tables.upload_limit;
  if (value > 0) return value;
  return clock.now() < LARGER_SINCE ? 10 * MIB : MESSAGE_FILES.maxFileBytes;
}

/** The number by which `attachments` refers to a file of the request. */
function numberOf({ field }: UploadedFile): string {
  return String(Number(/\d+/.exec(field)?.[0] ?? '0'));
}

/**
 * Stores the files of a request while `use` creates records of them; files without a record are dropped again.
 * @throws ApiError 50045 for a file that is too large, 50035 for a description without a file.
 */
export async function withUploads<T>(
  platform: Needs,
  uploaded: readonly UploadedFile[],
  described: readonly AttachmentRequest[] | null | undefined,
  use: (files: readonly NewFile[]) => T,
): Promise<T> {
  if (uploaded.length === 0 && (described ?? []).length === 0) return use([]);
  const maxBytes = maxFileBytes(platform);
  if (uploaded.some(({ bytes }) => bytes.length > maxBytes)) {
    throw new ApiError('FileUploadedExceedsMaximumSize', { status: 413 });
  }
  const ordered = uploaded.toSorted((a, b) => Number(numberOf(a)) - Number(numberOf(b)));
  const numbers = ordered.map(numberOf);
  const faults = (described ?? []).flatMap(({ id }, index) =>
    // A longer id refers to an existing file, so only short ids are checked here.
    id.length > 2 || numbers.includes(id)
      ? []
      : [
          {
            path: ['attachments', index, 'id'],
            code: 'ATTACHMENT_NOT_FOUND',
            message: 'Attachment data not found.',
          },
        ],
  );
  if (faults.length > 0) throw invalidForm(faults);
  const goOn = platform.world.continuation();
  const held = await Promise.all(ordered.map(({ bytes }) => platform.fileStore.hold(bytes)));
  try {
    const { world, clock } = platform;
    const files = ordered.map(({ name, type, bytes }, index) => {
      const details = described?.find(({ id }) => id === numbers[index]);
      const originalName = details?.filename ?? name;
      const filename = safeName(originalName);
      return present({
        id: world.ids.next(clock.now(), (id) => world.tables.attachments.has(id)),
        filename,
        title: details?.title || titleOf(originalName),
        description: details?.description || undefined,
        content_type: /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(type) ? type.toLowerCase() : undefined,
        size: bytes.length,
        digest: held[index]?.digest ?? '',
        spoiler: details?.is_spoiler ?? filename.startsWith('SPOILER_'),
        duration_secs: details?.duration_secs,
        waveform: details?.waveform || undefined,
      }) as NewFile;
    });
    return goOn(() => use(files));
  } finally {
    for (const one of held) one.release();
  }
}
