import * as z from 'zod';
import { defineDispatch, everyBot } from '../../api/dispatch.ts';
import type { Committed, Reading } from '../../api/world.ts';
import type { ApplicationRecord } from '../../applications/records.ts';
import type { User } from '../../users/records.ts';
import { stays } from '../dispatch-audience.ts';
import { isIn, memberRowsBefore } from '../members/membership.ts';
import { integrationAnswer, integrationShape } from './answers.ts';

const intents = ['GUILD_INTEGRATIONS'] as const;
const TABLES = ['members', 'applications', 'users'] as const;
const shape = integrationShape.extend({ guild_id: z.string() });

/** The integration of an application in a guild that was created, updated or removed. */
interface Integration {
  readonly kind: 'created' | 'updated' | 'removed';
  readonly guild: string;
  readonly application: ApplicationRecord;
  readonly bot: User;
}

function applicationOf(tables: Reading, botId: string): ApplicationRecord | undefined {
  const [named] = tables.applications.by('bot_user', botId);
  const own = tables.applications.get(botId);
  return named ?? (own?.bot_user === null ? own : undefined);
}

/** Changes of integrations in guilds that still exist. */
function* integrations(commit: Committed, tables: Reading): Generator<Integration> {
  const before = memberRowsBefore(commit, tables);
  const { created, removed } = commit.of('members');
  for (const { guild, user } of [...created, ...removed]) {
    const bot = tables.users.get(user) ?? commit.was('users', user);
    const application = applicationOf(tables, user);
    if (bot?.bot !== true || application === undefined || !stays(commit, tables, guild)) continue;
    const [was, is] = [isIn(before, guild, user), isIn(tables, guild, user)];
    if (was !== is) yield { kind: is ? 'created' : 'removed', guild, application, bot };
  }
  for (const { before: was, after: application } of commit.of('applications').updated) {
    const bot = tables.users.get(application.bot_user ?? application.id);
    const isSame = (['name', 'icon', 'description'] as const).every((key) => was[key] === application[key]);
    if (bot?.bot !== true || isSame) continue;
    for (const { guild } of tables.members.by('user', bot.id)) {
      if (stays(commit, tables, guild) && isIn(before, guild, bot.id)) {
        yield { kind: 'updated', guild, application, bot };
      }
    }
  }
}

/** Gateway events of integrations. */
export const integrationDispatches = [
  defineDispatch({
    event: 'GUILD_INTEGRATIONS_UPDATE',
    summary: 'Integrations of a guild were added, removed or changed.',
    intents,
    tables: TABLES,
    shape: z.object({ guild_id: z.string() }),
    *derive(commit, { world: { tables } }) {
      const guilds = new Set([...integrations(commit, tables)].map(({ guild }) => guild));
      for (const guild of guilds) yield { guild, canSee: everyBot, data: () => ({ guild_id: guild }) };
    },
  }),
  ...(
    [
      ['INTEGRATION_CREATE', 'created', 'An application is added to a guild.'],
      ['INTEGRATION_UPDATE', 'updated', 'The name, picture or description of an application is changed.'],
    ] as const
  ).map(([event, kind, summary]) =>
    defineDispatch({
      event,
      summary,
      intents,
      tables: TABLES,
      shape,
      *derive(commit, { world: { tables } }) {
        for (const one of integrations(commit, tables)) {
          if (one.kind !== kind) continue;
          const { guild } = one;
          yield { guild, canSee: everyBot, data: () => ({ ...integrationAnswer(one), guild_id: guild }) };
        }
      },
    }),
  ),
  defineDispatch({
    event: 'INTEGRATION_DELETE',
    summary: 'An application was removed from a guild.',
    intents,
    tables: TABLES,
    shape: z.object({ id: z.string(), guild_id: z.string(), application_id: z.string() }),
    *derive(commit, { world: { tables } }) {
      for (const { kind, guild, application, bot } of integrations(commit, tables)) {
        if (kind !== 'removed') continue;
        yield {
          guild,
          canSee: everyBot,
          data: () => ({ id: bot.id, guild_id: guild, application_id: application.id }),
        };
      }
    },
  }),
];
