import * as z from 'zod';
import { once } from '../../base/once.ts';
import { user } from './common.ts';

/** A relationship of the user: `type` 0 none (removed), 1 friend, 2 blocked, 3 incoming, 4 outgoing, 5 implicit. */
export const relationship = once(() =>
  z.looseObject({
    type: z.int().check(z.gte(0), z.lte(5)),
    user: user(),
    presence: z.looseObject({
      status: z.enum(['online', 'idle', 'dnd', 'offline']),
      activity: z.nullable(z.looseObject({})),
    }),
  }),
);

/** A user as a member of a guild. */
export const guildMember = once(() =>
  z.looseObject({
    user_id: z.string(),
    nick: z.nullable(z.string()),
    guild_id: z.string(),
    avatar: z.nullable(z.string()),
    avatar_decoration_data: z.nullable(z.unknown()),
  }),
);
