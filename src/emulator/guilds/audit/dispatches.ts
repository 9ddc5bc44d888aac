import * as z from 'zod';
import { defineDispatch } from '../../api/dispatch.ts';
import { botsWith, stays } from '../dispatch-audience.ts';
import { entryAnswer, entryShape } from './answers.ts';

/** Gateway events of audit logs. */
export const auditDispatches = [
  defineDispatch({
    event: 'GUILD_AUDIT_LOG_ENTRY_CREATE',
    summary: 'An audit log entry was created; sent to bots that may view the audit log.',
    intents: ['GUILD_MODERATION'],
    tables: ['audit_log'],
    shape: entryShape.extend({ guild_id: z.string() }),
    *derive(commit, platform) {
      for (const entry of commit.of('audit_log').created) {
        const { guild } = entry;
        if (!stays(commit, platform.world.tables, guild)) continue;
        yield {
          guild,
          canSee: botsWith(platform, guild, 'VIEW_AUDIT_LOG'),
          data: () => ({ ...entryAnswer(entry), guild_id: guild }),
        };
      }
    },
  }),
];
