import { Opcode } from '../wire/codes.ts';
import type { JournalEntry } from './entry.ts';
import type { ExchangeKind, ExchangeState } from './exchange.ts';

/** What a row needs to know of one entry. */
export interface EntryFacts {
  readonly kind: ExchangeKind;
  readonly name: string;
  readonly state: ExchangeState;
  readonly code: string;
  readonly ms?: number;
  readonly bytes: number;
  /** Application that the entry names. */
  readonly app?: string;
  /** Key under which the entry waits for an answer in its session. */
  readonly asks?: string;
  /** Keys of requests in its session that the entry may answer; the first with an open request counts. */
  readonly answers?: readonly string[];
  /** Id of the interaction that the entry brings to a bot over the gateway, or that it answers over HTTP. */
  readonly interaction?: string;
}

type Of<Kind extends JournalEntry['kind']> = Extract<JournalEntry, { readonly kind: Kind }>;
type Fields = Readonly<Record<string, unknown>>;

const HANDSHAKE = 'HANDSHAKE';
const PING = 'PING';
const IDENTIFY = 'IDENTIFY';
const RESUME = 'RESUME';
const BEAT = 'HEARTBEAT';
/** Name of the request with which a bot answers an interaction; its group is the id of the interaction. */
export const CALLBACK = /^POST \/interactions\/(\d{1,20})\/.*\/callback$/;
/** Close code of a session that ends without a failure. */
const NORMAL = 1000;
/** Maximum length of a name (characters). */
const MAX_NAME = 200;

/** Names of the gateway's opcodes; dispatches (0) have the names of their events. */
const GATEWAY_OPS: Readonly<Record<number, string>> = {
  1: BEAT,
  2: IDENTIFY,
  3: 'PRESENCE_UPDATE',
  4: 'VOICE_STATE_UPDATE',
  6: RESUME,
  7: 'RECONNECT',
  8: 'REQUEST_GUILD_MEMBERS',
  9: 'INVALID_SESSION',
  10: 'HELLO',
  11: 'HEARTBEAT_ACK',
};

/** Requests of the gateway by their opcode. */
const GATEWAY_ASKS: Readonly<Record<number, string>> = { 1: BEAT, 2: IDENTIFY, 6: RESUME };

/** Facts of an entry; each text is parsed once. */
export function factsOf(entry: JournalEntry): EntryFacts {
  switch (entry.kind) {
    case 'frame':
      return frameFacts(entry);
    case 'gateway':
      return gatewayFacts(entry);
    case 'http': {
      const { method, path, status, ms, request, response, application } = entry;
      const name = `${method} ${routeOf(path)}`.slice(0, MAX_NAME);
      const interaction = status >= 400 ? undefined : CALLBACK.exec(name)?.[1];
      return {
        kind: 'http',
        name,
        state: stateOf(status),
        code: String(status),
        ms,
        bytes: request.bytes + response.bytes,
        ...appOf(application),
        ...(interaction === undefined ? {} : { interaction }),
      };
    }
    case 'webhook': {
      const { application, type, ms, text, outcome } = entry;
      const isAnswered = outcome.kind === 'answered';
      return {
        kind: 'webhook',
        name: type.slice(0, MAX_NAME),
        state: isAnswered ? stateOf(outcome.status) : 'failed',
        code: isAnswered ? String(outcome.status) : 'failed',
        ms,
        bytes: text.length,
        app: application,
      };
    }
    case 'close': {
      const state = entry.code === NORMAL ? 'none' : 'failed';
      const answers = [HANDSHAKE, IDENTIFY, RESUME];
      return { kind: 'session', name: 'CLOSE', state, code: String(entry.code), bytes: 0, answers };
    }
    case 'connect':
      return alone('session', 'connect', 'none');
    case 'end':
      return alone('session', 'end', 'none');
    case 'broken':
      return alone('session', 'broken', 'failed');
    case 'warning':
      return alone('session', 'warning', 'warning');
    case 'fault':
      return alone('fault', `fault ${entry.fault}`, 'warning');
    case 'missing':
      return alone('missing', entry.what.slice(0, MAX_NAME), 'warning');
    case 'violation':
      return alone('violation', entry.rule.slice(0, MAX_NAME), 'failed');
    case 'clock':
      return alone('clock', 'clock', 'none');
    case 'refused': {
      const app = entry.clientId === null ? {} : { app: entry.clientId };
      return { ...alone('refused', 'refused page', 'failed'), ...app };
    }
  }
}

function alone(kind: ExchangeKind, name: string, state: ExchangeState): EntryFacts {
  return { kind, name, state, code: '', bytes: 0 };
}

function frameFacts({ opcode, direction, text, bytes }: Of<'frame'>): EntryFacts {
  const isIn = direction === 'in';
  switch (opcode) {
    case Opcode.FRAME:
      return payloadFacts(objectIn(text), isIn, bytes);
    case Opcode.HANDSHAKE: {
      const app = nameIn(objectIn(text)['client_id']);
      const of = app === undefined ? {} : { app };
      return { kind: 'rpc', name: HANDSHAKE, state: 'open', code: '', bytes, asks: HANDSHAKE, ...of };
    }
    case Opcode.PING:
      return { kind: 'rpc', name: PING, state: 'open', code: '', bytes, asks: PING };
    case Opcode.PONG:
      return { kind: 'rpc', name: 'PONG', state: 'ok', code: 'ok', bytes, answers: [PING] };
    case Opcode.CLOSE: {
      const { code } = objectIn(text);
      return {
        kind: 'session',
        name: 'CLOSE',
        state: code === NORMAL || isIn ? 'none' : 'failed',
        code: typeof code === 'number' ? String(code) : '',
        bytes,
        ...(isIn ? {} : { answers: [HANDSHAKE] }),
      };
    }
    default:
      return { kind: 'rpc', name: `opcode ${opcode}`, state: 'none', code: '', bytes };
  }
}

function payloadFacts({ cmd, evt, nonce, data }: Fields, isIn: boolean, bytes: number): EntryFacts {
  const key = nonceKey(nonce);
  const name = nameIn(cmd) ?? '?';
  if (isIn) {
    const asks = key === undefined ? {} : { asks: key };
    return { kind: 'rpc', name, state: key === undefined ? 'none' : 'open', code: '', bytes, ...asks };
  }
  if (evt === 'ERROR') {
    const code = nameIn(objectOf(data)['code']) ?? 'error';
    return {
      kind: 'rpc',
      name,
      state: 'failed',
      code,
      bytes,
      ...(key === undefined ? {} : { answers: [key] }),
    };
  }
  if (key === undefined && cmd === 'DISPATCH') {
    const event = nameIn(evt) ?? '?';
    const answers = event === 'READY' ? { answers: [HANDSHAKE] } : {};
    return { kind: 'event', name: event, state: 'none', code: '', bytes, ...answers };
  }
  return {
    kind: 'rpc',
    name,
    state: 'ok',
    code: 'ok',
    bytes,
    ...(key === undefined ? {} : { answers: [key] }),
  };
}

function gatewayFacts({ direction, text, bytes, application }: Of<'gateway'>): EntryFacts {
  const { op, t, d } = objectIn(text);
  const number = typeof op === 'number' ? op : -1;
  const name = (number === 0 ? nameIn(t) : GATEWAY_OPS[number]) ?? `op ${nameIn(op) ?? '?'}`;
  const base = { kind: 'gateway', name, code: '', bytes, ...appOf(application) } as const;
  if (direction === 'in') {
    const asks = GATEWAY_ASKS[number];
    return asks === undefined ? { ...base, state: 'none' } : { ...base, state: 'open', asks };
  }
  if (number === 11) return { ...base, state: 'ok', code: 'ok', answers: [BEAT] };
  if (number === 9) return { ...base, state: 'failed', code: 'invalid', answers: [RESUME, IDENTIFY] };
  if (name === 'RESUMED') return { ...base, state: 'none', answers: [RESUME] };
  const interaction = name === 'INTERACTION_CREATE' ? nameIn(objectOf(d)['id']) : undefined;
  if (interaction !== undefined) return { ...base, state: 'open', interaction };
  if (name !== 'READY') return { ...base, state: 'none' };
  const app = nameIn(objectOf(objectOf(d)['application'])['id']);
  return { ...base, state: 'none', answers: [IDENTIFY], ...appOf(app) };
}

function appOf(app: unknown): { readonly app?: string } {
  return typeof app === 'string' ? { app } : {};
}

/** Key of a nonce; a number and a text are different nonces. Undefined for a payload without a nonce. */
function nonceKey(nonce: unknown): string | undefined {
  if (typeof nonce === 'string') return `"${nonce}`;
  return typeof nonce === 'number' ? `${nonce}` : undefined;
}

/** Path without its query and the version of the API, which is the same in nearly all paths. */
function routeOf(path: string): string {
  return (path.split('?', 1)[0] ?? '').replace(/^\/api(?:\/v\d{1,2})?(?=\/)/, '');
}

function stateOf(status: number): ExchangeState {
  return status >= 400 ? 'failed' : 'ok';
}

/** A name or a number from a peer as text; undefined for any other value. */
function nameIn(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).slice(0, MAX_NAME)
    : undefined;
}

/** Object in a JSON text; an empty object where the text has none. */
export function objectIn(text: string): Fields {
  if (!text.startsWith('{') && !/^\s*\{/.test(text)) return {};
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** A value as an object; an empty object where it is none. */
export function objectOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
