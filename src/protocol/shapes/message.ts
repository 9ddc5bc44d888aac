import * as z from 'zod';
import { once } from '../command.ts';
import { user } from './common.ts';

/** Message of a text channel. `content_parsed` holds the client's own, camelCase objects. */
export const message = once(() =>
  z.looseObject({
    id: z.string(),
    content: z.string(),
    content_parsed: z.array(z.looseObject({ type: z.string() })).optional(),
    nick: z.string().optional(),
    author_color: z.string().optional(),
    edited_timestamp: z.string().nullable(),
    timestamp: z.string(),
    tts: z.boolean(),
    mentions: z.array(z.unknown()),
    mention_everyone: z.boolean(),
    mention_roles: z.array(z.string()),
    embeds: z.array(z.unknown()),
    attachments: z.array(z.unknown()),
    author: user().nullable(),
    pinned: z.boolean(),
    type: z.int(),
  }),
);
