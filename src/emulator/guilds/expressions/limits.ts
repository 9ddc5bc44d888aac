import type { Guild } from '../records.ts';

/** Maximum number of expressions by boost level, and the higher number with a feature of the guild. */
const LIMITS = {
  emoji: { byTier: [50, 100, 150, 250], feature: 'MORE_EMOJI', withFeature: 200 },
  stickers: { byTier: [5, 15, 30, 60], feature: 'MORE_STICKERS', withFeature: 60 },
  sounds: { byTier: [8, 24, 36, 48], feature: 'MORE_SOUNDBOARD', withFeature: 96 },
} as const;

/** Maximum number of expressions of one kind in a guild. */
export function limitOf({ premium_tier, features }: Guild, kind: keyof typeof LIMITS): number {
  const { byTier, feature, withFeature } = LIMITS[kind];
  const tierLimit = byTier[premium_tier as 0 | 1 | 2 | 3];
  return features.includes(feature) ? Math.max(tierLimit, withFeature) : tierLimit;
}
