import * as z from 'zod';
import { type GatewayListener, INTENTS } from '../../api/dispatch.ts';
import { timestamp } from '../../api/fields.ts';
import type { Base, Reading } from '../../api/world.ts';
import { threadAnswer } from '../../guilds/channels/answers.ts';
import { gatewayChannel, gatewayChannelShape } from '../../guilds/channels/gateway-channel.ts';
import { isThread } from '../../guilds/channels/records.ts';
import { threadShape } from '../../guilds/channels/shapes.ts';
import { visibilityOf } from '../../guilds/channels/visibility.ts';
import { eventAnswer, eventShape } from '../../guilds/events/answers.ts';
import { isFinished } from '../../guilds/events/records.ts';
import { soundAnswer, soundShape } from '../../guilds/expressions/sound-answers.ts';
import { guildAnswer, guildShape } from '../../guilds/guild-answers.ts';
import { memberAnswer, memberShape } from '../../guilds/members/answers.ts';
import { presencesOf } from '../../guilds/members/gateway-presences.ts';
import { memberCount, membersAfter } from '../../guilds/members/list.ts';
import { joinedAt, memberOf } from '../../guilds/members/membership.ts';
import type { Member } from '../../guilds/members/records.ts';
import type { Guild } from '../../guilds/records.ts';
import { stageAnswer, stageShape } from '../../guilds/stages/answers.ts';
import { activeThreads } from '../../guilds/threads/dispatches.ts';
import { voiceStateAnswer, voiceStateShape } from '../../guilds/voice/answers.ts';
import { online } from '../../users/presence/statuses.ts';

/** Default number of members above which a guild counts as large. */
const USUALLY_LARGE = 50;
/** Maximum number of members of a guild that is sent with its online members. */
const TOO_MANY = 75_000;

/** Schema of a whole guild, as a session first receives it. */
export const gatewayGuildShape = guildShape
  .extend({
    joined_at: z.string(),
    large: z.boolean(),
    unavailable: z.literal(false),
    member_count: z.int(),
    voice_states: z.array(voiceStateShape.omit({ guild_id: true, member: true })),
    members: z.array(memberShape),
    channels: z.array(gatewayChannelShape),
    threads: z.array(threadShape),
    presences: z.array(z.looseObject({ user: z.looseObject({ id: z.string() }), status: z.string() })),
    stage_instances: z.array(stageShape),
    guild_scheduled_events: z.array(eventShape),
    soundboard_sounds: z.array(soundShape),
  })
  .meta({ id: 'GatewayGuild' });

/**
 * The whole guild for `GUILD_CREATE`: visible channels, open threads, and members. With GUILD_PRESENCES, a small guild
 * has all its members, and a large guild those who are not offline. Without this intent, it has only the listener
 * itself and members in voice channels.
 */
export function gatewayGuild(
  platform: Base,
  guild: Guild,
  listener: GatewayListener,
): z.output<typeof gatewayGuildShape> {
  const { tables } = platform.world;
  const { user, largeThreshold = USUALLY_LARGE } = listener;
  const canView = visibilityOf(tables);
  const channels = [...tables.channels.by('guild', guild.id)];
  const own = memberOf(tables, guild.id, user);
  const count = memberCount(tables, guild);
  const isLarge = count > largeThreshold;
  const voice = channels.flatMap(({ id }) => [...tables.voice_states.by('channel', id)]);
  const includesPresences = (listener.intents & INTENTS.GUILD_PRESENCES) !== 0 && count <= TOO_MANY;
  const there = includesPresences ? [...online(tables).keys()] : [];
  const near = [user, ...voice.map((state) => state.user), ...there];
  const members =
    includesPresences && !isLarge ? membersAfter(tables, guild) : membersAmong(tables, guild, near);
  return {
    ...guildAnswer(tables, guild),
    joined_at: timestamp(own === undefined ? 0 : joinedAt(own)),
    large: isLarge,
    unavailable: false,
    member_count: count,
    voice_states: voice.map((state) => {
      const {
        guild_id: _guild,
        member: _member,
        ...ownVoiceState
      } = voiceStateAnswer(tables, guild.id, state);
      return ownVoiceState;
    }),
    members: [...members].map((member) => memberAnswer(tables, member)),
    channels: channels.flatMap((channel) =>
      isThread(channel) ? [] : [gatewayChannel(platform, channel, listener, canView)],
    ),
    threads: activeThreads(tables, channels, user).map((thread) => threadAnswer(tables, thread, user)),
    presences: presencesOf(platform, guild, listener),
    stage_instances: channels.flatMap(({ id }) => {
      const stage = tables.stage_instances.get(id);
      return stage === undefined ? [] : [stageAnswer(tables, stage)];
    }),
    guild_scheduled_events: [...tables.scheduled_events.by('guild', guild.id)]
      .filter((event) => {
        const eventChannel = tables.channels.get(event.channel ?? '');
        return !isFinished(event) && (eventChannel === undefined || canView(eventChannel, user));
      })
      .map((event) => eventAnswer(tables, event)),
    soundboard_sounds: [...tables.soundboard_sounds.by('guild', guild.id)].map((sound) =>
      soundAnswer(tables, sound, false),
    ),
  };
}

function membersAmong(tables: Reading, guild: Guild, users: readonly string[]): Member[] {
  return [...new Set(users)].flatMap((id) => memberOf(tables, guild.id, id) ?? []);
}
