import { keepProfilesWithIdentities } from '../accounts/identities/identities.ts';
import type { StateRule } from '../api/world.ts';
import { dropLostThreads } from '../guilds/channels/channels.ts';
import { noteDeletedMessages } from '../guilds/channels/deleted-messages.ts';
import { settlePrivateChannels } from '../guilds/channels/private-channels.ts';
import { hideHiddenChannels } from '../guilds/client/client.ts';
import { endTemporaryMembership } from '../guilds/invites/temporary.ts';
import { settleVoice } from '../guilds/voice/voice-state-rules.ts';
import { endEmptyInstances } from '../interactions/activities/activities.ts';
import { pruneCommandPermissions } from '../interactions/commands/prune.ts';
import { mirrorLinkedChannels } from '../lobbies/mirror.ts';
import { dropLobbiesOfApplications, endLobbyCalls } from '../lobbies/rules.ts';
import { followCrossposts } from '../messages/crossposts.ts';
import { endInvites } from '../users/presence/invitations.ts';

/** Rules that complete a transaction, in the order in which they are applied. */
export const rules: readonly StateRule[] = [
  dropLostThreads,
  settlePrivateChannels,
  followCrossposts,
  noteDeletedMessages,
  endTemporaryMembership,
  keepProfilesWithIdentities,
  settleVoice,
  hideHiddenChannels,
  mirrorLinkedChannels,
  dropLobbiesOfApplications,
  endLobbyCalls,
  pruneCommandPermissions,
  endEmptyInstances,
  endInvites,
];
