import * as z from 'zod';
import { defineEvent } from '../event.ts';
import { open } from '../scope.ts';
import { noArgs, ready } from '../shapes/common.ts';

/** First message after the handshake. */
export const READY = defineEvent({ kind: 'unsubscribable', scope: open, args: noArgs, data: ready });

/** Answer to a request that failed; `cmd` and `nonce` repeat those of the request. */
export const ERROR = defineEvent({
  kind: 'unsubscribable',
  scope: open,
  args: noArgs,
  data: () => z.looseObject({ code: z.int(), message: z.string() }),
});
