import * as z from 'zod';
import { type ApiError, generalError } from '../../api/api-error.ts';
import { ERROR_CODES } from '../../api/error-codes.ts';

/** Body of the response 202, which reports that the index is not ready. */
export const notIndexedShape = z.object({
  message: z.string(),
  code: z.int(),
  documents_indexed: z.int(),
  retry_after: z.int(),
});

/** Response 202 with code 110000 and the number of indexed documents. */
export function notIndexed(documents: number) {
  const [code, message, status] = ERROR_CODES.IndexNotYetAvailable;
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

/** Error 503: there is not enough memory for the index. */
export function noIndex(): ApiError {
  return generalError(
    503,
    'The messages of this guild cannot be searched: there is no memory for their index; delete some messages, or start the ' +
      'emulator with more: NODE_OPTIONS=--max-old-space-size=MEGABYTES',
  );
}
