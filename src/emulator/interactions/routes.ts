import * as z from 'zod';
import { flagText, namedShape } from '../api/fields.ts';
import { anybody, noContent, ok, operationsFor } from '../api/operation.ts';
import { messageAnswer } from '../messages/answers.ts';
import { MESSAGE_BODY } from '../messages/attachments/uploads.ts';
import { MESSAGE_FLAGS } from '../messages/records.ts';
import { messageShape } from '../messages/shapes.ts';
import { type Answering, takeAnswer } from './callback.ts';
import { callbackBody } from './callback-body.ts';
import { viewerOfAnswers } from './ephemeral.ts';
import type { Interaction } from './records.ts';

const defineOperation = operationsFor<Answering>();

const answered = namedShape('InteractionCallbackResponse', {
  interaction: z.object({
    id: z.string(),
    type: z.int(),
    activity_instance_id: z.optional(z.string()),
    response_message_id: z.optional(z.string()),
    response_message_loading: z.optional(z.boolean()),
    response_message_ephemeral: z.optional(z.boolean()),
    channel_id: z.optional(z.string()),
    guild_id: z.optional(z.string()),
  }),
  resource: z.optional(
    z.object({
      type: z.int(),
      message: z.optional(messageShape),
      activity_instance: z.optional(z.object({ id: z.string() })),
    }),
  ),
});

/** Result of an interaction, for the response to the callback request. */
function answeredAnswer(platform: Answering, { id }: Interaction, base: string): z.output<typeof answered> {
  const { state, type, channel } = platform.interactions.get(id) as Interaction;
  const guild = platform.world.tables.channels.get(channel)?.guild;
  const known = { id, type, channel_id: channel, ...(guild === undefined ? {} : { guild_id: guild }) };
  if (state.kind === 'launched') {
    const { instance } = state;
    return {
      interaction: { ...known, activity_instance_id: instance },
      resource: { type: 12, activity_instance: { id: instance } },
    };
  }
  const message = 'message' in state ? platform.interactions.message(state.message ?? '') : undefined;
  if (!('message' in state) || message === undefined) return { interaction: known };
  const flags = message.flags ?? 0;
  return {
    interaction: {
      ...known,
      response_message_id: message.id,
      response_message_loading: (flags & MESSAGE_FLAGS.loading) !== 0,
      response_message_ephemeral: (flags & MESSAGE_FLAGS.ephemeral) !== 0,
    },
    ...(state.kind === 'deferred'
      ? {}
      : {
          resource: {
            type: state.by,
            message: messageAnswer(viewerOfAnswers(platform, base, message), message),
          },
        }),
  };
}

/** Operations with which an application answers interactions. */
export const interactionOperations = [
  defineOperation({
    id: 'create_interaction_response',
    summary: 'Answers an interaction, within 3 seconds and once.',
    route: 'POST /interactions/{interaction_id}/{interaction_token}/callback',
    isUnlimited: true,
    who: [anybody],
    query: z.object({ with_response: z.optional(flagText()) }),
    body: callbackBody,
    ...MESSAGE_BODY,
    notOffered: [
      'data.poll.question.emoji',
      'data.attachments.[].is_remix',
      'data.eligible',
      'data.ineligible_reason',
      'data.ineligible_reason_description',
    ],
    ours: 'A callback type that the interaction does not allow is refused with BASE_TYPE_CHOICES, and so is a launch without an activity. An answer after 3 seconds gets 10062. A refused answer leaves the interaction waiting.',
    answers: { 200: answered, 204: null },
    handle: async ({ params, query, body, files, base }, platform) => {
      const reference = { id: params.interaction_id, token: params.interaction_token };
      const interaction = await takeAnswer(platform, reference, body, files);
      if (query.with_response !== true) return noContent();
      return ok(answeredAnswer(platform, interaction, base));
    },
  }),
];
