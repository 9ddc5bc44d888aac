import * as z from 'zod';
import { namedShape } from '../../api/fields.ts';
import type { Reading } from '../../api/world.ts';
import { userAnswer } from '../../users/answers.ts';
import { userShape } from '../../users/shapes.ts';
import type { ApplicationEmoji, Emoji } from './records.ts';

/** An emoji of a guild or of an application. */
export const emojiShape = namedShape('Emoji', {
  id: z.string(),
  name: z.string(),
  roles: z.array(z.string()),
  user: z.optional(userShape),
  require_colons: z.boolean(),
  managed: z.boolean(),
  animated: z.boolean(),
  available: z.boolean(),
});

/** An emoji of a guild or an application; `withUser` includes the creator, if the creator is known. */
export function emojiAnswer(
  { users }: Pick<Reading, 'users'>,
  emoji: Emoji | ApplicationEmoji,
  withUser: boolean,
): z.output<typeof emojiShape> {
  const { id, name, animated, user } = emoji;
  const maker = withUser && user !== null ? users.get(user) : undefined;
  return {
    id,
    name,
    roles: 'roles' in emoji ? [...emoji.roles] : [],
    ...(maker === undefined ? {} : { user: userAnswer(maker) }),
    require_colons: true,
    managed: 'managed' in emoji && emoji.managed,
    animated,
    available: !('available' in emoji) || emoji.available,
  };
}
