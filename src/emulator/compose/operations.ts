import { directMessageOperations } from '../accounts/direct/routes.ts';
import { headlessOperations } from '../accounts/headless/routes.ts';
import { identityOperations } from '../accounts/identities/routes.ts';
import { discoveryOperations } from '../accounts/oauth2/discovery.ts';
import { activateOperations } from '../accounts/oauth2/pages/activate.ts';
import { pageOperations } from '../accounts/oauth2/pages/routes.ts';
import { oauth2Operations } from '../accounts/oauth2/routes.ts';
import { accountOperations } from '../accounts/routes.ts';
import type { Operation } from '../api/operation.ts';
import { applicationAttachmentOperations } from '../applications/files/routes.ts';
import { storeOperations } from '../applications/monetization/routes.ts';
import { subscriptionOperations } from '../applications/monetization/subscription-routes.ts';
import { roleConnectionOperations } from '../applications/role-connections.ts';
import { applicationOperations } from '../applications/routes.ts';
import { fileOperations } from '../files/routes.ts';
import { auditOperations } from '../guilds/audit/routes.ts';
import { automodOperations } from '../guilds/automod/routes.ts';
import { banOperations } from '../guilds/bans/routes.ts';
import { overwriteOperations } from '../guilds/channels/overwrite-routes.ts';
import { privateChannelOperations } from '../guilds/channels/private-routes.ts';
import { channelOperations } from '../guilds/channels/routes.ts';
import { voiceStatusOperations } from '../guilds/channels/voice-status-routes.ts';
import { applicationEmojiOperations, emojiOperations } from '../guilds/emoji/routes.ts';
import { eventExceptionOperations } from '../guilds/events/exception-routes.ts';
import { eventOperations } from '../guilds/events/routes.ts';
import { eventUserOperations } from '../guilds/events/user-routes.ts';
import { expressionFileOperations } from '../guilds/expressions/file-routes.ts';
import { sendSoundOperations } from '../guilds/expressions/send-sound.ts';
import { soundOperations } from '../guilds/expressions/sound-routes.ts';
import { integrationOperations } from '../guilds/integrations/routes.ts';
import { inviteOperations } from '../guilds/invites/routes.ts';
import { inviteTargetOperations } from '../guilds/invites/target-routes.ts';
import { memberChangeOperations } from '../guilds/members/change-routes.ts';
import { pruneOperations } from '../guilds/members/prune.ts';
import { memberOperations } from '../guilds/members/routes.ts';
import { myGuildOperations } from '../guilds/my-guilds.ts';
import { joinRequestOperations } from '../guilds/onboarding/join-request-routes.ts';
import { onboardingOperations } from '../guilds/onboarding/onboarding-routes.ts';
import { welcomeOperations } from '../guilds/onboarding/welcome-routes.ts';
import { previewOperations } from '../guilds/preview-routes.ts';
import { roleOperations } from '../guilds/roles/routes.ts';
import { guildOperations, incidentOperations } from '../guilds/routes.ts';
import { stageOperations } from '../guilds/stages/routes.ts';
import { voiceStateOperations } from '../guilds/stages/voice-state-routes.ts';
import { stickerOperations } from '../guilds/stickers/routes.ts';
import { templateOperations } from '../guilds/templates/routes.ts';
import { threadOperations } from '../guilds/threads/routes.ts';
import { widgetOperations } from '../guilds/widget/routes.ts';
import { activityOperations } from '../interactions/activities/routes.ts';
import { compatibleWebhookOperations } from '../interactions/channel-webhooks/compatible-routes.ts';
import {
  executeWebhookOperations,
  originalOperations,
} from '../interactions/channel-webhooks/execute-routes.ts';
import { followOperations } from '../interactions/channel-webhooks/follow-routes.ts';
import { channelWebhookOperations } from '../interactions/channel-webhooks/routes.ts';
import { tokenWebhookOperations } from '../interactions/channel-webhooks/token-routes.ts';
import { commandPermissionOperations } from '../interactions/commands/permission-routes.ts';
import { commandOperations } from '../interactions/commands/routes.ts';
import { interactionOperations } from '../interactions/routes.ts';
import { lobbyLinkOperations } from '../lobbies/link-routes.ts';
import { lobbyMessageOperations } from '../lobbies/message-routes.ts';
import { lobbyMemberOperations, lobbyOperations } from '../lobbies/routes.ts';
import { pinOperations } from '../messages/pin-routes.ts';
import { pollOperations } from '../messages/polls/routes.ts';
import { reactionOperations } from '../messages/reactions/routes.ts';
import { messageOperations, otherMessageOperations } from '../messages/routes.ts';
import { searchOperations, threadSearchOperations } from '../messages/search/routes.ts';
import { threadCreationOperations } from '../messages/thread-routes.ts';
import { gatewayOperations } from '../serve/gateway/routes.ts';
import { activitySecretOperations } from '../users/presence/secret-routes.ts';
import { gameRelationshipOperations } from '../users/relationships/game-routes.ts';
import { relationshipOperations } from '../users/relationships/routes.ts';
import { userOperations } from '../users/routes.ts';
import type { Platform } from './platform.ts';

/** Every operation of the HTTP API, in the order of the reference. */
export const operations: readonly Operation<Platform>[] = [
  ...oauth2Operations,
  ...discoveryOperations,
  ...pageOperations,
  ...activateOperations,
  ...userOperations,
  ...relationshipOperations,
  ...gameRelationshipOperations,
  ...accountOperations,
  ...applicationOperations,
  ...applicationAttachmentOperations,
  ...activityOperations,
  ...roleConnectionOperations,
  ...commandOperations,
  ...commandPermissionOperations,
  ...guildOperations,
  ...incidentOperations,
  ...previewOperations,
  ...widgetOperations,
  ...templateOperations,
  ...integrationOperations,
  ...myGuildOperations,
  ...roleOperations,
  ...memberOperations,
  ...memberChangeOperations,
  ...banOperations,
  ...pruneOperations,
  ...auditOperations,
  ...inviteOperations,
  ...inviteTargetOperations,
  ...emojiOperations,
  ...applicationEmojiOperations,
  ...stickerOperations,
  ...soundOperations,
  ...sendSoundOperations,
  ...eventOperations,
  ...eventExceptionOperations,
  ...eventUserOperations,
  ...stageOperations,
  ...voiceStateOperations,
  ...expressionFileOperations,
  ...automodOperations,
  ...welcomeOperations,
  ...onboardingOperations,
  ...identityOperations,
  ...storeOperations,
  ...subscriptionOperations,
  ...joinRequestOperations,
  ...gatewayOperations,
  ...channelOperations,
  ...privateChannelOperations,
  ...directMessageOperations,
  ...activitySecretOperations,
  ...headlessOperations,
  ...overwriteOperations,
  ...voiceStatusOperations,
  ...threadOperations,
  ...messageOperations,
  ...fileOperations,
  ...searchOperations,
  ...threadSearchOperations,
  ...threadCreationOperations,
  ...reactionOperations,
  ...pinOperations,
  ...otherMessageOperations,
  ...lobbyOperations,
  ...lobbyMemberOperations,
  ...lobbyLinkOperations,
  ...lobbyMessageOperations,
  ...channelWebhookOperations,
  ...tokenWebhookOperations,
  ...executeWebhookOperations,
  ...compatibleWebhookOperations,
  ...followOperations,
  ...pollOperations,
  ...interactionOperations,
  ...originalOperations,
];
