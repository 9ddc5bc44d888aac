import { banOperations } from '../accounts/bans/operations.ts';
import { accountOperations } from '../accounts/operations.ts';
import type { OperatorOperation } from '../api/operator.ts';
import { storeOperations } from '../applications/monetization/operations.ts';
import { clockOperations } from '../applications/webhooks/clock-operations.ts';
import { webhookOperations } from '../applications/webhooks/operations.ts';
import { inviteOperations } from '../guilds/invites/operations.ts';
import { onboardingOperations } from '../guilds/onboarding/operations.ts';
import { guildOperations } from '../guilds/operations.ts';
import { voiceOperations } from '../guilds/voice/operations.ts';
import { embeddedOperations } from '../interactions/activities/operations.ts';
import { interactionOperations } from '../interactions/player/operations.ts';
import { viewOperations } from '../interactions/view/operations.ts';
import { lobbyOperations } from '../lobbies/operations.ts';
import { messageActionOperations } from '../messages/action-operations.ts';
import { messageOperations } from '../messages/operations.ts';
import { gatewayOperations } from '../serve/gateway/operations.ts';
import { relationshipOperations } from '../users/relationships/operations.ts';
import type { Emulator } from './emulator.ts';
import { stateOperations } from './fixture/operations.ts';

/** Every operation of an operator on the emulator, except operations that need a connected app. One line per domain. */
export const operatorOperations: readonly OperatorOperation<Emulator>[] = [
  ...stateOperations,
  ...interactionOperations,
  ...viewOperations,
  ...voiceOperations,
  ...messageOperations,
  ...messageActionOperations,
  ...guildOperations,
  ...onboardingOperations,
  ...relationshipOperations,
  ...inviteOperations,
  ...lobbyOperations,
  ...storeOperations,
  ...accountOperations,
  ...banOperations,
  ...webhookOperations,
  ...gatewayOperations,
  ...embeddedOperations,
  ...clockOperations,
];
