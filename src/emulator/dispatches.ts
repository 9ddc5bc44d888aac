import { auditDispatches } from './audit/dispatches.ts';
import { automodDispatches } from './automod/dispatches.ts';
import { webhookDispatches } from './channel-webhooks/dispatches.ts';
import { channelDispatches } from './channels/dispatches.ts';
import { privateChannelDispatches } from './channels/private-dispatches.ts';
import { threadDispatches } from './channels/thread-dispatches.ts';
import { commandDispatches } from './commands/dispatches.ts';
import type { Dispatch } from './dispatch.ts';
import { expressionDispatches } from './expressions/dispatches.ts';
import { gatewayDispatches } from './gateway/dispatches.ts';
import { guildDispatches } from './gateway/guild-dispatches.ts';
import { roleDispatches } from './guilds/role-dispatches.ts';
import { integrationDispatches } from './integrations/dispatches.ts';
import { interactionDispatches } from './interactions/dispatches.ts';
import { inviteDispatches } from './invites/dispatches.ts';
import { lobbyCallDispatches } from './lobbies/call-dispatches.ts';
import { lobbyDispatches } from './lobbies/dispatches.ts';
import { memberDispatches } from './members/dispatches.ts';
import { messageDispatches, typingStart } from './messages/dispatches.ts';
import { reactionDispatches } from './messages/reaction-dispatches.ts';
import type { Platform } from './platform.ts';
import { pollDispatches } from './polls/dispatches.ts';
import { presenceDispatches } from './presence/dispatches.ts';
import { playInviteDispatches } from './presence/invite-dispatches.ts';
import { relationshipDispatches } from './relationships/dispatches.ts';
import { scheduledEventDispatches } from './scheduled-events/dispatches.ts';
import { stageDispatches } from './stages/dispatches.ts';
import { storeDispatches } from './store/dispatches.ts';
import { userDispatches } from './users/dispatches.ts';
import { voiceChannelEffectSend, voiceDispatches } from './voice/dispatches.ts';

/** Every event of the gateway. Of one transaction they are told in this order. */
export const dispatches: readonly Dispatch<Platform>[] = [
  ...gatewayDispatches,
  ...userDispatches,
  ...guildDispatches,
  ...roleDispatches,
  ...memberDispatches,
  ...channelDispatches,
  ...privateChannelDispatches,
  ...threadDispatches,
  ...messageDispatches,
  ...reactionDispatches,
  ...pollDispatches,
  typingStart,
  ...voiceDispatches,
  voiceChannelEffectSend,
  ...stageDispatches,
  ...scheduledEventDispatches,
  ...expressionDispatches,
  ...integrationDispatches,
  ...webhookDispatches,
  ...inviteDispatches,
  ...automodDispatches,
  ...commandDispatches,
  ...auditDispatches,
  ...interactionDispatches,
  ...presenceDispatches,
  ...relationshipDispatches,
  ...lobbyDispatches,
  ...lobbyCallDispatches,
  ...playInviteDispatches,
  ...storeDispatches,
];
