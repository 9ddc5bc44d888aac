import * as z from 'zod';
import { defineCommand, type Refusal } from '../command.ts';
import { AUTHENTICATED_SCOPE, anyOf, EMBEDDED_SCOPE, LOCAL_SCOPE, open } from '../scope.ts';
import { ignored, noArgs, nothing, snowflake, user } from '../shapes/common.ts';

const authenticated = anyOf(AUTHENTICATED_SCOPE);
const closed = { code: 1000, message: 'The dialog was closed' } as const;
const noQuests: Refusal = { code: 1000, message: 'Quests are not available here' };
const noProvider: Refusal = { code: 4019, message: 'provider: no connection provider is available here' };

/** Opens a link in the browser. */
export const OPEN_EXTERNAL_LINK = defineCommand({
  scope: anyOf(AUTHENTICATED_SCOPE, EMBEDDED_SCOPE),
  args: () => z.object({ url: z.url().check(z.maxLength(2048)) }),
  result: () => z.nullable(z.looseObject({ opened: z.nullable(z.boolean()) })),
  recorded: {
    what: 'open a link',
    accepted: () => ({ opened: true }),
    declined: { data: { opened: false } },
  },
});

/** Writes a line to the client's log; the emulator does not store it. */
export const CAPTURE_LOG = defineCommand({
  scope: open,
  args: () =>
    z.object({
      level: z.enum(['log', 'warn', 'debug', 'info', 'error']),
      message: z.string().check(z.maxLength(8192)),
    }),
  result: nothing,
});

/** Sends an analytics event; the emulator does not store it. */
export const SEND_ANALYTICS_EVENT = defineCommand({
  scope: open,
  args: () => z.object({ event_name: z.string().check(z.maxLength(256)), event_properties: ignored() }),
  result: nothing,
});

/** Prompts the user to turn hardware acceleration on. */
export const ENCOURAGE_HW_ACCELERATION = defineCommand({
  scope: open,
  args: noArgs,
  result: () => z.nullable(z.looseObject({ enabled: z.boolean() })),
  recorded: {
    what: 'turn hardware acceleration on',
    accepted: () => ({ enabled: true }),
    declined: { data: { enabled: false } },
  },
});

/** Locks the screen's orientation on a phone. */
export const SET_ORIENTATION_LOCK_STATE = defineCommand({
  scope: open,
  args: () =>
    z.object({
      lock_state: z.int().check(z.gte(1), z.lte(3)),
      picture_in_picture_lock_state: z.nullish(z.int().check(z.gte(1), z.lte(3))),
      grid_lock_state: z.nullish(z.int().check(z.gte(1), z.lte(3))),
    }),
  result: nothing,
  refusal: { code: 1000, message: 'There is no screen orientation to lock here' },
});

/** Properties of the client on this platform. A desktop client has none of the documented properties. */
export const GET_PLATFORM_BEHAVIORS = defineCommand({
  scope: open,
  args: noArgs,
  result: () => z.looseObject({ iosKeyboardResizesView: z.optional(z.boolean()) }),
});

/** Requests interactive picture in picture; the answer states whether this mode is available. */
export const SET_CONFIG = defineCommand({
  scope: open,
  args: () => z.object({ use_interactive_pip: z.boolean() }),
  result: () => z.looseObject({ use_interactive_pip: z.boolean() }),
});

/** Participants of this activity's instance. */
export const GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS = defineCommand({
  scope: authenticated,
  args: noArgs,
  result: () => z.looseObject({ participants: z.array(user().extend({ nickname: z.optional(z.string()) })) }),
});

/** Opens the dialog that shares a picture or video. */
export const OPEN_SHARE_MOMENT_DIALOG = defineCommand({
  scope: authenticated,
  args: () => z.object({ mediaUrl: z.url().check(z.maxLength(1024)) }),
  result: nothing,
  recorded: { what: 'share a moment', accepted: () => null, declined: closed },
});

/** Lets the user choose and upload a picture. */
export const INITIATE_IMAGE_UPLOAD = defineCommand({
  scope: anyOf('rpc', LOCAL_SCOPE, AUTHENTICATED_SCOPE),
  args: noArgs,
  result: () => z.looseObject({ image_url: z.string() }),
  recorded: {
    what: 'upload a picture',
    accepted: () => ({ image_url: 'https://cdn.discordapp.com/attachments/1/1/picture.png' }),
    declined: closed,
  },
});

/** Shares a link to this activity. */
export const SHARE_LINK = defineCommand({
  scope: authenticated,
  args: () =>
    z.object({
      message: z.string().check(z.maxLength(1000)),
      custom_id: z.optional(z.string().check(z.maxLength(64))),
      link_id: z.optional(z.string().check(z.maxLength(64))),
    }),
  result: () =>
    z.looseObject({ success: z.boolean(), didCopyLink: z.boolean(), didSendMessage: z.boolean() }),
  recorded: {
    what: 'share a link',
    accepted: () => ({ success: true, didCopyLink: true, didSendMessage: false }),
    declined: { data: { success: false, didCopyLink: false, didSendMessage: false } },
  },
});

/** Shares an application command's result. */
export const SHARE_INTERACTION = defineCommand({
  scope: anyOf(AUTHENTICATED_SCOPE, LOCAL_SCOPE),
  args: () =>
    z.object({
      command: z.string().check(z.minLength(1), z.maxLength(256)),
      options: z.optional(
        z
          .array(
            z.object({
              name: z.string().check(z.maxLength(256)),
              value: z.string().check(z.maxLength(6000)),
            }),
          )
          .check(z.maxLength(25)),
      ),
      content: z.optional(z.string().check(z.maxLength(2000))),
      require_launch_channel: z.optional(z.boolean()),
      preview_image: z.optional(
        z.object({ height: z.number(), url: z.string().check(z.maxLength(2048)), width: z.number() }),
      ),
      components: z.optional(z.array(z.unknown()).check(z.maxLength(25))),
      pid: z.optional(z.int().check(z.gte(0))),
    }),
  result: () => z.looseObject({ success: z.boolean() }),
  recorded: {
    what: 'share a command',
    accepted: () => ({ success: true }),
    declined: { data: { success: false } },
  },
});

/** Invites a user to the embedded activity. */
export const INVITE_USER_EMBEDDED = defineCommand({
  scope: anyOf('relationships.read'),
  args: () => z.object({ user_id: snowflake(), content: z.optional(z.string().check(z.maxLength(1024))) }),
  result: nothing,
  recorded: { what: 'invite a user', accepted: () => null, declined: closed },
});

/** A new ticket for the activity proxy. */
export const REQUEST_PROXY_TICKET_REFRESH = defineCommand({
  scope: authenticated,
  args: noArgs,
  result: () => z.looseObject({ ticket: z.string() }),
  refusal: { code: 1000, message: 'There is no activity proxy here' },
});

const providerArgs = () =>
  z.object({
    provider: z.string().check(z.maxLength(64)),
    connection_redirect: z.optional(z.string().check(z.maxLength(2048))),
  });
const providerToken = () => z.looseObject({ access_token: z.string() });

/** The access token of an external connection. */
export const GET_PROVIDER_ACCESS_TOKEN = defineCommand({
  scope: authenticated,
  args: providerArgs,
  result: providerToken,
  refusal: noProvider,
});

/** The access token of an external connection, or an error when the user has no such connection. */
export const MAYBE_GET_PROVIDER_ACCESS_TOKEN = defineCommand({
  scope: authenticated,
  args: providerArgs,
  result: providerToken,
  refusal: { code: 5013, message: 'The user has no such connection' },
});

/** Opens the user's connections. */
export const NAVIGATE_TO_CONNECTIONS = defineCommand({
  scope: authenticated,
  args: noArgs,
  result: nothing,
  recorded: { what: 'open the connections page', accepted: () => null, declined: closed },
});

const questArgs = () => z.object({ quest_id: snowflake() });

/** Whether the user takes part in a quest. */
export const GET_QUEST_ENROLLMENT_STATUS = defineCommand({
  scope: anyOf('identify'),
  args: questArgs,
  result: () =>
    z.looseObject({ quest_id: z.string(), is_enrolled: z.boolean(), enrolled_at: z.nullable(z.string()) }),
  refusal: noQuests,
});

/** Starts a quest's timer. */
export const QUEST_START_TIMER = defineCommand({
  scope: anyOf('identify'),
  args: questArgs,
  result: () => z.looseObject({ success: z.boolean() }),
  refusal: noQuests,
});

/** One quest. */
export const GET_QUEST = defineCommand({
  scope: anyOf('identify'),
  args: questArgs,
  result: () => z.looseObject({}),
  refusal: noQuests,
});
