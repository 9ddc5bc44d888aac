import * as z from 'zod';
import { once } from '../../base/once.ts';
import { isSnowflake } from '../../base/snowflake.ts';

/** An id; all ids of this protocol are decimal strings. */
export const snowflake = once(() =>
  z.string().check(
    z.refine(isSnowflake, 'must be an id (a decimal string)'),
    // The pattern is only for the printed schema, which cannot express a function.
    z.meta({ pattern: '^[1-9]\\d{0,18}$' }),
  ),
);

/** Arguments of commands and events without arguments; any input is ignored. */
export const noArgs = () => z.object({});

/** An object that is never read: any value is accepted and immediately dropped. */
export const ignored = () =>
  z.pipe(
    z.looseObject({}),
    z.transform(() => ({})),
  );

/** Result of commands that answer with `data: null`. */
export const nothing = () => z.null();

/** RPC user (protocol: READY). */
export const user = once(() =>
  z.looseObject({
    id: z.string(),
    username: z.string(),
    discriminator: z.string(),
    global_name: z.nullable(z.string()),
    avatar: z.nullable(z.string()),
    avatar_decoration_data: z.nullable(z.unknown()),
    bot: z.boolean(),
    flags: z.int(),
    premium_type: z.int(),
  }),
);

/** `data` of READY. */
export const ready = once(() =>
  z.looseObject({
    v: z.literal(1),
    config: z.looseObject({
      cdn_host: z.string(),
      api_endpoint: z.string(),
      environment: z.string(),
    }),
    user: z.optional(user()),
    footbridge: z
      .optional(z.looseObject({ stream_ping: z.string() }))
      .describe(
        'Of a Footbridge server that waits for each frame to be read: the text to send as a PING to end that.',
      ),
  }),
);
