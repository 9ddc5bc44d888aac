import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';

const NOT_INDEXED = 110_000;

/** The body of 202: what is searched is not indexed yet. */
export const notIndexedShape = z.object({
  message: z.string(),
  code: z.int(),
  documents_indexed: z.int(),
  retry_after: z.int(),
});

/** 202 with code 110000, and how far it is. */
export function notIndexed(documents: number) {
  return {
    status: 202,
    body: {
      message: 'Index not yet available. Try again later',
      code: NOT_INDEXED,
      documents_indexed: documents,
      retry_after: 1,
    },
  } as const;
}

/** 503: there is no memory for the index. */
export function noIndex(): ApiError {
  return new ApiError(
    503,
    'The messages of this guild cannot be searched: there is no memory for their index; delete some messages, or start the ' +
      'emulator with more: NODE_OPTIONS=--max-old-space-size=MEGABYTES',
  );
}
