import * as z from 'zod';
import { ApiError, invalidField } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { choice, maybe, snowflake, text } from '../../api/fields.ts';
import { defineOperation, noContent, ok } from '../../api/operation.ts';
import type { Base, Reading } from '../../api/world.ts';
import { AUDIT, auditChanges, noteInChannel } from '../audit/audit.ts';
import { type ChannelAccess, channelInView } from '../channels/channel-access.ts';
import { isStage } from '../channels/records.ts';
import { EVENT_STATUSES, isFinished } from '../events/records.ts';
import { stageAnswer, stageShape } from './answers.ts';
import type { StageInstance } from './records.ts';
import { closeStage } from './stages.ts';

const PUBLIC = 1;
const FOR_THE_GUILD = 2;

/**
 * A stage whose moderator is the caller. @throws ApiError 50024 for a channel that is not a stage, 50013 for a caller
 * who is not a moderator.
 */
function moderated(platform: Base, caller: BotCaller, channelId: string): ChannelAccess {
  const access = channelInView(platform, channelId, caller);
  if (!isStage(access.channel)) throw new ApiError('CannotExecuteActionOnThisChannelType');
  access.need('MANAGE_CHANNELS', 'MUTE_MEMBERS', 'MOVE_MEMBERS');
  return access;
}

/** The stage instance of a channel. @throws ApiError 10067 for a channel without one. */
function openStage({ stage_instances }: Reading, channelId: string): StageInstance {
  const instance = stage_instances.get(channelId);
  if (instance === undefined) throw new ApiError('UnknownStageInstance');
  return instance;
}

/**
 * Checks the privacy level of a stage. @throws ApiError 50035 for a public stage in a guild that is not discoverable.
 */
function checkPrivacy({ guilds }: Reading, { channel }: ChannelAccess, level: number): void {
  if (level !== PUBLIC || guilds.get(channel.guild)?.features.includes('DISCOVERABLE')) return;
  throw invalidField(['privacy_level'], 'GUILD_FEATURE_MISSING', 'The guild needs the feature DISCOVERABLE.');
}

const ONE = '/stage-instances/{channel_id}';
const privacy = choice(PUBLIC, FOR_THE_GUILD);

/** Routes of stage instances. */
export const stageOperations = [
  defineOperation({
    id: 'create_stage_instance',
    summary: 'Starts a stage, as one of its moderators, and its event, if it has one.',
    route: 'POST /stage-instances',
    body: z.object({
      channel_id: snowflake(),
      topic: text(1, 120),
      privacy_level: maybe(privacy),
      guild_scheduled_event_id: maybe(snowflake()),
      /** pycord sends a number. */
      send_start_notification: maybe(z.union([z.boolean(), choice(0, 1)])),
    }),
    ours: 'A public stage needs a guild with the feature DISCOVERABLE: 50035 otherwise. `discoverable_disabled` is always true, because stages are no longer discoverable. A notification at the start needs MENTION_EVERYONE; nobody gets it, because the gateway has no event for it.',
    answers: { 200: stageShape },
    handle: ({ caller, body, reason }, platform) => {
      const access = moderated(platform, caller, body.channel_id);
      const { channel } = access;
      const { world, clock } = platform;
      const { privacy_level: level = FOR_THE_GUILD, guild_scheduled_event_id: eventId } = body;
      checkPrivacy(world.tables, access, level);
      if (body.send_start_notification) access.need('MENTION_EVERYONE');
      if (world.tables.stage_instances.has(channel.id)) throw new ApiError('TheStageIsAlreadyOpen');
      const event = eventId === undefined ? undefined : world.tables.scheduled_events.get(eventId);
      if (eventId !== undefined && (event?.channel !== channel.id || isFinished(event))) {
        throw new ApiError('UnknownGuildScheduledEvent');
      }
      const made = world.transaction((tables) => {
        const instance = tables.stage_instances.insert({
          channel: channel.id,
          id: world.ids.next(clock.now(), (id) => tables.stage_instances.by('id', id).size > 0),
          topic: body.topic,
          privacy_level: level,
          event: event?.id ?? null,
        });
        if (event !== undefined) tables.scheduled_events.update(event.id, { status: EVENT_STATUSES.active });
        const changes = auditChanges(undefined, stageAnswer(tables, instance));
        noteInChannel(platform, tables, caller, channel, {
          action: AUDIT.STAGE_INSTANCE_CREATE,
          target: instance.id,
          reason,
          changes,
          options: { channel_id: channel.id },
        });
        return instance;
      });
      return ok(stageAnswer(world.tables, made));
    },
  }),
  defineOperation({
    id: 'get_stage_instance',
    summary: 'The stage instance of a channel.',
    route: `GET ${ONE}`,
    answers: { 200: stageShape },
    handle: ({ caller, params }, platform) => {
      const { channel } = channelInView(platform, params.channel_id, caller);
      const { tables } = platform.world;
      return ok(stageAnswer(tables, openStage(tables, channel.id)));
    },
  }),
  defineOperation({
    id: 'update_stage_instance',
    summary: 'Changes the topic or the privacy level of a stage.',
    route: `PATCH ${ONE}`,
    body: z.object({ topic: z.optional(text(1, 120)), privacy_level: z.optional(privacy) }),
    answers: { 200: stageShape },
    handle: ({ caller, params, body, reason }, platform) => {
      const access = moderated(platform, caller, params.channel_id);
      const { world } = platform;
      const before = openStage(world.tables, access.channel.id);
      const { topic = before.topic, privacy_level = before.privacy_level } = body;
      checkPrivacy(world.tables, access, privacy_level);
      const after = world.transaction((tables) => {
        const instance = tables.stage_instances.update(before.channel, { topic, privacy_level });
        const changes = auditChanges(stageAnswer(tables, before), stageAnswer(tables, instance));
        noteInChannel(platform, tables, caller, access.channel, {
          action: AUDIT.STAGE_INSTANCE_UPDATE,
          target: instance.id,
          reason,
          changes,
          options: { channel_id: before.channel },
        });
        return instance;
      });
      return ok(stageAnswer(world.tables, after));
    },
  }),
  defineOperation({
    id: 'delete_stage_instance',
    summary: 'Closes a stage, and completes its event, if it has one.',
    route: `DELETE ${ONE}`,
    answers: { 204: null },
    handle: ({ caller, params, reason }, platform) => {
      const { channel } = moderated(platform, caller, params.channel_id);
      const { world, clock } = platform;
      const before = openStage(world.tables, channel.id);
      world.transaction((tables) => {
        const changes = auditChanges(stageAnswer(tables, before), undefined);
        closeStage(tables, before, clock.now());
        noteInChannel(platform, tables, caller, channel, {
          action: AUDIT.STAGE_INSTANCE_DELETE,
          target: before.id,
          reason,
          changes,
          options: { channel_id: channel.id },
        });
      });
      return noContent();
    },
  }),
];
