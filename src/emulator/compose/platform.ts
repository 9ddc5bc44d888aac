import type { RequestQueue } from '../accounts/consent/queue.ts';
import type { HasExternalAccounts } from '../accounts/external-accounts.ts';
import type { HasHeadlessSessions } from '../accounts/headless/sessions.ts';
import type { HasOAuth2 } from '../accounts/oauth2/oauth2.ts';
import type { HasWebConsent } from '../accounts/oauth2/pages/web-consent.ts';
import type { HasViolations } from '../api/violations.ts';
import type { Base } from '../api/world.ts';
import type { HasApplications } from '../applications/applications.ts';
import type { Observers } from '../applications/webhooks/post.ts';
import type { HasWebhooks } from '../applications/webhooks/webhooks.ts';
import type { HasFileAddresses } from '../files/addresses.ts';
import type { HasFileStore } from '../files/store.ts';
import type { HasAutoMod } from '../guilds/automod/automod.ts';
import type { HasActivities } from '../interactions/activities/activities.ts';
import type { HasInteractions } from '../interactions/interactions.ts';
import type { HasLog } from '../kernel/log.ts';
import type { HasMessageIndex } from '../messages/search/message-index.ts';
import type { HasTyping } from '../messages/typing.ts';
import type { HasGateway } from '../serve/gateway/gateway.ts';
import type { HasInvitations } from '../users/presence/invitations.ts';

/**
 * All services that operations and events of the platform use. The compiler checks the needs of each where the lists of
 * operations and events are composed.
 */
export interface Platform
  extends Base,
    HasActivities,
    HasApplications,
    HasAutoMod,
    HasExternalAccounts,
    HasFileAddresses,
    HasFileStore,
    HasGateway,
    HasHeadlessSessions,
    HasInteractions,
    HasInvitations,
    HasLog,
    HasMessageIndex,
    HasOAuth2,
    HasTyping,
    HasViolations,
    HasWebConsent,
    HasWebhooks,
    Observers {
  /** Requests that wait for the operator. */
  readonly requests: RequestQueue;
}
