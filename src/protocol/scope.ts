/** Name of an OAuth 2.0 scope, or of a pseudo-scope such as `rpc.local`. */
export type Scope = string;

/** What a command or event demands of the session that asks for it. */
export type ScopeRule =
  | { readonly kind: 'open' }
  | { readonly kind: 'any'; readonly scopes: readonly Scope[] }
  | { readonly kind: 'all'; readonly scopes: readonly Scope[] };

/** No scope needed. */
export const open: ScopeRule = { kind: 'open' };

/** One of these scopes is enough. */
export function anyOf(...scopes: Scope[]): ScopeRule {
  return { kind: 'any', scopes };
}

/** Every one of these scopes is needed. */
export function allOf(...scopes: Scope[]): ScopeRule {
  return { kind: 'all', scopes };
}

/** Whether a session that holds `held` satisfies `rule`. */
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

/** The rule in words, for error messages and the reference table. */
export function describeRule(rule: ScopeRule): string {
  if (rule.kind === 'open') return 'none';
  return rule.scopes.join(rule.kind === 'any' ? ' or ' : ' and ');
}

/** Held by every session of a local connection that sent no Origin. */
export const LOCAL_SCOPE = 'rpc.local';
/** Held by a WebSocket whose allowed Origin is the chat client's own web site. */
export const PRIVATE_SCOPE = 'rpc.private';
/** Held with {@link PRIVATE_SCOPE}. */
export const PRIVATE_LIMITED_SCOPE = 'rpc.private.limited';
/** Held by every session after AUTHENTICATE. */
export const AUTHENTICATED_SCOPE = 'rpc.authenticated';

const PRESENCE_LAYER: readonly Scope[] = [
  'activities.invites.write',
  'activities.read',
  'activities.write',
  'application_identities.write',
  'gateway.connect',
  'identify',
  'relationships.read',
  'relationships.write',
  // The social layer shows the user's voice settings in game, so it may read them here.
  'rpc.voice.read',
];

/** What the two umbrella scopes of the Social SDK stand for. */
const UMBRELLA_SCOPES: ReadonlyMap<Scope, readonly Scope[]> = new Map<Scope, readonly Scope[]>([
  ['sdk.social_layer_presence', PRESENCE_LAYER],
  [
    'sdk.social_layer',
    [
      ...PRESENCE_LAYER,
      'dm_channels.read',
      'dm_channels.messages.read',
      'dm_channels.messages.write',
      'guilds',
      'guilds.channels.read',
      'lobbies.write',
    ],
  ],
]);

/** The scopes of a token with its umbrella scopes expanded, in a stable order without repetition. */
export function expandScopes(scopes: readonly Scope[]): Scope[] {
  return [...new Set(scopes.flatMap((scope) => [scope, ...(UMBRELLA_SCOPES.get(scope) ?? [])]))];
}
