import * as z from 'zod';
import { anybody, operationsFor } from '../api/operation.ts';
import type { Base } from '../api/world.ts';
import type { HasFileAddresses } from './addresses.ts';
import type { HasFileStore } from './store.ts';
import { downloadOf } from './stored.ts';

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
    handle: ({ params, query }, platform) => {
      const { channel_id, attachment_id, filename } = params;
      const path = `/attachments/${channel_id}/${attachment_id}/${filename}`;
      const { attachments, ephemeral_attachments } = platform.world.tables;
      const known = attachments.get(attachment_id) ?? ephemeral_attachments.get(attachment_id);
      const file = platform.files.isGood(path, query) ? known : undefined;
      const { content_type: type = '' } = file ?? {};
      const content_type = HARMLESS.test(type) ? type : 'application/octet-stream';
      return downloadOf(platform, file && { ...file, content_type }, {
        'Content-Disposition': `attachment; filename="${file?.filename}"`,
      });
    },
  }),
];
