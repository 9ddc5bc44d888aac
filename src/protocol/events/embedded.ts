import * as z from 'zod';
import { defineEvent } from '../event.ts';
import { AUTHENTICATED_SCOPE, anyOf, LOCAL_SCOPE, open } from '../scope.ts';
import { ignored, noArgs, user } from '../shapes/common.ts';

/** Whether the overlay is on and locked over process `pid`. Error 4004 for a pid below 10. */
export const OVERLAY_UPDATE = defineEvent({
  kind: 'state',
  scope: anyOf(LOCAL_SCOPE),
  args: () => z.object({ pid: z.int() }),
  data: () => z.looseObject({ enabled: z.boolean(), locked: z.boolean() }),
});

/** The user joined a quest. The emulator has no quests. */
export const QUEST_ENROLLMENT_STATUS_UPDATE = defineEvent({
  scope: anyOf('identify'),
  args: ignored,
  data: () =>
    z.looseObject({ quest_id: z.string(), is_enrolled: z.boolean(), enrolled_at: z.nullable(z.string()) }),
  refusal: { code: 1000, message: 'Quests are not available here' },
});

/** Layout of the embedded activity: 0 focused, 1 picture in picture, 2 grid. */
export const ACTIVITY_LAYOUT_MODE_UPDATE = defineEvent({
  scope: open,
  args: noArgs,
  data: () => z.looseObject({ layout_mode: z.int().check(z.gte(0), z.lte(2)) }),
});

/** Layout of the frame that contains the app, with the values of ACTIVITY_LAYOUT_MODE_UPDATE. */
export const FRAME_LAYOUT_MODE_UPDATE = defineEvent({
  scope: open,
  args: noArgs,
  data: () => z.looseObject({ layout_mode: z.int().check(z.gte(0), z.lte(2)) }),
});

/** Whether the embedded activity is in picture in picture. */
export const ACTIVITY_PIP_MODE_UPDATE = defineEvent({
  scope: open,
  args: noArgs,
  data: () => z.looseObject({ is_pip_mode: z.boolean() }),
});

/** Thermal state of the device, from 0 to 3. */
export const THERMAL_STATE_UPDATE = defineEvent({
  scope: anyOf(AUTHENTICATED_SCOPE),
  args: noArgs,
  data: () => z.looseObject({ thermal_state: z.int().check(z.gte(0), z.lte(3)) }),
});

/** Orientation of the screen, from 1 to 3. */
export const ORIENTATION_UPDATE = defineEvent({
  scope: anyOf(AUTHENTICATED_SCOPE),
  args: noArgs,
  data: () => z.looseObject({ screen_orientation: z.int().check(z.gte(1), z.lte(3)) }),
});

/** Participants of this activity's instance. */
export const ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE = defineEvent({
  scope: anyOf(AUTHENTICATED_SCOPE),
  args: noArgs,
  data: () => z.looseObject({ participants: z.array(user().extend({ nickname: z.optional(z.string()) })) }),
});
