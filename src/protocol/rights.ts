import { didYouMean } from '../base/nearest.ts';
import { isObject } from './json.ts';
import { type CommandName, commands, type EventName, events, findCommand, findEvent } from './registry.ts';
import {
  AUTHENTICATED_SCOPE,
  allows,
  describeRule,
  expandScopes,
  LOCAL_SCOPE,
  SCOPES,
  type Scope,
  type ScopeRule,
  scopeRow,
} from './scope.ts';

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

/** Returns why a list cannot be the rights of an endpoint, as sentences; undefined for one that can. */
export function rightsFault(items: readonly string[]): string | undefined {
  return items.map(itemFault).find(Boolean) ?? items.map((item) => unreachable(item, items)).find(Boolean);
}

function itemFault(item: string): string | undefined {
  if (item === 'presence' || scopeRow(item) !== undefined) return undefined;
  if (BY_SCOPES.has(item)) return `${item} is permitted by scopes: list the scopes that apps may request.`;
  if (SUBSCRIPTIONS.has(item)) return `${item} is permitted by events: list the events.`;
  if (findCommand(item) !== undefined || findEvent(item) !== undefined) return undefined;
  if (item === '') return 'an item is empty. Name a scope, a command or an event.';
  if (item === 'full') return '"full" stands alone and not in a list. Write rights = "full".';
  const known = ['presence', ...Object.keys(SCOPES), ...Object.keys(commands), ...Object.keys(events)];
  return `there is no scope, command or event ${JSON.stringify(item.slice(0, 60))}.${didYouMean(item, known)}`;
}

/** Why no app could use a command or event although the list names it: its scope cannot be had there. */
function unreachable(item: string, items: readonly string[]): string | undefined {
  const rule = (findCommand(item) ?? findEvent(item))?.scope;
  if (rule === undefined || rule.kind === 'open') return undefined;
  const scopes = permissionOf(items)?.scopes ?? new Set();
  if (allows(rule, new Set([LOCAL_SCOPE, ...scopes, ...(scopes.size > 0 ? [AUTHENTICATED_SCOPE] : [])])))
    return undefined;
  if (rule.scopes.includes(AUTHENTICATED_SCOPE))
    return `${item} is for apps that have authenticated: list a scope, too, that they may request, such as identify.`;
  if (!rule.scopes.some((scope) => scopeRow(scope) !== undefined))
    return `${item} is not for apps at an endpoint, which never have ${describeRule(rule)}: leave it out.`;
  return `${item} needs the scope ${describeRule(rule)}, which the list does not let apps request: list it, too.`;
}

/** What a list of rights lacks for a request that it does not permit, as the object of a sentence. */
export function missingRight({ cmd, evt }: Pick<PermittedRequest, 'cmd' | 'evt'>): string {
  if (cmd === 'AUTHORIZE') return 'the scopes that the app asks for';
  if (cmd === 'AUTHENTICATE') return 'the scopes of its token';
  const name = evt ?? cmd;
  const rule = (evt === undefined ? findCommand(cmd) : findEvent(evt))?.scope;
  if (rule === undefined || rule.kind === 'open' || allows(rule, new Set([LOCAL_SCOPE]))) return name;
  if (rule.scopes.includes(AUTHENTICATED_SCOPE)) return `${name} and a scope such as identify`;
  const scopes = rule.scopes.filter((scope) => scopeRow(scope) !== undefined);
  if (scopes.length === 0) return name;
  const wanted = `the scope ${scopes.join(rule.kind === 'any' ? ' or ' : ' and ')}`;
  return rule.scopes.includes(LOCAL_SCOPE) ? `${name} and ${wanted}` : wanted;
}

/** Converts rights without a fault (see {@link rightsFault}). */
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

/** The scopes of a token that the session may have, with the implied ones. */
export function permittedScopes(permission: Permission | undefined, scopes: readonly Scope[]): Scope[] {
  const all = expandScopes(scopes);
  if (permission === undefined) return all;
  return all.filter((scope) => scope === AUTHENTICATED_SCOPE || permission.scopes.has(scope));
}

/**
 * Whether the listed scopes satisfy the rule. A command that needs none of them, because its app has authenticated or
 * connects locally, has to be named.
 */
function opens({ scopes }: Permission, definition: { readonly scope: ScopeRule } | undefined): boolean {
  return definition !== undefined && definition.scope.kind !== 'open' && allows(definition.scope, scopes);
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
