/** What a peer may do wrong below the level of requests. */
export type Problem =
  | 'length'
  | 'negative-length'
  | 'empty-body'
  | 'opcode'
  | 'not-json'
  | 'not-object'
  | 'handshake-not-object'
  | 'handshake-not-json'
  | 'version'
  | 'client-id-missing'
  | 'client-id-unknown'
  | 'client-id-type'
  | 'frame-first'
  | 'twice'
  | 'deadline'
  | 'ping-not-json'
  | 'close'
  | 'half'
  | 'stop'
  | 'revoked'
  | 'encoding'
  | 'origin';

/** What the server then does. `crash` stands for the end of the whole process. */
type Reaction = { readonly close: number; readonly message?: string } | 'ignore' | 'destroy' | 'crash';

/** Why a request fails. */
export type ErrorKind =
  | 'nonce'
  | 'nonce-type'
  | 'unknown-command'
  | 'command-type'
  | 'inherited-command'
  | 'dispatch'
  | 'scope'
  | 'args'
  | 'args-type'
  | 'unknown-event'
  | 'event-missing'
  | 'internal-event'
  | 'event-scope'
  | 'event-args'
  | 'event-guild'
  | 'guild'
  | 'channel'
  | 'pid'
  | 'activity'
  | 'activity-type'
  | 'secrets'
  | 'voice'
  | 'authorize-client'
  | 'authorize-foreign'
  | 'authorize-response'
  | 'authorize-scope'
  | 'authorize-late'
  | 'authorize-open'
  | 'token'
  | 'token-null'
  | 'token-foreign'
  | 'token-twice';

/** The code of the answer, or what happens instead of one. */
type ErrorReaction = number | 'ignore' | 'succeed' | 'crash';

/** Everything the reference server does that a broken one does otherwise. */
export interface Behaviour {
  readonly problems: Readonly<Record<Problem, Reaction>>;
  readonly errors: Readonly<Record<ErrorKind, ErrorReaction>>;
  /** Names of rules for arguments that are not enforced. */
  readonly lenient: ReadonlySet<string>;
  /** Further deviations, by name. */
  readonly traits: ReadonlySet<string>;
}

/** A server that does everything right. */
export const correct: Behaviour = {
  problems: {
    length: { close: 1003 },
    'negative-length': { close: 1003 },
    'empty-body': { close: 1003 },
    opcode: { close: 1003 },
    'not-json': { close: 1003 },
    'not-object': { close: 1003 },
    'handshake-not-object': { close: 1003 },
    'handshake-not-json': { close: 1003 },
    version: { close: 4004 },
    'client-id-missing': { close: 4000 },
    'client-id-unknown': { close: 4000, message: 'Invalid Client ID' },
    'client-id-type': { close: 4000 },
    'frame-first': { close: 1003 },
    twice: { close: 1003 },
    deadline: { close: 1006 },
    'ping-not-json': { close: 1003 },
    close: { close: 1000 },
    half: { close: 1000 },
    stop: { close: 1000 },
    revoked: { close: 4003 },
    encoding: { close: 4005 },
    origin: { close: 4001 },
  },
  errors: {
    nonce: 4000,
    'nonce-type': 4000,
    'unknown-command': 4002,
    'command-type': 4000,
    'inherited-command': 4002,
    dispatch: 4002,
    scope: 4006,
    args: 4000,
    'args-type': 4000,
    'unknown-event': 4004,
    'event-missing': 4004,
    'internal-event': 4004,
    'event-scope': 4006,
    'event-args': 4000,
    'event-guild': 4003,
    guild: 4003,
    channel: 4005,
    pid: 4002,
    activity: 4000,
    'activity-type': 4000,
    secrets: 5005,
    voice: 4000,
    'authorize-client': 4007,
    'authorize-foreign': 4007,
    'authorize-response': 4002,
    'authorize-scope': 5000,
    'authorize-late': 4002,
    'authorize-open': 4002,
    token: 4009,
    'token-null': 4009,
    'token-foreign': 4007,
    'token-twice': 4002,
  },
  lenient: new Set(),
  traits: new Set(),
};

/** How a broken server differs from the correct one. */
export interface Change {
  readonly problems?: Partial<Record<Problem, Reaction>>;
  readonly errors?: Partial<Record<ErrorKind, ErrorReaction>>;
  readonly lenient?: readonly string[];
  readonly traits?: readonly string[];
}

/** The correct behaviour with one change. */
export function changed(change: Change): Behaviour {
  return {
    problems: { ...correct.problems, ...change.problems },
    errors: { ...correct.errors, ...change.errors },
    lenient: new Set(change.lenient),
    traits: new Set(change.traits),
  };
}
