import { ApiError } from '../../api/api-error.ts';
import type { FieldFault } from '../../kernel/errors.ts';
import type { Guild } from '../records.ts';
import { hasVoice, isStage } from './records.ts';

/** Maximum user limit of a voice channel. For a stage, the limit of the field itself applies. */
const MAX_USERS = 99;
const MAX_STAGE_BITRATE = 64_000;
/** Highest bitrates of voice channels in bit/s, by the boost level of the guild. */
const MAX_BITRATES = [96_000, 128_000, 256_000, 384_000] as const;

/** Fields that only voice channels have. */
export interface VoiceFields {
  readonly bitrate?: number | null | undefined;
  readonly user_limit?: number | null | undefined;
}

/**
 * Errors for the voice fields of a channel of this type. @throws ApiError 30052 for a stage whose bitrate is too high.
 */
export function voiceFaults(guild: Guild | undefined, type: number, fields: VoiceFields): FieldFault[] {
  if (!hasVoice({ type })) return [];
  const { bitrate, user_limit: limit } = fields;
  if (isStage({ type })) {
    if (typeof bitrate !== 'number' || bitrate <= MAX_STAGE_BITRATE) return [];
    throw new ApiError('BitrateIsTooHighForChannelOfThisType');
  }
  return [...above('bitrate', bitrate, maxBitrate(guild)), ...above('user_limit', limit, MAX_USERS)];
}

function maxBitrate(guild: Guild | undefined): number {
  const level = guild?.features.includes('VIP_REGIONS') ? 3 : (guild?.premium_tier ?? 0);
  return MAX_BITRATES[level as 0 | 1 | 2 | 3];
}

function above(key: string, value: number | null | undefined, max: number): FieldFault[] {
  if (typeof value !== 'number' || value <= max) return [];
  const message = `int value should be less than or equal to ${max}.`;
  return [{ path: [key], code: 'NUMBER_TYPE_MAX', message }];
}
