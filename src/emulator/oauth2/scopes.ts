import { plainText } from './display.ts';
import { OAuth2Error } from './error.ts';

interface ScopeEntry {
  /** What the app will be able to do, in plain words. */
  readonly description: string;
  /** Only for applications with `partner = true`. */
  readonly partner?: true;
  /** Umbrella scopes unfold to these. */
  readonly implies?: readonly string[];
  /** Installs something each time, so a remembered answer never stands in. */
  readonly alwaysAsk?: true;
}

const presence: readonly string[] = [
  'activities.invites.write',
  'activities.read',
  'activities.write',
  'application_identities.write',
  'gateway.connect',
  'identify',
  'relationships.read',
  'relationships.write',
];

const communication: readonly string[] = [
  ...presence,
  'dm_channels.read',
  'dm_channels.messages.read',
  'dm_channels.messages.write',
  'guilds',
  'guilds.channels.read',
  'lobbies.write',
];

/** The public OAuth 2.0 scopes. A name that is not here is refused. */
export const scopeTable: Readonly<Record<string, ScopeEntry>> = {
  'account.global_name.update': { description: 'Change your display name' },
  'activities.invites.write': { description: 'Send and accept activity invites for you' },
  'activities.read': { description: 'See what you are playing now and played recently' },
  'activities.write': { description: 'Set what you are playing' },
  'application_identities.write': { description: 'Link your account with an account in the game' },
  'applications.builds.read': { description: 'Read the builds of your applications' },
  'applications.builds.upload': { description: 'Upload builds of your applications' },
  'applications.commands': { description: 'Add its commands to a guild or to your account', alwaysAsk: true },
  'applications.commands.permissions.update': {
    description: 'Change who may use its commands in your guilds',
  },
  'applications.commands.update': { description: 'Change its own commands' },
  'applications.entitlements': { description: 'Read what you bought from your applications' },
  'applications.store.update': { description: 'Change the store pages of your applications' },
  bot: { description: 'Add its bot to a guild', alwaysAsk: true },
  connections: { description: 'See your linked third-party accounts' },
  'dm_channels.read': { description: 'See your direct message channels' },
  'dm_channels.messages.read': { description: 'Read your direct messages' },
  'dm_channels.messages.write': { description: 'Send direct messages as you' },
  email: { description: 'See your e-mail address' },
  'gateway.connect': { description: 'Receive live events as you' },
  'gdm.join': { description: 'Add you to group direct messages' },
  guilds: { description: 'See which guilds you are in' },
  'guilds.channels.read': { description: 'See the channels of your guilds' },
  'guilds.join': { description: 'Join guilds for you' },
  'guilds.members.read': { description: 'See your member profile in your guilds' },
  identify: { description: 'See your user name, display name and avatar' },
  'identify.premium': { description: 'See whether you have a premium subscription', partner: true },
  'lobbies.write': { description: 'Create and join lobbies as you' },
  'messages.read': { description: 'Read messages in all channels you can see' },
  openid: { description: 'Confirm to it who you are' },
  'payment_sources.country_code': { description: 'See the country of your payment methods' },
  'presences.read': { description: 'See the presence of your friends' },
  'presences.write': { description: 'Change your presence' },
  'relationships.read': { description: 'See your friends and blocked users' },
  'relationships.write': { description: 'Add and remove friends for you' },
  'role_connections.write': { description: 'Write metadata that guild roles can depend on' },
  rpc: { description: 'Control your client: guilds, channels, voice and messages' },
  'rpc.activities.write': { description: 'Show what you are playing through your client' },
  'rpc.notifications.read': { description: 'Receive your notifications' },
  'rpc.screenshare.read': { description: 'See whether you share your screen' },
  'rpc.screenshare.write': { description: 'Start and stop sharing your screen' },
  'rpc.video.read': { description: 'See whether your camera is on' },
  'rpc.video.write': { description: 'Turn your camera on and off' },
  'rpc.voice.read': { description: 'Read your voice settings and who is talking' },
  'rpc.voice.write': { description: 'Change your voice settings' },
  'sdk.social_layer': {
    description: 'Use your friends, presence, messages and lobbies in the game',
    implies: communication,
  },
  'sdk.social_layer_presence': {
    description: 'Use your friends and presence in the game',
    implies: presence,
  },
  voice: { description: 'Connect to voice as you' },
  'webhook.incoming': { description: 'Create a webhook in a channel', alwaysAsk: true },
};

function entry(name: string): ScopeEntry | undefined {
  return Object.hasOwn(scopeTable, name) ? scopeTable[name] : undefined;
}

/**
 * Checks requested scopes and returns them without repetitions, in the order asked.
 * @throws OAuth2Error `invalid_scope` naming what is unknown or reserved for partners.
 */
export function checkScopes(requested: readonly string[], partner: boolean): readonly string[] {
  const scopes = [...new Set(requested)];
  if (scopes.length === 0) throw new OAuth2Error('invalid_scope', 'No scope was requested.');
  const unknown = scopes.filter((name) => entry(name) === undefined);
  if (unknown.length > 0) {
    const named = unknown.slice(0, 3).map((name) => `"${plainText(name)}"`);
    const more = unknown.length > named.length ? ` and ${unknown.length - named.length} more` : '';
    throw new OAuth2Error('invalid_scope', `Unknown scope: ${named.join(', ')}${more}.`);
  }
  const reserved = scopes.filter((name) => entry(name)?.partner === true);
  if (reserved.length > 0 && !partner) {
    throw new OAuth2Error('invalid_scope', `Only approved partners may request: ${reserved.join(', ')}.`);
  }
  return scopes;
}

/** Whether a remembered answer may stand in for a new one. */
export function mayBeRemembered(scopes: readonly string[]): boolean {
  return !scopes.some((name) => entry(name)?.alwaysAsk === true);
}

/** The sentence a person reads about a scope. */
export function describeScope(name: string): string {
  return entry(name)?.description ?? 'Unknown';
}

/** Unfolds umbrella scopes; the result holds the umbrella itself too. */
export function unfoldScopes(scopes: readonly string[]): readonly string[] {
  return [...new Set(scopes.flatMap((name) => [name, ...(entry(name)?.implies ?? [])]))];
}
