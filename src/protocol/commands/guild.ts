import * as z from 'zod';
import { defineCommand } from '../command.ts';
import { anyOf } from '../scope.ts';
import { noArgs, snowflake } from '../shapes/common.ts';
import { guild, partialGuild } from '../shapes/guild.ts';

/** One guild. Errors 4003 (unknown guild), 5002 (timed out). `timeout` is in seconds. */
export const GET_GUILD = defineCommand({
  scope: anyOf('rpc'),
  about: ['guilds'],
  errors: [4003, 5002],
  args: () => z.object({ guild_id: snowflake(), timeout: z.optional(z.number().check(z.gte(0), z.lte(60))) }),
  result: guild,
});

/** The guilds the user is in. */
export const GET_GUILDS = defineCommand({
  scope: anyOf('rpc'),
  about: ['guilds'],
  args: noArgs,
  result: () => z.looseObject({ guilds: z.array(partialGuild()) }),
});
