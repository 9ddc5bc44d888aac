import * as z from 'zod';
import { once } from '../../base/once.ts';
import { user } from './common.ts';

/** Message of a text channel. `content_parsed` contains the client's own objects with camelCase keys. */
export const message = once(() =>
  z.looseObject({
    id: z.string(),
    content: z.string(),
    content_parsed: z.optional(z.array(z.looseObject({ type: z.string() }))),
    nick: z.optional(z.string()),
    author_color: z.optional(z.string()),
    edited_timestamp: z.nullable(z.string()),
    timestamp: z.string(),
    tts: z.boolean(),
    mentions: z.array(z.unknown()),
    mention_everyone: z.boolean(),
    mention_roles: z.array(z.string()),
    embeds: z.array(z.unknown()),
    attachments: z.array(z.unknown()),
    author: z.nullable(user()),
    pinned: z.boolean(),
    type: z.int(),
  }),
);
