import * as z from 'zod';
import { namedShape } from '../../api/fields.ts';
import type { Reading } from '../../api/world.ts';
import { userAnswer } from '../../users/answers.ts';
import { userShape } from '../../users/shapes.ts';
import type { Sound } from '../voice/records.ts';

/** A sound of the soundboard. */
export const soundShape = namedShape('SoundboardSound', {
  name: z.string(),
  sound_id: z.string(),
  volume: z.number(),
  emoji_id: z.nullable(z.string()),
  emoji_name: z.nullable(z.string()),
  guild_id: z.optional(z.string()),
  available: z.boolean(),
  user: z.optional(userShape),
});

/** A sound, as the API returns it; `withUser` includes the creator, if the creator is known. */
export function soundAnswer(
  { users }: Pick<Reading, 'users'>,
  { id, name, volume, emoji_id, emoji_name, guild, available, user }: Sound,
  withUser: boolean,
): z.output<typeof soundShape> {
  const maker = withUser && user !== null ? users.get(user) : undefined;
  return {
    name,
    sound_id: id,
    volume,
    emoji_id,
    emoji_name,
    ...(guild === null ? {} : { guild_id: guild }),
    available,
    ...(maker === undefined ? {} : { user: userAnswer(maker) }),
  };
}
