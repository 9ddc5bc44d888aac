import * as z from 'zod';
import { namedShape } from '../../api/fields.ts';
import type { Reading } from '../../api/world.ts';
import type { ApplicationRecord } from '../../applications/records.ts';
import { userAnswer } from '../../users/answers.ts';
import type { User } from '../../users/records.ts';
import { userShape } from '../../users/shapes.ts';
import { isIn } from '../members/membership.ts';

/** An application that is added to a guild. */
export const integrationShape = namedShape('Integration', {
  id: z.string(),
  type: z.literal('discord'),
  name: z.string(),
  enabled: z.boolean(),
  account: z.object({ id: z.string(), name: z.string() }),
  application: z.object({
    id: z.string(),
    name: z.string(),
    icon: z.nullable(z.string()),
    description: z.string(),
    /** Always an empty text. The field is included because discord.py reads it. */
    summary: z.string(),
    type: z.null(),
    bot: userShape,
  }),
  scopes: z.array(z.string()),
});

/** An application whose bot is in a guild. */
export interface Installed {
  readonly application: ApplicationRecord;
  readonly bot: User;
}

/** Applications whose bots are in a guild. */
export function installedIn(tables: Reading, guildId: string): Installed[] {
  return [...tables.applications].flatMap((application) => {
    const user = tables.users.get(application.bot_user ?? application.id);
    return user?.bot === true && isIn(tables, guildId, user.id) ? [{ application, bot: user }] : [];
  });
}

/** An application in a guild, as the API returns it. Its id is that of its bot. */
export function integrationAnswer({ application, bot: user }: Installed): z.output<typeof integrationShape> {
  const { id, name, icon, description } = application;
  return {
    id: user.id,
    type: 'discord',
    name,
    enabled: true,
    account: { id: user.id, name: user.username },
    application: { id, name, icon, description, summary: '', type: null, bot: userAnswer(user) },
    scopes: ['bot'],
  };
}
