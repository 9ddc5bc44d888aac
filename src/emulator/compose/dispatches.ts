import { playInviteDispatches } from '../accounts/direct/invite-dispatches.ts';
import type { Dispatch } from '../api/dispatch.ts';
import { storeDispatches } from '../applications/monetization/dispatches.ts';
import { auditDispatches } from '../guilds/audit/dispatches.ts';
import { automodDispatches } from '../guilds/automod/dispatches.ts';
import { channelDispatches } from '../guilds/channels/dispatches.ts';
import { privateChannelDispatches } from '../guilds/channels/private-dispatches.ts';
import { scheduledEventDispatches } from '../guilds/events/dispatches.ts';
import { expressionDispatches } from '../guilds/expressions/dispatches.ts';
import { integrationDispatches } from '../guilds/integrations/dispatches.ts';
import { inviteDispatches } from '../guilds/invites/dispatches.ts';
import { memberDispatches } from '../guilds/members/dispatches.ts';
import { presenceDispatches } from '../guilds/members/presence-dispatches.ts';
import { joinRequestDispatches } from '../guilds/onboarding/dispatches.ts';
import { roleDispatches } from '../guilds/roles/dispatches.ts';
import { stageDispatches } from '../guilds/stages/dispatches.ts';
import { threadDispatches } from '../guilds/threads/dispatches.ts';
import { voiceChannelEffectSend, voiceDispatches } from '../guilds/voice/dispatches.ts';
import { webhookDispatches } from '../interactions/channel-webhooks/dispatches.ts';
import { commandDispatches } from '../interactions/commands/dispatches.ts';
import { interactionDispatches } from '../interactions/dispatches.ts';
import { lobbyCallDispatches } from '../lobbies/call-dispatches.ts';
import { lobbyDispatches } from '../lobbies/dispatches.ts';
import { messageDispatches, typingStart } from '../messages/dispatches.ts';
import { pollDispatches } from '../messages/polls/dispatches.ts';
import { reactionDispatches } from '../messages/reactions/dispatches.ts';
import { gatewayDispatches } from '../serve/gateway/dispatches.ts';
import { guildDispatches } from '../serve/gateway/guild-dispatches.ts';
import { userDispatches } from '../users/dispatches.ts';
import { relationshipDispatches } from '../users/relationships/dispatches.ts';
import type { Platform } from './platform.ts';

/** Every event of the gateway. The events of one transaction are sent in this order. */
export const dispatches: readonly Dispatch<Platform>[] = [
  ...gatewayDispatches,
  ...userDispatches,
  ...guildDispatches,
  ...roleDispatches,
  ...memberDispatches,
  ...joinRequestDispatches,
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
