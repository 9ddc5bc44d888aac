/** Name of an OAuth 2.0 scope, or of a pseudo-scope such as `rpc.local`. */
export type Scope = string;

/** Condition of a command or event on the session that requests it. */
export type ScopeRule =
  | { readonly kind: 'open' }
  | { readonly kind: 'any'; readonly scopes: readonly Scope[] }
  | { readonly kind: 'all'; readonly scopes: readonly Scope[] };

/** No scope needed. */
export const open: ScopeRule = { kind: 'open' };

/** Rule for which one of the scopes is sufficient. */
export function anyOf(...scopes: Scope[]): ScopeRule {
  return { kind: 'any', scopes };
}

/** Rule for which all of the scopes are necessary. */
export function allOf(...scopes: Scope[]): ScopeRule {
  return { kind: 'all', scopes };
}

/** Whether a session with the scopes `held` satisfies `rule`. */
export function allows(rule: ScopeRule, held: ReadonlySet<Scope>): boolean {
  switch (rule.kind) {
    case 'open':
      return true;
    case 'any':
      return rule.scopes.some((scope) => held.has(scope));
    case 'all':
      return rule.scopes.every((scope) => held.has(scope));
  }
}

/** The rule as text, for error messages and the reference table. */
export function describeRule(rule: ScopeRule): string {
  if (rule.kind === 'open') return 'none';
  return rule.scopes.join(rule.kind === 'any' ? ' or ' : ' and ');
}

/** Pseudo-scope of every session on a local connection that sent no Origin. */
export const LOCAL_SCOPE = 'rpc.local';
/** Scope of a WebSocket whose allowed Origin is the chat client's own web site. */
export const PRIVATE_SCOPE = 'rpc.private';
/** Pseudo-scope of a session that also has {@link PRIVATE_SCOPE}. */
export const PRIVATE_LIMITED_SCOPE = 'rpc.private.limited';
/** Pseudo-scope of an app in the frame of an activity. */
export const EMBEDDED_SCOPE = 'rpc.embedded_app';
/** Pseudo-scope of every session after AUTHENTICATE. */
export const AUTHENTICATED_SCOPE = 'rpc.authenticated';

/**
 * User data that a scope can give access to, with the phrases by which a user recognizes the data in a sentence.
 * Commands and events declare their data; a test compares the sentence of every scope with the data the scope gives
 * access to.
 */
export const THINGS = {
  'account link': ['link your account'],
  'activity history': ['played'],
  'activity shown': ['show', 'what you are playing'],
  bot: ['its bot'],
  builds: ['builds'],
  'builds uploaded': ['upload builds'],
  calls: ['connect to voice'],
  camera: ['camera'],
  'camera switched': ['turn your camera'],
  'channel invites': ['invite to'],
  channels: ['channels'],
  'channels selected': ['go to'],
  'command permissions': ['who may use its commands'],
  commands: ['its commands'],
  'commands changed': ['change its own commands'],
  connections: ['third-party accounts'],
  country: ['country'],
  devices: ['devices'],
  'direct message channels': ['direct message channels'],
  'direct messages': ['read', 'direct messages'],
  'direct messages sent': ['send direct messages'],
  'display name changed': ['change your display name'],
  'e-mail': ['e-mail address'],
  entitlements: ['bought'],
  'friends changed': ['add and remove friends'],
  'group direct messages': ['group direct messages'],
  guilds: ['guilds'],
  'guilds joined': ['join guilds'],
  identity: ['who you are'],
  'invitations to play': ['invit', 'play'],
  language: ['language'],
  'live events': ['live events'],
  lobbies: ['lobbies'],
  'member profile': ['member profile'],
  messages: ['messages'],
  notifications: ['notifications'],
  'others heard': ['volume of others'],
  permissions: ['permissions'],
  premium: ['premium subscription'],
  'presence changed': ['change your presence'],
  presences: ['presence'],
  profile: ['user name', 'display name', 'avatar'],
  'push to talk': ['push-to-talk'],
  relationships: ['friends', 'blocked users'],
  'role metadata': ['metadata', 'roles'],
  'screen share': ['share your screen'],
  'screen share switched': ['start and stop sharing your screen'],
  sounds: ['sounds'],
  'store pages': ['store pages'],
  talking: ['talking'],
  'voice channels': ['voice channel'],
  'voice settings': ['voice settings'],
  'voice settings changed': ['change', 'voice settings'],
  webhook: ['webhook'],
} as const satisfies { readonly [thing: string]: readonly string[] };

/** One of the {@link THINGS}. */
export type Thing = keyof typeof THINGS;

/** One scope of a token, with its description and its rules. */
export interface ScopeRow {
  /**
   * Text that the user reads before they allow the scope. It mentions all data that the scope gives access to, also by
   * the scopes it implies.
   */
  readonly sentence: string;
  /** Data it opens by itself. */
  readonly opens: readonly Thing[];
  /** Data that the scope itself gives access to. */
  readonly implies?: readonly Scope[];
  /** Whether only applications with `partner = true` may use the scope. */
  readonly partner?: true;
  /**
   * Whether each use needs the user's consent. Each use installs something, so a remembered answer never replaces the
   * prompt.
   */
  readonly requiresConsent?: true;
}

const PRESENCE_LAYER: readonly Scope[] = [
  'activities.invites.write',
  'activities.read',
  'activities.write',
  'application_identities.write',
  'gateway.connect',
  'identify',
  'relationships.read',
  'relationships.write',
  // The social layer displays the user's voice settings inside games, so it may read them.
  'rpc.voice.read',
];

const PRESENCE_SENTENCE =
  'Use in the game: your user name, display name, avatar and language; your friends, blocked users and their presence; ' +
  'what you are playing and have played; your voice settings, and who is in a voice channel and talking. Show what you ' +
  'are playing, invite others to play, add and remove friends, link your account with one in the game, and receive live ' +
  'events as you';

/** The public OAuth 2.0 scopes by their names in a token. Any other name is refused. */
export const SCOPES: { readonly [scope: Scope]: ScopeRow } = {
  'account.global_name.update': { opens: ['display name changed'], sentence: 'Change your display name' },
  'activities.invites.write': {
    opens: ['invitations to play'],
    sentence: 'Send and accept invites to play for you',
  },
  'activities.read': {
    opens: ['activity history'],
    sentence: 'See what you are playing now and have played recently',
  },
  'activities.write': { opens: ['activity shown'], sentence: 'Show what you are playing' },
  'application_identities.write': {
    opens: ['account link'],
    sentence: 'Link your account with an account in the game',
  },
  'applications.builds.read': { opens: ['builds'], sentence: 'Read the builds of your applications' },
  'applications.builds.upload': {
    opens: ['builds uploaded'],
    sentence: 'Upload builds of your applications',
  },
  'applications.commands': {
    opens: ['commands'],
    sentence: 'Add its commands to a guild or to your account',
    requiresConsent: true,
  },
  'applications.commands.permissions.update': {
    opens: ['command permissions'],
    sentence: 'Change who may use its commands in your guilds',
  },
  'applications.commands.update': { opens: ['commands changed'], sentence: 'Change its own commands' },
  'applications.entitlements': {
    opens: ['entitlements'],
    sentence: 'Read what you bought from your applications',
  },
  'applications.store.update': {
    opens: ['store pages'],
    sentence: 'Change the store pages of your applications',
  },
  bot: { opens: ['bot'], sentence: 'Add its bot to a guild', requiresConsent: true },
  connections: { opens: ['connections'], sentence: 'See your linked third-party accounts' },
  'dm_channels.read': { opens: ['direct message channels'], sentence: 'See your direct message channels' },
  'dm_channels.messages.read': { opens: ['direct messages'], sentence: 'Read your direct messages' },
  'dm_channels.messages.write': { opens: ['direct messages sent'], sentence: 'Send direct messages as you' },
  email: { opens: ['e-mail'], sentence: 'See your e-mail address' },
  'gateway.connect': { opens: ['live events'], sentence: 'Receive live events as you' },
  'gdm.join': { opens: ['group direct messages'], sentence: 'Add you to group direct messages' },
  guilds: {
    opens: ['guilds', 'channels', 'voice channels'],
    sentence: 'See your guilds, their channels and who is in a voice channel',
  },
  'guilds.channels.read': {
    opens: ['channels', 'voice channels', 'permissions'],
    sentence: 'See the channels of your guilds, who is in a voice channel, and your permissions there',
  },
  'guilds.join': { opens: ['guilds joined'], sentence: 'Join guilds for you' },
  'guilds.members.read': {
    opens: ['member profile', 'permissions'],
    sentence: 'See your member profile in your guilds and your permissions in your voice channel',
  },
  identify: {
    opens: ['profile', 'language'],
    sentence: 'See your user name, display name, avatar and language',
  },
  'identify.premium': {
    opens: ['premium'],
    sentence: 'See whether you have a premium subscription',
    partner: true,
  },
  'lobbies.write': { opens: ['lobbies'], sentence: 'Create and join lobbies as you' },
  'messages.read': { opens: ['messages'], sentence: 'Read messages in all channels you can see' },
  openid: { opens: ['identity'], sentence: 'Confirm to it who you are' },
  'payment_sources.country_code': {
    opens: ['country'],
    sentence: 'See the country of your payment methods',
  },
  'presences.read': { opens: ['presences'], sentence: 'See the presence of your friends' },
  'presences.write': { opens: ['presence changed'], sentence: 'Change your presence' },
  'relationships.read': {
    opens: ['relationships', 'presences'],
    sentence: 'See your friends and blocked users, and their presence',
  },
  'relationships.write': { opens: ['friends changed'], sentence: 'Add and remove friends for you' },
  'role_connections.write': {
    opens: ['role metadata'],
    sentence: 'Write metadata that guild roles can depend on',
  },
  rpc: {
    opens: [
      'activity shown',
      'channel invites',
      'channels',
      'channels selected',
      'devices',
      'guilds',
      'invitations to play',
      'others heard',
      'sounds',
      'talking',
      'voice channels',
      'voice settings',
      'voice settings changed',
    ],
    sentence:
      'Control your client: see your guilds and channels, go to them and invite to them; see who is in a voice channel ' +
      'and talking; read and change your voice settings, devices and the volume of others, and see your sounds; show ' +
      'what you are playing, and send and accept invites to play',
  },
  'rpc.activities.write': {
    opens: ['activity shown'],
    sentence: 'Show what you are playing through your client',
  },
  'rpc.notifications.read': { opens: ['notifications'], sentence: 'Receive your notifications' },
  'rpc.screenshare.read': { opens: ['screen share'], sentence: 'See whether you share your screen' },
  'rpc.screenshare.write': {
    opens: ['screen share switched'],
    sentence: 'Start and stop sharing your screen',
  },
  'rpc.video.read': { opens: ['camera'], sentence: 'See whether your camera is on' },
  'rpc.video.write': { opens: ['camera switched'], sentence: 'Turn your camera on and off' },
  'rpc.voice.read': {
    opens: ['voice settings', 'voice channels', 'talking'],
    sentence: 'See your voice settings, and who is in a voice channel and talking',
  },
  'rpc.voice.write': {
    opens: ['voice settings changed', 'others heard', 'push to talk', 'sounds'],
    sentence:
      'Change your voice settings and the volume of others, press your push-to-talk key and play sounds',
  },
  'sdk.social_layer': {
    opens: [],
    sentence:
      `${PRESENCE_SENTENCE}. See your guilds, their channels and your permissions there, and your direct message ` +
      'channels; read and send direct messages; create and join lobbies as you',
    implies: [
      ...PRESENCE_LAYER,
      'dm_channels.read',
      'dm_channels.messages.read',
      'dm_channels.messages.write',
      'guilds',
      'guilds.channels.read',
      'lobbies.write',
    ],
  },
  'sdk.social_layer_presence': { opens: [], sentence: PRESENCE_SENTENCE, implies: PRESENCE_LAYER },
  voice: { opens: ['calls'], sentence: 'Connect to voice as you' },
  'webhook.incoming': {
    opens: ['webhook'],
    sentence: 'Create a webhook in a channel',
    requiresConsent: true,
  },
};

/** The row of a scope. Only own properties count, because the name may come from a peer. */
export function scopeRow(scope: Scope): ScopeRow | undefined {
  return Object.hasOwn(SCOPES, scope) ? SCOPES[scope] : undefined;
}

/** The scopes of a token together with the scopes they imply, in a stable order without repetition. */
export function expandScopes(scopes: readonly Scope[]): Scope[] {
  return [...new Set(scopes.flatMap((scope) => [scope, ...(scopeRow(scope)?.implies ?? [])]))];
}

/**
 * Whether any of the scopes, or of the scopes they imply, is only useful in the user's client. These are the RPC scopes
 * and `messages.read`, because only the client can read messages to an app. For the data that other scopes give access
 * to in the client, AUTHENTICATE asks the user if nobody asked before.
 */
export function reachesClient(scopes: readonly Scope[]): boolean {
  return expandScopes(scopes).some((scope) => /^rpc(?:\.|$)/.test(scope) || scope === 'messages.read');
}
