import * as z from 'zod';
import { namedShape, permissionSet } from '../../api/fields.ts';
import type { Role } from './records.ts';

/** A role, as members of the guild see it. */
export const roleShape = namedShape('Role', {
  id: z.string(),
  name: z.string(),
  permissions: permissionSet(),
  position: z.int(),
  /** Always equal to the primary color in `colors`. */
  color: z.int(),
  colors: z.object({
    primary_color: z.int(),
    secondary_color: z.nullable(z.int()),
    tertiary_color: z.nullable(z.int()),
  }),
  hoist: z.boolean(),
  managed: z.boolean(),
  mentionable: z.boolean(),
  icon: z.nullable(z.string()),
  unicode_emoji: z.nullable(z.string()),
  flags: z.int(),
  tags: z.optional(z.object({ bot_id: z.string() })),
});

/** A role, as members of the guild see it. */
export function roleAnswer(role: Role): z.output<typeof roleShape> {
  const { id, name, permissions, position, colors, hoist, bot, mentionable, icon, unicode_emoji, flags } =
    role;
  return {
    id,
    name,
    permissions,
    position,
    color: colors.primary_color,
    colors: { ...colors },
    hoist,
    managed: bot !== null,
    mentionable,
    icon,
    unicode_emoji,
    flags,
    ...(bot === null ? {} : { tags: { bot_id: bot } }),
  };
}
