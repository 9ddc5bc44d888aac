import { defineEvent } from '../event.ts';
import { anyOf, LOCAL_SCOPE, open } from '../scope.ts';
import { noArgs, nothing, user } from '../shapes/common.ts';

/** The user asks this app to begin linking their account (`emulator ask-link`). */
export const AUTHORIZE_REQUEST = defineEvent({ scope: open, args: noArgs, data: nothing });

/** The logged-in user changed. */
export const CURRENT_USER_UPDATE = defineEvent({
  kind: 'state',
  scope: anyOf(LOCAL_SCOPE, 'identify'),
  about: ['profile'],
  args: noArgs,
  data: user,
});
