import * as z from 'zod';
import { defineEvent } from '../event.ts';
import { anyOf } from '../scope.ts';
import { snowflake } from '../shapes/common.ts';
import { partialGuild } from '../shapes/guild.ts';

/** Name or icon of a guild; `online` is always 0 (deprecated in 2018). Error 4003 for an unknown guild. */
export const GUILD_STATUS = defineEvent({
  kind: 'state',
  scope: anyOf('rpc'),
  args: () => z.object({ guild_id: snowflake() }),
  data: () => z.looseObject({ guild: partialGuild(), online: z.literal(0) }),
});
