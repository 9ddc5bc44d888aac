import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import { ERROR_CODES } from '../../api/error-codes.ts';

/** The body of 202: what is searched is not indexed yet. */
export const notIndexedShape = z.object({
  message: z.string(),
  code: z.int(),
  documents_indexed: z.int(),
  retry_after: z.int(),
});

/** 202 with code 110000, and how far it is. */
export function notIndexed(documents: number) {
  const [code, status, message] = ERROR_CODES.IndexNotYetAvailable;
  return {
    status,
    body: {
      message,
      code,
      documents_indexed: documents,
      retry_after: 1,
    },
  } as const;
}

/** 503: there is no memory for the index. */
export function noIndex(): ApiError {
  return new ApiError('GeneralError', {
    status: 503,
    message:
      'The messages of this guild cannot be searched: there is no memory for their index; delete some messages, or start the ' +
      'emulator with more: NODE_OPTIONS=--max-old-space-size=MEGABYTES',
  });
}
