import * as z from 'zod';
import { ApiError } from '../api/api-error.ts';
import { namedShape } from '../api/fields.ts';
import { defineOperation, ok } from '../api/operation.ts';
import { picked } from '../api/present.ts';
import { requestingMember } from './guild-access.ts';
import { guildAnswer, guildShape } from './guild-answers.ts';
import { memberCount, presenceCount } from './members/list.ts';
import { isIn } from './members/membership.ts';

const PREVIEW_FIELDS = {
  id: true,
  name: true,
  icon: true,
  description: true,
  home_header: true,
  splash: true,
  discovery_splash: true,
  features: true,
  emojis: true,
  stickers: true,
} as const;
const previewShape = guildShape
  .pick(PREVIEW_FIELDS)
  .extend({ approximate_member_count: z.int(), approximate_presence_count: z.int() })
  .meta({ id: 'GuildPreview' });

/** Voice regions, by the id that a channel's `rtc_region` contains. */
const REGIONS = {
  brazil: 'Brazil',
  hongkong: 'Hong Kong',
  india: 'India',
  japan: 'Japan',
  rotterdam: 'Rotterdam',
  singapore: 'Singapore',
  southafrica: 'South Africa',
  sydney: 'Sydney',
  'us-central': 'US Central',
  'us-east': 'US East',
  'us-south': 'US South',
  'us-west': 'US West',
} as const;
/** Id of the region that is reported as optimal; the emulator always reports this one. */
const NEAREST = 'rotterdam';

const regionShape = namedShape('VoiceRegion', {
  id: z.string(),
  name: z.string(),
  custom: z.boolean(),
  deprecated: z.boolean(),
  optimal: z.boolean(),
});

function regions(): z.output<typeof regionShape>[] {
  return Object.entries(REGIONS).map(([id, name]) => ({
    id,
    name,
    custom: false,
    deprecated: false,
    optimal: id === NEAREST,
  }));
}

const regionsOurs = 'The list of regions is not published: these are known from practice.';

/** Routes of a guild's public preview, and of voice regions. */
export const previewOperations = [
  defineOperation({
    id: 'get_guild_preview',
    summary: 'Public preview of a guild: one of the bot, or a discoverable one.',
    route: 'GET /guilds/{guild_id}/preview',
    answers: { 200: previewShape },
    handle: ({ caller, params }, { world }) => {
      const { tables } = world;
      const guild = tables.guilds.get(params.guild_id);
      const isSeen =
        guild !== undefined &&
        (guild.features.includes('DISCOVERABLE') || isIn(tables, guild.id, caller.user.id));
      if (!isSeen) throw new ApiError('UnknownGuild');
      return ok({
        ...picked(guildAnswer(tables, guild), PREVIEW_FIELDS),
        approximate_member_count: memberCount(tables, guild),
        approximate_presence_count: presenceCount(tables, guild),
      });
    },
  }),
  defineOperation({
    id: 'list_guild_voice_regions',
    summary: 'Voice regions of a guild.',
    route: 'GET /guilds/{guild_id}/regions',
    ours: regionsOurs,
    answers: { 200: z.array(regionShape) },
    handle: ({ caller, params }, platform) => {
      requestingMember(caller, params.guild_id, platform);
      return ok(regions());
    },
  }),
  defineOperation({
    id: 'list_voice_regions',
    summary: 'Voice regions.',
    route: 'GET /voice/regions',
    ours: regionsOurs,
    answers: { 200: z.array(regionShape) },
    handle: () => ok(regions()),
  }),
];
