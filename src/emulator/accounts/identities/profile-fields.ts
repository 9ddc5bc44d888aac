import * as z from 'zod';
import { choice, integer, list, namedShape, text, textUpTo } from '../../api/fields.ts';

// Maximum number of dynamic fields in a game's profile of a player; all fields are optional.

const MAX_DYNAMIC = 30;
const short = () => z.optional(textUpTo(100));
const count = () => z.optional(integer(0, Number.MAX_SAFE_INTEGER));
const media = () => z.strictObject({ url: text(1, 2048) });

const primary = z.strictObject({
  season: short(),
  rank_name: short(),
  rank_image: z.optional(media()),
  highest_rank: short(),
  highest_rank_image: z.optional(media()),
  featured_played_character: short(),
  featured_played_character_image: z.optional(media()),
  playtime_hours: z.optional(z.number()),
  total_wins: count(),
  current_period_wins: count(),
  total_games: count(),
  current_period_games: count(),
  total_kills: count(),
  current_period_kills: count(),
  total_assists: count(),
  current_period_assists: count(),
  total_deaths: count(),
  current_period_deaths: count(),
});

const name = () => text(1, 100);
const dynamic = z.union([
  z.strictObject({ type: choice(1), name: name(), value: textUpTo(100) }),
  z.strictObject({ type: choice(2), name: name(), value: z.number() }),
  z.strictObject({ type: choice(3), name: name(), value: media() }),
]);

/** The body of a profile update. */
export const profileBody = z.object({
  username: z.optional(textUpTo(1024)),
  data: z.optional(
    z.strictObject({
      primary: z.optional(primary),
      dynamic: z.optional(list(dynamic, 0, MAX_DYNAMIC)),
    }),
  ),
});

/** A profile in replies. */
export const profileShape = namedShape('ApplicationIdentityProfile', {
  username: z.nullable(z.string()),
  metadata: z.null(),
  data: z.nullable(z.record(z.string(), z.unknown())),
});
