import * as z from 'zod';
import { ApiError } from '../api/api-error.ts';
import type { BotCaller } from '../api/caller.ts';
import { moment, queryInteger, timestamp } from '../api/fields.ts';
import { noContent, ok, operationsFor } from '../api/operation.ts';
import type { Base } from '../api/world.ts';
import type { HasFileAddresses } from '../files/addresses.ts';
import { AUDIT, noteInChannel } from '../guilds/audit/audit.ts';
import { type AnyChannel, anyChannelInView, type ChannelAccess } from '../guilds/channels/channel-access.ts';
import { checkThreadState } from '../guilds/threads/rules.ts';
import { messageAnswer } from './answers.ts';
import { authorIdOf, isSystem, MESSAGE_TYPES, type Message } from './records.ts';
import { messageShape } from './shapes.ts';
import { messageIn, viewerOf } from './viewer.ts';
import { writeNotice } from './write.ts';

/** Services that these operations need. */
type Needs = Base & HasFileAddresses;

const defineOperation = operationsFor<Needs>();

const MAX_PINS = 250;

interface PinRequest {
  readonly params: { readonly channel_id: string; readonly message_id: string };
  readonly caller: BotCaller;
  readonly reason: string | undefined;
}

/**
 * The pinned messages of a channel, newest pin first. The list is empty for a caller who may not read the history of
 * the channel.
 */
function pinsOf({ world }: Needs, { channel, may }: ChannelAccess<AnyChannel>): Message[] {
  if (!may('READ_MESSAGE_HISTORY')) return [];
  return [...world.tables.messages.by('pinned', channel.id)].sort((a, b) => pinnedAt(b) - pinnedAt(a));
}

function pinnedAt({ pinned_at, timestamp: made }: Message): number {
  return Date.parse(pinned_at ?? made);
}

function pin({ params, caller, reason }: PinRequest, platform: Needs) {
  const access = anyChannelInView(platform, params.channel_id, caller);
  access.need('PIN_MESSAGES');
  checkThreadState(access, 'change');
  const message = messageIn(platform, access, params.message_id);
  if (message.pinned) return noContent();
  if (isSystem(message)) throw new ApiError('CannotExecuteActionOnSystemMessage');
  const { world, clock } = platform;
  if (world.tables.messages.by('pinned', message.channel).size >= MAX_PINS) {
    throw new ApiError('MaximumNumberOfPinsReachedForTheChannel', { limit: MAX_PINS });
  }
  const now = clock.now();
  const pinned_at = new Date(now).toISOString();
  world.transaction((writing) => {
    noteInChannel(platform, writing, caller, access.channel, {
      action: AUDIT.MESSAGE_PIN,
      target: authorIdOf(message),
      reason,
      options: { channel_id: message.channel, message_id: message.id },
    });
    writing.messages.update(message.id, { pinned: true, pinned_at });
    writeNotice(world, writing, now, {
      channel: message.channel,
      author: caller.user.id,
      type: MESSAGE_TYPES.pinned,
      about: { kind: 'pin', channel: message.channel, message: message.id },
    });
  });
  return noContent();
}

function unpin({ params, caller, reason }: PinRequest, platform: Needs) {
  const access = anyChannelInView(platform, params.channel_id, caller);
  access.need('PIN_MESSAGES');
  checkThreadState(access, 'change');
  const { pinned_at: _, ...message } = messageIn(platform, access, params.message_id);
  if (!message.pinned) return noContent();
  platform.world.transaction((writing) => {
    writing.messages.replace({ ...message, pinned: false });
    noteInChannel(platform, writing, caller, access.channel, {
      action: AUDIT.MESSAGE_UNPIN,
      target: authorIdOf(message),
      reason,
      options: { channel_id: message.channel, message_id: message.id },
    });
  });
  return noContent();
}

/** The routes of pinned messages, in their current and in their older form. */
export const pinOperations = [
  defineOperation({
    id: 'list_pins',
    summary: 'The pinned messages of a channel, newest pin first.',
    route: 'GET /channels/{channel_id}/messages/pins',
    query: z.object({ before: z.optional(moment()), limit: z.optional(queryInteger(1, 50)) }),
    answers: {
      200: z.object({
        items: z.array(z.object({ pinned_at: z.string(), message: messageShape })),
        has_more: z.boolean(),
      }),
    },
    handle: (request, platform) => {
      const { before = Number.POSITIVE_INFINITY, limit = 50 } = request.query;
      const access = anyChannelInView(platform, request.params.channel_id, request.caller);
      const found = pinsOf(platform, access).filter((message) => pinnedAt(message) < before);
      const viewer = viewerOf(platform, request);
      const items = found.slice(0, limit).map((message) => ({
        pinned_at: timestamp(pinnedAt(message)),
        message: messageAnswer(viewer, message),
      }));
      return ok({ items, has_more: found.length > limit });
    },
  }),
  defineOperation({
    id: 'create_pin',
    summary: 'Pins a message.',
    route: 'PUT /channels/{channel_id}/messages/pins/{message_id}',
    answers: { 204: null },
    handle: pin,
  }),
  defineOperation({
    id: 'delete_pin',
    summary: 'Unpins a message.',
    route: 'DELETE /channels/{channel_id}/messages/pins/{message_id}',
    answers: { 204: null },
    handle: unpin,
  }),
  defineOperation({
    id: 'deprecated_list_pins',
    summary: 'The last 50 pinned messages of a channel, by the older route.',
    route: 'GET /channels/{channel_id}/pins',
    answers: { 200: z.array(messageShape) },
    handle: (request, platform) => {
      const access = anyChannelInView(platform, request.params.channel_id, request.caller);
      const viewer = viewerOf(platform, request);
      return ok(
        pinsOf(platform, access)
          .slice(0, 50)
          .map((message) => messageAnswer(viewer, message)),
      );
    },
  }),
  defineOperation({
    id: 'deprecated_create_pin',
    summary: 'Pins a message, by the older route.',
    route: 'PUT /channels/{channel_id}/pins/{message_id}',
    answers: { 204: null },
    handle: pin,
  }),
  defineOperation({
    id: 'deprecated_delete_pin',
    summary: 'Unpins a message, by the older route.',
    route: 'DELETE /channels/{channel_id}/pins/{message_id}',
    answers: { 204: null },
    handle: unpin,
  }),
];
