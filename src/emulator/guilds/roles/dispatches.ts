import * as z from 'zod';
import { defineDispatch, everyBot } from '../../api/dispatch.ts';
import { stays } from '../dispatch-audience.ts';
import { roleAnswer, roleShape } from './answers.ts';

const declared = { intents: ['GUILDS'], tables: ['roles'] } as const;
const shape = z.object({ guild_id: z.string(), role: roleShape });

/** Gateway events of roles. */
export const roleDispatches = [
  defineDispatch({
    ...declared,
    event: 'GUILD_ROLE_CREATE',
    summary: 'A role is made.',
    shape,
    *derive(commit, { world: { tables } }) {
      for (const role of commit.of('roles').created) {
        const { guild } = role;
        if (!stays(commit, tables, guild)) continue;
        yield { guild, canSee: everyBot, data: () => ({ guild_id: guild, role: roleAnswer(role) }) };
      }
    },
  }),
  defineDispatch({
    ...declared,
    event: 'GUILD_ROLE_UPDATE',
    summary: 'A role was changed, or moved.',
    shape,
    *derive(commit) {
      for (const { after } of commit.of('roles').updated) {
        const { guild } = after;
        yield { guild, canSee: everyBot, data: () => ({ guild_id: guild, role: roleAnswer(after) }) };
      }
    },
  }),
  defineDispatch({
    ...declared,
    event: 'GUILD_ROLE_DELETE',
    summary: 'A role was deleted, also from its members.',
    shape: z.object({ guild_id: z.string(), role_id: z.string() }),
    *derive(commit, { world: { tables } }) {
      for (const { id, guild } of commit.of('roles').removed) {
        if (stays(commit, tables, guild))
          yield { guild, canSee: everyBot, data: () => ({ guild_id: guild, role_id: id }) };
      }
    },
  }),
];
