import * as z from 'zod';
import { ok } from '../api/reply.ts';
import { asking } from '../guilds/asking.ts';
import { bearer, bot, defineOperation } from '../operation.ts';
import { mayView } from './access.ts';
import { channelAnswer, channelShape } from './answers.ts';
import { type ChannelRecord, isCategory, isThread } from './records.ts';

/** From that day on nobody is told of channels that they cannot view (change-log of 2026-08-12). */
const HIDDEN_FROM = Date.parse('2026-11-16T00:00:00Z');

/** The routes of channels. */
export const channelOperations = [
  defineOperation({
    id: 'list_guild_channels',
    summary: 'The channels of a guild without threads; from 2026-11-16 on, those that whoever asks may view.',
    method: 'GET',
    path: '/guilds/{guild_id}/channels',
    who: [bot, bearer('guilds.channels.read')],
    answers: { 200: z.array(channelShape) },
    handle: ({ caller, params }, platform) => {
      const { guild, member, now } = asking(caller, params.guild_id, platform);
      const { tables } = platform.world;
      const all = [...tables.channels.by('guild', guild.id)].filter((channel) => !isThread(channel));
      const isViewed = (channel: ChannelRecord): boolean =>
        mayView(tables, channel, member.user) || tables.voice_states.get(member.user)?.channel === channel.id;
      // A category is in view when one of its channels is.
      const shown = (channel: ChannelRecord): boolean =>
        isViewed(channel) ||
        (isCategory(channel) && all.some((child) => child.parent === channel.id && isViewed(child)));
      const told = now < HIDDEN_FROM ? all : all.filter(shown);
      return ok(told.map((channel) => channelAnswer(tables, channel)));
    },
  }),
];
