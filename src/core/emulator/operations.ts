import type { AnswerRule } from '../../emulator/api/waiting-request.ts';
import type { AdminOperation } from '../core.ts';
import { accountOperations } from './account/operations.ts';
import { activityOperations } from './activity/operations.ts';
import type { Shared } from './app-session.ts';
import { authorizationOperations } from './authorization/operations.ts';
import { banOperations } from './bans/operations.ts';
import { clockOperations } from './clock/operations.ts';
import { embeddedOperations } from './embedded/operations.ts';
import { gatewayOperations } from './gateway/operations.ts';
import { guildOperations } from './guild/operations.ts';
import { interactionOperations } from './interaction/operations.ts';
import { inviteOperations } from './invite/operations.ts';
import { lobbyOperations } from './lobby/operations.ts';
import { overlayOperations } from './overlay/operations.ts';
import { relationshipOperations } from './relationship/operations.ts';
import { requestOperations } from './requests/operations.ts';
import { stateOperations } from './state/operations.ts';
import { storeOperations } from './store/operations.ts';
import { userOperations } from './user/operations.ts';
import { voiceOperations } from './voice/operations.ts';
import { webhookOperations } from './webhook/operations.ts';

/**
 * What a person can do to the emulator: `footbridge requests`, `approve`, `emulator …` call these; one line for each domain.
 * `mayAnswer` says who may allow what waits.
 */
export function operations(
  shared: Shared,
  mayAnswer: AnswerRule,
): { readonly [name: string]: AdminOperation } {
  const { emulator } = shared;
  return {
    ...stateOperations(shared),
    ...clockOperations(emulator),
    ...guildOperations(emulator),
    ...gatewayOperations(emulator),
    ...lobbyOperations(emulator),
    ...interactionOperations(emulator),
    ...inviteOperations(emulator),
    ...storeOperations(emulator),
    ...voiceOperations(emulator),
    ...relationshipOperations(emulator),
    ...userOperations(emulator),
    ...accountOperations(emulator),
    ...banOperations(emulator),
    ...webhookOperations(emulator),
    ...overlayOperations(emulator),
    ...activityOperations(shared),
    ...embeddedOperations(emulator),
    ...requestOperations(shared, mayAnswer),
    ...authorizationOperations(shared),
  };
}
