import * as z from 'zod';
import { defineEvent } from '../event.ts';
import { AUTHENTICATED_SCOPE, anyOf, LOCAL_SCOPE } from '../scope.ts';
import { noArgs, user } from '../shapes/common.ts';
import { entitlement } from '../shapes/store.ts';

const member = anyOf('rpc', AUTHENTICATED_SCOPE, LOCAL_SCOPE);
const local = anyOf('rpc', LOCAL_SCOPE);
const secret = () => z.looseObject({ secret: z.string() });
const invite = () =>
  z.looseObject({
    type: z.int(),
    user: user(),
    activity: z.looseObject({}),
    channel_id: z.string(),
    message_id: z.string(),
  });

/** The user joins another user's party, and the app must use `secret` to enter it. */
export const ACTIVITY_JOIN = defineEvent({
  scope: member,
  about: ['invitations to play'],
  args: noArgs,
  data: secret,
});

/** The user watches another user's game, and the app must use `secret` to show it. */
export const ACTIVITY_SPECTATE = defineEvent({
  scope: member,
  about: ['invitations to play'],
  args: noArgs,
  data: secret,
});

/** A user requests to join this app's party. */
export const ACTIVITY_JOIN_REQUEST = defineEvent({
  scope: local,
  about: ['invitations to play'],
  args: noArgs,
  data: invite,
});

/** Another user invites the client's user to their party. */
export const ACTIVITY_INVITE = defineEvent({
  scope: local,
  about: ['invitations to play'],
  args: noArgs,
  data: invite,
});

/** Deprecated alias of ACTIVITY_JOIN. */
export const GAME_JOIN = defineEvent({
  scope: local,
  about: ['invitations to play'],
  args: noArgs,
  data: secret,
});

/** Older alias of ACTIVITY_SPECTATE. */
export const GAME_SPECTATE = defineEvent({
  scope: local,
  about: ['invitations to play'],
  args: noArgs,
  data: secret,
});

const entitlementData = () => z.looseObject({ entitlement: entitlement() });

/** The user received an entitlement of this application. */
export const ENTITLEMENT_CREATE = defineEvent({
  scope: anyOf(LOCAL_SCOPE, AUTHENTICATED_SCOPE),
  args: noArgs,
  data: entitlementData,
});

/** The user lost an entitlement of this application. */
export const ENTITLEMENT_DELETE = defineEvent({
  scope: anyOf(LOCAL_SCOPE, AUTHENTICATED_SCOPE),
  args: noArgs,
  data: entitlementData,
});
