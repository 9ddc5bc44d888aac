import * as z from 'zod';
import { invalidForm } from '../api/api-error.ts';
import { clearable, moment } from '../api/fields.ts';
import { defineOperation, ok } from '../api/operation.ts';
import type { FieldFault } from '../kernel/errors.ts';
import { AUDIT, auditChanges, writeAudit } from './audit/audit.ts';
import { need, requestingMember } from './guild-access.ts';
import { incidentsAnswer, incidentsShape } from './guild-answers.ts';

/** Maximum duration of an incident action, in milliseconds. */
const MAX_INCIDENT_MS = 24 * 3_600_000;
const FIELDS = ['invites_disabled_until', 'dms_disabled_until'] as const;

/** Route of incident actions. */
export const incidentOperations = [
  defineOperation({
    id: 'update_guild_incident_actions',
    summary: 'Disables joining by invite, or direct messages, for up to a day.',
    route: 'PUT /guilds/{guild_id}/incident-actions',
    body: z.object({
      invites_disabled_until: clearable(moment()),
      dms_disabled_until: clearable(moment()),
    }),
    ours: 'An absent field stays unchanged. It is logged as a change of the guild. No source says whose direct messages dms_disabled_until disables: it is stored and sent, and disables none.',
    answers: { 200: incidentsShape },
    handle: ({ caller, params, body, reason }, platform) => {
      const who = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_GUILD');
      const { world } = platform;
      const faults: FieldFault[] = [];
      const fields: Partial<Record<(typeof FIELDS)[number], string | null>> = {};
      for (const name of FIELDS) {
        const until = body[name];
        if (until === undefined) continue;
        if (until !== null && until > who.now + MAX_INCIDENT_MS) {
          const message = 'The time is more than 24 hours from now.';
          faults.push({ path: [name], code: 'DATE_TIME_TYPE_TOO_LATE', message });
        }
        // A time in the past has the same effect as no time.
        fields[name] = until === null || until <= who.now ? null : new Date(until).toISOString();
      }
      if (faults.length > 0) throw invalidForm(faults);
      const after = world.transaction((tables) => {
        const changed = tables.guilds.update(who.guild.id, fields);
        const changes = auditChanges(incidentsAnswer(who.guild), incidentsAnswer(changed));
        writeAudit(world, tables, who, { action: AUDIT.GUILD_UPDATE, target: changed.id, reason, changes });
        return changed;
      });
      return ok(incidentsAnswer(after));
    },
  }),
];
