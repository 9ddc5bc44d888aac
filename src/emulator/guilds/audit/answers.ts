import * as z from 'zod';
import { namedShape } from '../../api/fields.ts';
import type { AuditEntry } from './records.ts';

/** Entry of an audit log. */
export const entryShape = namedShape('AuditLogEntry', {
  id: z.string(),
  action_type: z.int(),
  user_id: z.nullable(z.string()),
  target_id: z.nullable(z.string()),
  changes: z.optional(
    z.array(
      z.object({ key: z.string(), old_value: z.optional(z.unknown()), new_value: z.optional(z.unknown()) }),
    ),
  ),
  options: z.optional(z.record(z.string(), z.string())),
  reason: z.optional(z.string()),
});

/** An entry of an audit log, as members see it who may view the log. */
export function entryAnswer(entry: AuditEntry): z.output<typeof entryShape> {
  const { id, action_type, user, target, changes, options, reason } = entry;
  return {
    id,
    action_type,
    user_id: user,
    target_id: target,
    ...(changes.length === 0
      ? {}
      : {
          changes: changes.map(({ key, old_value, new_value }) => ({
            key,
            ...(old_value === null ? {} : { old_value: JSON.parse(old_value) as unknown }),
            ...(new_value === null ? {} : { new_value: JSON.parse(new_value) as unknown }),
          })),
        }),
    ...(options.length === 0
      ? {}
      : { options: Object.fromEntries(options.map(({ key, value }) => [key, value])) }),
    ...(reason === null ? {} : { reason }),
  };
}
