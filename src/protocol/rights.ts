import { didYouMean } from '../base/nearest.ts';
import { isObject } from './json.ts';
import { type CommandName, commands, type EventName, events, findCommand, findEvent } from './registry.ts';
import { AUTHENTICATED_SCOPE, allows, expandScopes, SCOPES, type Scope, scopeRow } from './scope.ts';

/**
 * Rights of an endpoint: everything, what an app needs to show an activity, or a list of `presence`, scopes, commands
 * and events.
 */
export type Rights = 'full' | 'presence' | readonly string[];

/**
 * What `presence` permits besides HANDSHAKE and PING: the commands and events of libraries that only show an activity.
 * None of them reads data of the user or of other apps, and an invitation names only an app's own activity.
 */
const PRESENCE: { readonly commands: readonly CommandName[]; readonly events: readonly EventName[] } = {
  commands: [
    'SET_ACTIVITY',
    'SEND_ACTIVITY_JOIN_INVITE',
    'CLOSE_ACTIVITY_JOIN_REQUEST',
    'CLOSE_ACTIVITY_REQUEST',
  ],
  events: ['ACTIVITY_JOIN', 'ACTIVITY_JOIN_REQUEST', 'ACTIVITY_SPECTATE'],
};

/** Rights in the form in which requests are checked. Undefined stands for `full`. */
export interface Permission {
  readonly commands: ReadonlySet<string>;
  readonly events: ReadonlySet<string>;
  /** Scopes that the session may have, with the implied ones; empty when it may not request authorization. */
  readonly scopes: ReadonlySet<Scope>;
}

/** Request as far as rights depend on it; `args` and `evt` are unchecked. */
interface PermittedRequest {
  readonly cmd: string;
  readonly args: unknown;
  readonly evt?: string | undefined;
}

/** Commands that scopes permit, so that no list names them. */
const BY_SCOPES: ReadonlySet<string> = new Set(['AUTHORIZE', 'AUTHENTICATE']);
const SUBSCRIPTIONS: ReadonlySet<string> = new Set(['SUBSCRIBE', 'UNSUBSCRIBE']);

/** Returns why an item of a list cannot be a right, as sentences; undefined for one that can. */
export function rightFault(item: string): string | undefined {
  if (item === 'presence' || scopeRow(item) !== undefined) return undefined;
  if (BY_SCOPES.has(item)) return `${item} is permitted by scopes: list the scopes that apps may request.`;
  if (SUBSCRIPTIONS.has(item)) return `${item} is permitted by events: list the events.`;
  if (findCommand(item) !== undefined || findEvent(item) !== undefined) return undefined;
  if (item === '') return 'an item is empty. Name a scope, a command or an event.';
  if (item === 'full') return '"full" stands alone and not in a list. Write rights = "full".';
  const known = ['presence', ...Object.keys(SCOPES), ...Object.keys(commands), ...Object.keys(events)];
  return `there is no scope, command or event ${JSON.stringify(item.slice(0, 60))}.${didYouMean(item, known)}`;
}

/** Converts rights whose items are valid (see {@link rightFault}). */
export function permissionOf(rights: Rights): Permission | undefined {
  if (rights === 'full') return undefined;
  const items = rights === 'presence' ? ['presence'] : rights;
  const presence = items.includes('presence') ? PRESENCE : { commands: [], events: [] };
  const scopes = items.filter((item) => scopeRow(item) !== undefined);
  return {
    commands: new Set([...presence.commands, ...items.filter((item) => findCommand(item) !== undefined)]),
    events: new Set([...presence.events, ...items.filter((item) => findEvent(item) !== undefined)]),
    // A client adds `identify` to every authorization; READY contains the same data.
    scopes: new Set(scopes.length === 0 ? [] : expandScopes(['identify', ...scopes])),
  };
}

/**
 * Whether rights permit a request. A command or event is permitted by its name or by the scopes that it needs. The
 * check does not depend on the session's scopes, because another server may manage them.
 */
export function permits(permission: Permission | undefined, { cmd, args, evt }: PermittedRequest): boolean {
  if (permission === undefined) return true;
  if (cmd === 'AUTHORIZE') return permitsScopes(permission, requestedScopes(args));
  if (cmd === 'AUTHENTICATE') return permission.scopes.size > 0;
  if (SUBSCRIPTIONS.has(cmd))
    return evt !== undefined && (permission.events.has(evt) || opens(permission, findEvent(evt)));
  return permission.commands.has(cmd) || opens(permission, findCommand(cmd));
}

/** The scopes of a token that the session may have. */
export function permittedScopes(
  permission: Permission | undefined,
  scopes: readonly Scope[],
): readonly Scope[] {
  if (permission === undefined) return scopes;
  return scopes.filter((scope) => scope === AUTHENTICATED_SCOPE || permission.scopes.has(scope));
}

/** Whether the permitted scopes alone satisfy the rule; a command without a rule has to be named. */
function opens(
  { scopes }: Permission,
  definition: ReturnType<typeof findCommand> | ReturnType<typeof findEvent>,
): boolean {
  if (definition === undefined || scopes.size === 0 || definition.scope.kind === 'open') return false;
  return allows(definition.scope, new Set([...scopes, AUTHENTICATED_SCOPE]));
}

function permitsScopes({ scopes }: Permission, requested: readonly unknown[]): boolean {
  return scopes.size > 0 && requested.every((scope) => typeof scope === 'string' && scopes.has(scope));
}

/** The scopes of AUTHORIZE's arguments, which may be a list or a text with blanks, under either name. */
function requestedScopes(args: unknown): readonly unknown[] {
  if (!isObject(args)) return [];
  return [args['scopes'], args['scope']].flatMap((value: unknown) => {
    if (value === undefined || value === null) return [];
    if (typeof value === 'string') return value.split(/\s+/).filter(Boolean);
    return Array.isArray(value) ? (value as unknown[]) : [value];
  });
}
