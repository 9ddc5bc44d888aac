import * as z from 'zod';

/** An answer message: the platform's message object, and whether it is ephemeral. */
export const answerMessage = () =>
  z.looseObject({
    id: z.string(),
    channel_id: z.string(),
    content: z.string(),
    flags: z.number(),
    embeds: z.array(z.looseObject({})),
    components: z.array(z.looseObject({})),
    attachments: z.array(z.looseObject({ id: z.string(), filename: z.string(), url: z.string() })),
    /** True for a message that only the user of the application sees. */
    ephemeral: z.boolean(),
  });

/** An interaction with its current result. */
export const interactionResult = () =>
  z.object({
    id: z.string(),
    type: z.enum(['command', 'component', 'autocomplete', 'modal']),
    application: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), username: z.string() }),
    channel: z.object({ id: z.string(), name: z.nullable(z.string()) }),
    /** The used command, such as `/tide set`, or the custom id of the component or modal. */
    used: z.string(),
    state: z.enum(['waiting', 'deferred', 'answered', 'modal', 'choices', 'premium', 'launched', 'failed']),
    /** Reason of a failure. */
    reason: z.optional(z.string()),
    /**
     * The written message or, with `is_update`, the message of the used component. Absent when that message was deleted.
     */
    message: z.optional(answerMessage()),
    is_update: z.optional(z.boolean()),
    modal: z.optional(
      z.object({
        custom_id: z.string(),
        title: z.string(),
        components: z.array(z.looseObject({})),
      }),
    ),
    choices: z.optional(z.array(z.object({ name: z.string(), value: z.union([z.string(), z.number()]) }))),
    /** Id of the launched activity instance. */
    instance: z.optional(z.string()),
    /** Follow-up messages, oldest first. */
    follow_ups: z.array(answerMessage()),
  });

/** Description of the fields of {@link interactionResult}. */
export const INTERACTION_RESULT_TEXT =
  'An interaction with its current result. Private channels have no name. `used` is a command such as `/berth book`, or the ' +
  'custom id of a component or a modal. `state`: `deferred`: the final answer or edit is still to come; `failed`: no answer within ' +
  '3 seconds of the clock, or no usable one, with the `reason`; `waiting`: no answer yet, because the clock stands still. `message` ' +
  'is the written message or, with `is_update`, the edited message of the component; absent where it was deleted. `modal` is the ' +
  'opened modal: `interaction.submit` with the id of this interaction submits it. `instance` is the id of the launched activity. ' +
  '`follow_ups` are the follow-up messages of the application, oldest first.';

/** An interaction with its current result. */
export type InteractionView = z.output<ReturnType<typeof interactionResult>>;
