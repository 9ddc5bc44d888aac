import { keepProfilesWithIdentities } from '../accounts/identities/identities.ts';
import type { StateRule } from '../api/world.ts';
import { dropLostThreads } from '../guilds/channels/channels.ts';
import { noteDeletedMessages } from '../guilds/channels/deleted-messages.ts';
import { settlePrivateChannels } from '../guilds/channels/private-rules.ts';
import { hideHiddenChannels } from '../guilds/client/client.ts';
import { endTemporaryMembership } from '../guilds/invites/temporary.ts';
import { settleVoice } from '../guilds/voice/voice-state-rules.ts';
import { endEmptyInstances } from '../interactions/activities/activities.ts';
import { pruneCommandPermissions } from '../interactions/commands/prune.ts';
import { dropLobbiesOfApplications } from '../lobbies/application-removal.ts';
import { endLobbyCalls } from '../lobbies/call-rules.ts';
import { mirrorLinkedChannels } from '../lobbies/mirror.ts';
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
