import * as z from 'zod';
import { defineCommand } from '../command.ts';
import { AUTHENTICATED_SCOPE, anyOf, LOCAL_SCOPE } from '../scope.ts';
import { noArgs, nothing } from '../shapes/common.ts';

const pid = () => z.int().check(z.gte(0));
const closed = { code: 1000, message: 'The dialog was closed' } as const;

/** Opens the dialog that invites users to this activity. */
export const OPEN_INVITE_DIALOG = defineCommand({
  scope: anyOf('rpc', LOCAL_SCOPE, AUTHENTICATED_SCOPE),
  args: noArgs,
  result: nothing,
  recorded: { what: 'open the invite dialog', accepted: () => null, declined: closed },
});

/** Locks or unlocks the overlay's input over process `pid`. */
export const SET_OVERLAY_LOCKED = defineCommand({
  scope: anyOf(LOCAL_SCOPE),
  args: () => z.object({ locked: z.boolean(), pid: pid() }),
  result: nothing,
  recorded: { what: 'lock or unlock the overlay', accepted: () => null, declined: closed },
});

/** Displays the activity invite in the overlay. */
export const OPEN_OVERLAY_ACTIVITY_INVITE = defineCommand({
  scope: anyOf(LOCAL_SCOPE),
  args: () => z.object({ type: z.literal(1), pid: pid() }),
  result: nothing,
  recorded: { what: 'show an activity invite in the overlay', accepted: () => null, declined: closed },
});

/** Displays a guild invite in the overlay. */
export const OPEN_OVERLAY_GUILD_INVITE = defineCommand({
  scope: anyOf(LOCAL_SCOPE),
  args: () => z.object({ code: z.string().check(z.minLength(1), z.maxLength(256)), pid: pid() }),
  result: nothing,
  recorded: { what: 'show a guild invite in the overlay', accepted: () => null, declined: closed },
});

/** Displays the voice settings in the overlay. */
export const OPEN_OVERLAY_VOICE_SETTINGS = defineCommand({
  scope: anyOf(LOCAL_SCOPE),
  args: () => z.object({ pid: pid() }),
  result: nothing,
  recorded: { what: 'show the voice settings in the overlay', accepted: () => null, declined: closed },
});
