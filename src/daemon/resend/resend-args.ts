import * as z from 'zod';

/** Maximum length of an edited body over HTTP (characters); that of a frame is limited by its session. */
const MAX_BODY = 512 * 1024;

/** Arguments of `traffic.resend`. */
export const resendArgs = () =>
  z.object({
    seq: z.int().check(z.gte(1)),
    command: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
    args: z.optional(z.record(z.string(), z.unknown())),
    event: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
    method: z.optional(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
    path: z.optional(
      z
        .string()
        .check(
          z.regex(
            /^\/[\x21-\x7e]{0,2047}$/,
            'must begin with / and have no blanks, such as /api/v10/users/@me',
          ),
        ),
    ),
    body: z.optional(z.string().check(z.maxLength(MAX_BODY))),
  });

/** What the operator sends again: the number of the journal's entry, and what is edited of it. */
export type ResendArgs = z.output<ReturnType<typeof resendArgs>>;

/** Schema of the result of `traffic.resend`. */
export const resendResult = () =>
  z.object({
    seq: z.nullable(z.number()),
    kind: z.enum(['frame', 'http', 'webhook']),
    application: z.nullable(z.string()),
  });

/** Result of `traffic.resend`. */
export type Resent = z.output<ReturnType<typeof resendResult>>;
