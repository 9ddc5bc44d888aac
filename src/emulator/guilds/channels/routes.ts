import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import type { BotCaller, TokenCaller } from '../../api/caller.ts';
import { bearer, bot, defineOperation, noContent, ok } from '../../api/operation.ts';
import { AUDIT, auditChanges, noteInChannel } from '../audit/audit.ts';
import { need, requestingMember } from '../guild-access.ts';
import { checkMayChangeThread } from '../threads/rules.ts';
import { channelAnswer, guildChannelAnswer, threadAnswer } from './answers.ts';
import { changedChannel, changedThread, newChannel } from './changes.ts';
import { anyChannelInView, type ChannelViewer, channelInView } from './channel-access.ts';
import { checkMayMoveInto, moveChannels } from './channel-moves.ts';
import { checkPinned, checkTags, isPinned } from './forum-rules.ts';
import {
  checkOverwrite,
  checkOverwrites,
  copyOverwrites,
  overwritableBits,
  replaceOverwrites,
} from './overwrites.ts';
import { privateChannelAnswer, privateChannelShape } from './private-answers.ts';
import { isDirect, isPrivate } from './private-records.ts';
import { leaveGroup } from './private-routes.ts';
import { type ChannelRecord, isThread } from './records.ts';
import { createBody, positionsBody, updateBody } from './requests.ts';
import { channelShape, guildChannelShape } from './shapes.ts';
import { HIDDEN_SINCE, visibilityOf } from './visibility.ts';

const MAX_CHANNELS = 500;

function viewerOf(caller: BotCaller | TokenCaller): ChannelViewer {
  return caller.kind === 'bot' ? caller.user : { id: caller.userId, bot: false };
}

/** A channel of a guild, a thread or a private channel. */
const anyChannelShape = z.union([...channelShape.options, privateChannelShape]);

/** Routes of channels. */
export const channelOperations = [
  defineOperation({
    id: 'get_channel',
    summary: 'A channel or a thread.',
    route: 'GET /channels/{channel_id}',
    answers: { 200: anyChannelShape },
    handle: ({ params, caller }, platform) => {
      const { channel } = anyChannelInView(platform, params.channel_id, caller);
      const { tables } = platform.world;
      if (isPrivate(channel)) return ok(privateChannelAnswer(tables, channel, caller.user.id));
      return ok(
        isThread(channel)
          ? threadAnswer(tables, channel, caller.user.id)
          : guildChannelAnswer(tables, channel),
      );
    },
  }),
  defineOperation({
    id: 'list_guild_channels',
    summary: 'Channels of a guild without threads; from 2026-11-16 on only those that the caller may view.',
    route: 'GET /guilds/{guild_id}/channels',
    who: [bot, bearer('guilds.channels.read')],
    answers: { 200: z.array(guildChannelShape) },
    handle: ({ params, caller }, { world, clock }) => {
      const viewer = viewerOf(caller);
      const { guild } = requestingMember(caller, params.guild_id, { world, clock });
      const { tables } = world;
      const isInView = visibilityOf(tables);
      const isIncluded = (channel: ChannelRecord): boolean =>
        !isThread(channel) && (clock.now() < HIDDEN_SINCE || isInView(channel, viewer.id));
      const included = [...tables.channels.by('guild', guild.id)].filter(isIncluded);
      return ok(included.map((channel) => guildChannelAnswer(tables, channel)));
    },
  }),
  defineOperation({
    id: 'create_guild_channel',
    summary: 'Makes a channel.',
    route: 'POST /guilds/{guild_id}/channels',
    body: createBody,
    notOffered: ['default_tag_setting'],
    ours: 'The custom emojis of a forum belong to its guild. A channel that is created in a category without overwrites of its own gets those of the category, whatever the caller may set: they grant nothing that the category did not.',
    answers: { 201: guildChannelShape },
    handle: ({ params, caller, body, reason }, platform) => {
      const { guild } = requestingMember(caller, params.guild_id, platform);
      checkMayMoveInto(platform, caller, guild.id, body.parent_id);
      const { world, clock } = platform;
      if (world.tables.channels.by('guild', guild.id).size >= MAX_CHANNELS) {
        throw new ApiError('MaximumNumberOfGuildChannelsReached', { limit: MAX_CHANNELS });
      }
      const overwritable = overwritableBits(platform, caller, guild.id, { parent: body.parent_id ?? null });
      for (const one of body.permission_overwrites ?? []) checkOverwrite(overwritable, one);
      const channel = newChannel(world, guild.id, body, clock.now());
      return world.transaction((tables) => {
        tables.channels.insert(channel);
        if (body.permission_overwrites) replaceOverwrites(tables, channel, body.permission_overwrites);
        else if (channel.parent !== null) copyOverwrites(tables, channel.parent, channel);
        const answer = guildChannelAnswer(world.tables, channel);
        const changes = auditChanges(undefined, answer);
        noteInChannel(platform, tables, caller, channel, {
          action: AUDIT.CHANNEL_CREATE,
          target: channel.id,
          reason,
          changes,
        });
        return { status: 201, body: answer };
      });
    },
  }),
  defineOperation({
    id: 'update_channel',
    summary: 'Changes a channel or a thread; an absent field stays unchanged.',
    route: 'PATCH /channels/{channel_id}',
    body: updateBody,
    notOffered: ['default_tag_setting', 'icon'],
    ours: 'Of a private channel only the name of a group. The custom emojis of a forum belong to its guild, or are unchanged.',
    answers: { 200: anyChannelShape },
    handle: ({ params, caller, body, reason }, platform) => {
      const { channel: target } = anyChannelInView(platform, params.channel_id, caller);
      const { world, clock } = platform;
      if (isPrivate(target)) {
        if (isDirect(target)) throw new ApiError('CannotExecuteActionOnDMChannel');
        const { name = target.name } = body;
        const renamed = world.transaction((tables) => tables.private_channels.update(target.id, { name }));
        return ok(privateChannelAnswer(world.tables, renamed, caller.user.id));
      }
      const access = channelInView(platform, params.channel_id, caller);
      const { channel, need, may } = access;
      const now = clock.now();
      if (isThread(channel)) {
        checkMayChangeThread(access, caller.user.id, body);
        const { applied_tags: tags } = body;
        const forum = world.tables.channels.get(channel.parent ?? '') as ChannelRecord;
        if (tags !== undefined) checkTags(forum, may, tags ?? [], channel.thread?.applied_tags);
        const changed = changedThread(channel, body, now);
        if (!isPinned(channel)) checkPinned(world.tables, changed);
        const changes = auditChanges(
          threadAnswer(world.tables, channel),
          threadAnswer(world.tables, changed),
        );
        world.transaction((tables) => {
          tables.channels.put(changed);
          noteInChannel(platform, tables, caller, channel, {
            action: AUDIT.THREAD_UPDATE,
            target: channel.id,
            reason,
            changes,
          });
        });
        return ok(threadAnswer(world.tables, changed, caller.user.id));
      }
      need('MANAGE_CHANNELS');
      const { permission_overwrites: overwrites, parent_id: parent } = body;
      if (parent !== undefined && parent !== channel.parent) {
        checkMayMoveInto(platform, caller, channel.guild, parent);
      }
      if (overwrites !== undefined) {
        need('MANAGE_ROLES');
        checkOverwrites(platform, caller, channel, overwrites ?? []);
      }
      const changed = changedChannel(world, channel, body, now);
      const before = channelAnswer(world.tables, channel);
      world.transaction((tables) => {
        tables.channels.put(changed);
        if (overwrites !== undefined) replaceOverwrites(tables, changed, overwrites ?? []);
        noteInChannel(platform, tables, caller, channel, {
          action: AUDIT.CHANNEL_UPDATE,
          target: channel.id,
          reason,
          changes: auditChanges(before, channelAnswer(world.tables, changed)),
        });
      });
      return ok(channelAnswer(world.tables, changed));
    },
  }),
  defineOperation({
    id: 'delete_channel',
    summary: 'Deletes a channel with its content, or a thread.',
    route: 'DELETE /channels/{channel_id}',
    ours: 'A direct channel is closed for the bot until it is opened again, which has no visible effect over HTTP; a group is left.',
    answers: { 200: anyChannelShape },
    handle: ({ params, caller, reason }, platform) => {
      const { channel: target } = anyChannelInView(platform, params.channel_id, caller);
      if (isPrivate(target)) {
        if (!isDirect(target)) leaveGroup(platform, target, caller.user.id);
        return ok(privateChannelAnswer(platform.world.tables, target, caller.user.id));
      }
      const { channel, need } = channelInView(platform, params.channel_id, caller);
      need(isThread(channel) ? 'MANAGE_THREADS' : 'MANAGE_CHANNELS');
      const { world } = platform;
      const guild = world.tables.guilds.get(channel.guild);
      const isNeeded = [guild?.rules_channel, guild?.public_updates_channel].includes(channel.id);
      if (isNeeded && guild?.features.includes('COMMUNITY')) {
        throw new ApiError('CannotDeleteChannelRequiredForCommunityGuilds');
      }
      const answer = channelAnswer(world.tables, channel);
      world.transaction((tables) => {
        tables.channels.remove(channel.id);
        noteInChannel(platform, tables, caller, channel, {
          action: isThread(channel) ? AUDIT.THREAD_DELETE : AUDIT.CHANNEL_DELETE,
          target: channel.id,
          reason,
          changes: auditChanges(answer, undefined),
        });
      });
      return ok(answer);
    },
  }),
  defineOperation({
    id: 'bulk_update_guild_channels',
    summary: 'Moves channels; others stay in their order.',
    route: 'PATCH /guilds/{guild_id}/channels',
    body: positionsBody,
    ours: 'A thread is refused with 50024. lock_permissions needs the same permissions as setting the overwrites of the category one by one.',
    answers: { 204: null },
    handle: ({ params, caller, body }, platform) => {
      const { guild } = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_CHANNELS');
      platform.world.transaction((tables) => moveChannels(platform, tables, caller, guild.id, body));
      return noContent();
    },
  }),
];
