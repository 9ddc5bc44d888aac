import { accountOperations } from './accounts/routes.ts';
import { activityOperations } from './activities/routes.ts';
import { applicationAttachmentOperations } from './application-files/routes.ts';
import { roleConnectionOperations } from './applications/role-connections.ts';
import { applicationOperations } from './applications/routes.ts';
import { auditOperations } from './audit/routes.ts';
import { automodOperations } from './automod/routes.ts';
import { compatibleWebhookOperations } from './channel-webhooks/compatible-routes.ts';
import { executeWebhookOperations } from './channel-webhooks/execute-routes.ts';
import { followOperations } from './channel-webhooks/follow-routes.ts';
import { originalOperations } from './channel-webhooks/original-routes.ts';
import { channelWebhookOperations } from './channel-webhooks/routes.ts';
import { tokenWebhookOperations } from './channel-webhooks/token-routes.ts';
import { overwriteOperations } from './channels/overwrite-routes.ts';
import { privateChannelOperations } from './channels/private-routes.ts';
import { channelOperations } from './channels/routes.ts';
import { threadOperations } from './channels/thread-routes.ts';
import { voiceStatusOperations } from './channels/voice-status-routes.ts';
import { commandPermissionOperations } from './commands/permission-routes.ts';
import { commandOperations } from './commands/routes.ts';
import { joinRequestOperations } from './community/join-request-routes.ts';
import { onboardingOperations } from './community/onboarding-routes.ts';
import { welcomeOperations } from './community/welcome-routes.ts';
import { directMessageOperations } from './direct/routes.ts';
import { applicationEmojiOperations } from './expressions/application-emoji-routes.ts';
import { emojiOperations } from './expressions/emoji-routes.ts';
import { expressionFileOperations } from './expressions/file-routes.ts';
import { sendSoundOperations } from './expressions/send-sound.ts';
import { soundOperations } from './expressions/sound-routes.ts';
import { stickerOperations } from './expressions/sticker-routes.ts';
import { fileOperations } from './files/routes.ts';
import { gatewayOperations } from './gateway/routes.ts';
import { incidentOperations } from './guilds/incident-routes.ts';
import { myGuildOperations } from './guilds/my-guilds.ts';
import { previewOperations } from './guilds/preview-routes.ts';
import { roleOperations } from './guilds/role-routes.ts';
import { guildOperations } from './guilds/routes.ts';
import { headlessOperations } from './headless/routes.ts';
import { identityOperations } from './identities/routes.ts';
import { integrationOperations } from './integrations/routes.ts';
import { interactionOperations } from './interactions/routes.ts';
import { inviteOperations } from './invites/routes.ts';
import { inviteTargetOperations } from './invites/target-routes.ts';
import { lobbyLinkOperations } from './lobbies/link-routes.ts';
import { lobbyMemberOperations } from './lobbies/member-routes.ts';
import { lobbyMessageOperations } from './lobbies/message-routes.ts';
import { lobbyOperations } from './lobbies/routes.ts';
import { banOperations } from './members/ban-routes.ts';
import { memberChangeOperations } from './members/change-routes.ts';
import { pruneOperations } from './members/prune.ts';
import { memberOperations } from './members/routes.ts';
import { otherMessageOperations } from './messages/other-routes.ts';
import { pinOperations } from './messages/pin-routes.ts';
import { reactionOperations } from './messages/reaction-routes.ts';
import { messageOperations } from './messages/routes.ts';
import { threadCreationOperations } from './messages/thread-routes.ts';
import { discoveryOperations } from './oauth2/discovery.ts';
import { activateOperations } from './oauth2/pages/activate.ts';
import { pageOperations } from './oauth2/pages/routes.ts';
import { oauth2Operations } from './oauth2/routes.ts';
import type { Operation } from './operation.ts';
import type { Platform } from './platform.ts';
import { pollOperations } from './polls/routes.ts';
import { activitySecretOperations } from './presence/secret-routes.ts';
import { gameRelationshipOperations } from './relationships/game-routes.ts';
import { relationshipOperations } from './relationships/routes.ts';
import { eventExceptionOperations } from './scheduled-events/http/exception-routes.ts';
import { eventOperations } from './scheduled-events/http/routes.ts';
import { eventUserOperations } from './scheduled-events/http/user-routes.ts';
import { searchOperations } from './search/routes.ts';
import { threadSearchOperations } from './search/thread-routes.ts';
import { stageOperations } from './stages/routes.ts';
import { voiceStateOperations } from './stages/voice-state-routes.ts';
import { storeOperations } from './store/routes.ts';
import { subscriptionOperations } from './store/subscription-routes.ts';
import { templateOperations } from './templates/routes.ts';
import { userOperations } from './users/routes.ts';
import { widgetOperations } from './widget/routes.ts';

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
