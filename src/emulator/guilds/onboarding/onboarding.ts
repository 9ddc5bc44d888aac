import { ApiError, invalidForm } from '../../api/api-error.ts';
import { inChannel } from '../../api/permissions/evaluate.ts';
import type { Reading } from '../../api/world.ts';
import type { FieldFault } from '../../kernel/errors.ts';
import { bitsOf } from '../../kernel/permission-bits.ts';
import { isThread } from '../channels/records.ts';
import type { Guild } from '../records.ts';
import type { OnboardingPrompt } from './records.ts';

/** Minimum number of channels that a new member can view, and of channels among them in which @everyone may write. */
const MIN_VISIBLE_CHANNELS = 7;
const MIN_WRITABLE_CHANNELS = 5;
const ADVANCED = 1;
const VIEW = bitsOf('VIEW_CHANNEL');
const WRITE = bitsOf('VIEW_CHANNEL', 'SEND_MESSAGES');

/** Onboarding of a guild: its prompts and its default channels. */
export interface Onboarding {
  readonly enabled: boolean;
  readonly mode: number;
  readonly channels: readonly string[];
  readonly prompts: readonly OnboardingPrompt[];
}

/** Prompts of a guild, in their order. */
export function promptsOf({ onboarding_prompts: prompts }: Reading, guildId: string): OnboardingPrompt[] {
  return [...prompts.by('guild', guildId)].sort((a, b) => a.position - b.position);
}

/**
 * Checks the conditions of onboarding. @throws ApiError 350000 or 350001 if onboarding is enabled although too few
 * channels are open to @everyone.
 */
export function checkConditions(tables: Reading, guild: Guild, wanted: Onboarding): void {
  if (!wanted.enabled) return;
  const promptChannels = wanted.prompts.flatMap(({ options }) => options.flatMap(({ channels }) => channels));
  const counted = new Set([...wanted.channels, ...(wanted.mode === ADVANCED ? promptChannels : [])]);
  const rights = [...counted].map((id) => rightsOfEverybody(tables, guild, id));
  const seen = rights.filter((bits) => (bits & VIEW) === VIEW).length;
  const writable = rights.filter((bits) => (bits & WRITE) === WRITE).length;
  if (seen >= MIN_VISIBLE_CHANNELS && writable >= MIN_WRITABLE_CHANNELS) return;
  throw guild.onboarding_enabled
    ? new ApiError('CannotUpdateOnboardingWhileBelowRequirements')
    : new ApiError('CannotEnableOnboardingRequirementsAreNotMet');
}

function rightsOfEverybody(tables: Reading, guild: Guild, channelId: string): bigint {
  const overwrite = tables.role_overwrites.get(channelId, guild.id);
  return inChannel(
    {
      isOwner: false,
      everyone: BigInt(tables.roles.get(guild.id)?.permissions ?? 0),
      roles: [],
      isTimedOut: false,
    },
    {
      kind: 'text',
      overwrites: {
        roles: [],
        ...(overwrite === undefined
          ? {}
          : { everyone: { allow: BigInt(overwrite.allow), deny: BigInt(overwrite.deny) } }),
      },
    },
  );
}

/** Checks the channels and roles that onboarding refers to. @throws ApiError 50035 for those of another guild. */
export function checkNamed(tables: Reading, guild: Guild, wanted: Onboarding): void {
  const faults: FieldFault[] = [];
  const check = (path: FieldFault['path'], isGood: boolean): void => {
    if (!isGood) faults.push({ path, code: 'BASE_TYPE_INVALID', message: 'The guild has no such one.' });
  };
  const isChannel = (id: string): boolean => {
    const channel = tables.channels.get(id);
    return channel !== undefined && channel.guild === guild.id && !isThread(channel);
  };
  for (const [index, id] of wanted.channels.entries()) check(['default_channel_ids', index], isChannel(id));
  for (const [index, { options }] of wanted.prompts.entries()) {
    for (const [at, { roles, channels }] of options.entries()) {
      const path = ['prompts', index, 'options', at];
      for (const [index, id] of channels.entries()) check([...path, 'channel_ids', index], isChannel(id));
      for (const [index, id] of roles.entries()) {
        const role = tables.roles.get(id);
        const isGood = role?.guild === guild.id && role.id !== guild.id && role.bot === null;
        check([...path, 'role_ids', index], isGood);
      }
    }
  }
  if (faults.length > 0) throw invalidForm(faults);
}
