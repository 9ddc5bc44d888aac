import { endEmptyInstances } from './activities/activities.ts';
import { dropLostThreads } from './channels/channels.ts';
import { settlePrivateChannels } from './channels/private-rules.ts';
import { showNoHiddenChannel } from './client/client.ts';
import { pruneCommandPermissions } from './commands/prune.ts';
import { keepProfilesWithIdentities } from './identities/identities.ts';
import { endTemporaryMembership } from './invites/temporary.ts';
import { endLobbyCalls } from './lobbies/call-rules.ts';
import { dropLobbiesOfApplications } from './lobbies/drop.ts';
import { mirrorLinkedChannels } from './lobbies/mirror.ts';
import { followCrossposts } from './messages/crossposts.ts';
import { endInvites } from './presence/invitations.ts';
import { settleVoice } from './voice/settle.ts';
import type { StateRule } from './world.ts';

/** What follows from a transaction by itself, in the order in which it is looked at. */
export const rules: readonly StateRule[] = [
  dropLostThreads,
  settlePrivateChannels,
  followCrossposts,
  endTemporaryMembership,
  keepProfilesWithIdentities,
  settleVoice,
  showNoHiddenChannel,
  mirrorLinkedChannels,
  dropLobbiesOfApplications,
  endLobbyCalls,
  pruneCommandPermissions,
  endEmptyInstances,
  endInvites,
];
