import * as z from 'zod';
import { notFound } from '../api/api-error.ts';
import { anybody, operationsFor } from '../api/operation.ts';
import type { Base } from '../api/world.ts';
import type { HasFileAddresses } from './addresses.ts';
import type { HasFileStore } from './store.ts';

const defineOperation = operationsFor<Base & HasFileAddresses & HasFileStore>();

/** Content types that browsers do not execute. */
const HARMLESS =
  /^(image\/(png|jpeg|gif|webp)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain|application\/(pdf|zip|json))$/;

/** The route of the files of messages. */
export const fileOperations = [
  defineOperation({
    id: 'get_attachment_file',
    summary: 'A file of a message, at the URL in the message: it is signed, and valid for a day.',
    route: 'GET /attachments/{channel_id}/{attachment_id}/{filename}',
    at: 'site',
    who: [anybody],
    query: z.object({ ex: z.string().max(16), is: z.string().max(16), hm: z.string().max(64) }),
    answers: { 200: null },
    handle: ({ params, query }, { world, files, fileStore }) => {
      const { channel_id, attachment_id, filename } = params;
      const path = `/attachments/${channel_id}/${attachment_id}/${filename}`;
      const { attachments, ephemeral_attachments } = world.tables;
      const known = attachments.get(attachment_id) ?? ephemeral_attachments.get(attachment_id);
      const file = files.isGood(path, query) ? known : undefined;
      const at = file === undefined ? undefined : fileStore.pathOf(file.digest);
      if (file === undefined || at === undefined) throw notFound('This content is no longer available.');
      const { content_type = '' } = file;
      return {
        status: 200,
        path: at,
        size: file.size,
        headers: {
          'Content-Type': HARMLESS.test(content_type) ? content_type : 'application/octet-stream',
          'Content-Disposition': `attachment; filename="${file.filename}"`,
          'Content-Security-Policy': "sandbox; default-src 'none'",
        },
      };
    },
  }),
];
