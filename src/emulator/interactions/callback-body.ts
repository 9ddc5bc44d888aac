import * as z from 'zod';
import { integer, list, maybe, text, textUpTo } from '../api/fields.ts';
import { createBody, editBody } from '../messages/requests.ts';
import { modalBody } from './modal-body.ts';

// Callback bodies of an application, by callback type.

const message = createBody.pick({
  content: true,
  embeds: true,
  allowed_mentions: true,
  components: true,
  flags: true,
  attachments: true,
  tts: true,
  poll: true,
});

const choice = z.object({
  name: text(1, 100),
  name_localizations: maybe(z.record(z.string(), text(1, 100))),
  value: z.union([textUpTo(6000), z.number()]),
});

/** The answer to an interaction. */
export const callbackBody = z.discriminatedUnion('type', [
  z.object({ type: z.literal(1) }),
  z.object({ type: z.literal(4), data: maybe(message) }),
  z.object({ type: z.literal(5), data: maybe(z.object({ flags: maybe(integer(0, 2 ** 31 - 1)) })) }),
  z.object({ type: z.literal(6) }),
  z.object({ type: z.literal(7), data: maybe(editBody) }),
  z.object({
    type: z.literal(8),
    data: z.object({ choices: maybe(list(z.nullable(choice), 0, 25)) }),
  }),
  z.object({ type: z.literal(9), data: modalBody }),
  z.object({ type: z.literal(10) }),
  z.object({ type: z.literal(12) }),
]);

/** The answer to an interaction. */
export type CallbackRequest = z.output<typeof callbackBody>;
