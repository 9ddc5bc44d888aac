import { accountOperations } from './accounts/routes.ts';
import { roleConnectionOperations } from './applications/role-connections.ts';
import { applicationOperations } from './applications/routes.ts';
import { overwriteOperations } from './channels/overwrite-routes.ts';
import { channelOperations } from './channels/routes.ts';
import { threadOperations } from './channels/thread-routes.ts';
import { voiceStatusOperations } from './channels/voice-status-routes.ts';
import { fileOperations } from './files/routes.ts';
import { gatewayOperations } from './gateway/routes.ts';
import { auditOperations } from './guilds/audit-routes.ts';
import { myGuildOperations } from './guilds/my-guilds.ts';
import { roleOperations } from './guilds/role-routes.ts';
import { guildOperations } from './guilds/routes.ts';
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
import { searchOperations } from './search/routes.ts';
import { userOperations } from './users/routes.ts';

/** Every operation of the HTTP API, in the order of the reference. */
export const operations: readonly Operation[] = [
  ...oauth2Operations,
  ...discoveryOperations,
  ...pageOperations,
  ...activateOperations,
  ...userOperations,
  ...accountOperations,
  ...applicationOperations,
  ...roleConnectionOperations,
  ...guildOperations,
  ...myGuildOperations,
  ...roleOperations,
  ...memberOperations,
  ...memberChangeOperations,
  ...banOperations,
  ...pruneOperations,
  ...auditOperations,
  ...gatewayOperations,
  ...channelOperations,
  ...overwriteOperations,
  ...voiceStatusOperations,
  ...threadOperations,
  ...messageOperations,
  ...fileOperations,
  ...searchOperations,
  ...threadCreationOperations,
  ...reactionOperations,
  ...pinOperations,
  ...otherMessageOperations,
];
