import { auditDispatches } from './audit/dispatches.ts';
import { automodDispatches } from './automod/dispatches.ts';
import { webhookDispatches } from './channel-webhooks/dispatches.ts';
import { channelDispatches } from './channels/dispatches.ts';
import { threadDispatches } from './channels/thread-dispatches.ts';
import type { Dispatch } from './dispatch.ts';
import { expressionDispatches } from './expressions/dispatches.ts';
import { gatewayDispatches } from './gateway/dispatches.ts';
import { guildDispatches } from './gateway/guild-dispatches.ts';
import { roleDispatches } from './guilds/role-dispatches.ts';
import { integrationDispatches } from './integrations/dispatches.ts';
import { interactionDispatches } from './interactions/dispatches.ts';
import { inviteDispatches } from './invites/dispatches.ts';
import { memberDispatches } from './members/dispatches.ts';
import { scheduledEventDispatches } from './scheduled-events/dispatches.ts';
import { stageDispatches } from './stages/dispatches.ts';

/** Every event of the gateway. Of one transaction they are told in this order. */
export const dispatches: readonly Dispatch[] = [
  ...gatewayDispatches,
  ...guildDispatches,
  ...roleDispatches,
  ...memberDispatches,
  ...channelDispatches,
  ...threadDispatches,
  ...stageDispatches,
  ...scheduledEventDispatches,
  ...expressionDispatches,
  ...integrationDispatches,
  ...webhookDispatches,
  ...inviteDispatches,
  ...automodDispatches,
  ...auditDispatches,
  ...interactionDispatches,
];
