import * as z from 'zod';
import { ApiError, full, invalidField, notFound, requiredField } from '../../api/api-error.ts';
import { anybody, bearer, bot, ok, operationsFor } from '../../api/operation.ts';
import type { Base, Writing } from '../../api/world.ts';
import type { HasFileAddresses } from '../../files/addresses.ts';
import { safeName } from '../../files/file-name.ts';
import { pictureOf } from '../../files/picture.ts';
import type { HasFileStore } from '../../files/store.ts';
import { downloadOf, withStored } from '../../files/stored.ts';
import { MAX_RECORDS } from '../../kernel/limits.ts';
import { timeOf } from '../../kernel/snowflake.ts';

const defineOperation = operationsFor<Base & HasFileAddresses & HasFileStore>();

const MAX_PICTURE_BYTES = 20 * 1024 * 1024;
/** Storage time of a picture, which is also the lifetime of its URL: 24 hours, in milliseconds. */
const STORAGE_MS = 86_400_000;
const EXPIRED_MESSAGE = 'This content is no longer available.';

const attachmentShape = z.object({
  attachment: z.object({
    id: z.string(),
    filename: z.string(),
    size: z.int(),
    url: z.string(),
    proxy_url: z.string(),
    content_type: z.string(),
    width: z.optional(z.int()),
    height: z.optional(z.int()),
    ephemeral: z.literal(true),
  }),
});

/** Removes expired pictures. The id of a picture contains the time of its upload. */
function dropOld({ application_attachments: attachments }: Writing, now: number): void {
  const old: string[] = [];
  for (const { id } of attachments) {
    if (timeOf(id) < now - STORAGE_MS) old.push(id);
  }
  for (const id of old) attachments.remove(id);
}

/** The routes of temporary pictures of applications. */
export const applicationAttachmentOperations = [
  defineOperation({
    id: 'upload_application_attachment',
    summary: 'Stores a picture for a day, for an activity.',
    route: 'POST /applications/{application_id}/attachment',
    who: [bot, bearer()],
    body: z.object({}),
    bodyKinds: ['multipart'],
    files: {
      fields: ['file'],
      maxCount: 1,
      maxFileBytes: MAX_PICTURE_BYTES,
      request: MAX_PICTURE_BYTES + 64 * 1024,
    },
    ours: 'Only pictures are accepted; the type is determined by the bytes.',
    answers: { 200: attachmentShape },
    handle: async ({ caller, params, files: sent, base }, platform) => {
      const own = caller.kind === 'bot' ? caller.application.id : caller.clientId;
      if (own !== params.application_id) throw new ApiError('UnknownApplication');
      const [file] = sent;
      if (file === undefined) throw requiredField('file');
      const picture = pictureOf(file.bytes);
      if (picture === undefined) {
        throw invalidField(['file'], 'IMAGE_INVALID', 'Unsupported image type given');
      }
      const { world, clock } = platform;
      const attachment = await withStored(platform, { bytes: file.bytes, type: picture.type }, (stored) =>
        world.transaction((tables) => {
          const now = clock.now();
          dropOld(tables, now);
          if (tables.application_attachments.size >= MAX_RECORDS) throw full('attachments');
          return tables.application_attachments.insert({
            id: world.ids.next(now, (id) => tables.application_attachments.has(id)),
            application: own,
            filename: safeName(file.name),
            file: stored,
          });
        }),
      );
      const url = platform.files.of(base, own, attachment, 'ephemeral-attachments');
      return ok({
        attachment: {
          id: attachment.id,
          filename: attachment.filename,
          size: attachment.file.size,
          url,
          proxy_url: url,
          content_type: picture.type,
          ...picture.size,
          ephemeral: true,
        },
      });
    },
  }),
  defineOperation({
    id: 'get_application_attachment_file',
    summary:
      'A picture of an application, at the URL that its upload returned: it is signed, and valid for a day.',
    route: 'GET /ephemeral-attachments/{application_id}/{attachment_id}/{filename}',
    at: 'site',
    who: [anybody],
    query: z.object({ ex: z.string().max(16), is: z.string().max(16), hm: z.string().max(64) }),
    answers: { 200: null },
    handle: ({ params, query }, platform) => {
      const { application_id, attachment_id, filename } = params;
      const path = `/ephemeral-attachments/${application_id}/${attachment_id}/${filename}`;
      if (!platform.files.isGood(path, query)) throw notFound(EXPIRED_MESSAGE);
      return downloadOf(platform, platform.world.tables.application_attachments.get(attachment_id)?.file);
    },
  }),
];
