import type { HasExternalAccounts } from './accounts/external-accounts.ts';
import type { HasActivities } from './activities/activities.ts';
import type { HasApplications } from './applications/applications.ts';
import type { HasAutoMod } from './automod/automod.ts';
import type { HasFileAddresses } from './files/addresses.ts';
import type { HasFileStore } from './files/store.ts';
import type { HasGateway } from './gateway/gateway.ts';
import type { HasHeadlessSessions } from './headless/sessions.ts';
import type { HasInteractions } from './interactions/interactions.ts';
import type { HasLog } from './log.ts';
import type { HasOAuth2 } from './oauth2/oauth2.ts';
import type { HasWebConsent } from './oauth2/pages/web-consent.ts';
import type { PeopleQueue } from './people/queue.ts';
import type { HasInvitations } from './presence/invitations.ts';
import type { HasMessageIndex } from './search/message-index.ts';
import type { Taps } from './webhooks/post.ts';
import type { HasWebhooks } from './webhooks/webhooks.ts';
import type { Base } from './world.ts';

/** All that operations and events of the platform work with: what each needs is checked where they are collected. */
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
    HasWebConsent,
    HasWebhooks,
    Taps {
  /** What waits for a person. */
  readonly people: PeopleQueue;
}
