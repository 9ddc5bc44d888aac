import type { Faults } from '../faults/faults.ts';
import type { Journal } from '../journal/journal.ts';
import type { ExternalAccounts } from './accounts/external-accounts.ts';
import type { Activities } from './activities/activities.ts';
import type { KnownApplication } from './applications/applications.ts';
import type { AutoMod } from './automod/automod.ts';
import type { Clock } from './clock.ts';
import type { FileAddresses } from './files/addresses.ts';
import type { FileStore } from './files/store.ts';
import type { Gateway } from './gateway/gateway.ts';
import type { HeadlessSessions } from './headless/sessions.ts';
import type { Interactions } from './interactions/interactions.ts';
import type { Log } from './log.ts';
import type { OAuth2 } from './oauth2/oauth2.ts';
import type { WebConsent } from './oauth2/pages/web-consent.ts';
import type { PeopleQueue } from './people/queue.ts';
import type { Invitations } from './presence/invitations.ts';
import type { MessageIndex } from './search/message-index.ts';
import type { Webhooks } from './webhooks/webhooks.ts';
import type { World } from './world.ts';

/** What an operation of the platform works with. */
export interface Platform {
  /** The state, and what is told of it. */
  readonly world: World;
  readonly oauth2: OAuth2;
  /** Accounts of people whom only a game knows. */
  readonly external: ExternalAccounts;
  /** Authorization in a browser. */
  readonly web: WebConsent;
  readonly webhooks: Webhooks;
  /** The time of the platform, which a test may move. */
  readonly clock: Clock;
  /** What waits for a person. */
  readonly people: PeopleQueue;
  /** Where the files of messages can be had. */
  readonly files: FileAddresses;
  /** Their bytes. */
  readonly fileStore: FileStore;
  /** Finds messages by their words. */
  readonly messageIndex: MessageIndex;
  /** What the rules of guilds do about messages. */
  readonly automod: AutoMod;
  /** Activities that run, and who is in them. */
  readonly activities: Activities;
  /** Who invites whom to play. */
  readonly invitations: Invitations;
  /** Sessions without a connection. */
  readonly headless: HeadlessSessions;
  /** What people do with applications. */
  readonly interactions: Interactions;
  /** Tells bots and games what happens. */
  readonly gateway: Gateway;
  /** Where what passes is written down; without it nothing is. */
  readonly journal: Journal | undefined;
  /** What goes wrong on purpose. */
  readonly faults: Faults;
  readonly log: Log;
  /** An application that is written down, or that anybody may be where that is allowed. */
  readonly application: (clientId: string) => KnownApplication | undefined;
}
