import { isRecord, isSame } from '../../../../src/conformance/schema.ts';
import type { ErrorKind } from './behaviour.ts';
import { activityRules, isBroken, isSecretFromParty, secretRules, voiceRules } from './rules.ts';
import { isSubscribed, type Session } from './session.ts';

/** How a command is answered: with data, with an error of a kind, or with a code of its own. */
export interface Answer {
  readonly kind?: ErrorKind;
  readonly code?: number;
  readonly data?: unknown;
  /** Happens after the answer, or before it when `before` says so. */
  readonly then?: () => void;
  readonly before?: boolean;
}

interface Call {
  readonly session: Session;
  readonly args: Record<string, unknown>;
  readonly evt: unknown;
}

/** An error with a code that no behaviour changes. */
export function failure(code: number): Answer {
  return { code };
}

const GUILDS = ['400000000000000001', '400000000000000002'].map((id) => ({
  id,
  name: `Guild ${id}`,
  icon_url: null,
}));
const CHANNEL = { id: '500000000000000001', name: 'general', type: 0 };
const SCOPES = new Set(['rpc', 'identify', 'rpc.voice.read', 'rpc.voice.write']);

/** Events: the scope each needs (none: anybody), and whether it tells a state. */
const EVENTS = new Map<
  string,
  { readonly scope?: string; readonly state?: (session: Session, args: unknown) => unknown }
>([
  ['CURRENT_USER_UPDATE', { state: (session) => session.user }],
  ['AUTHORIZE_REQUEST', {}],
  ['VOICE_SETTINGS_UPDATE', { scope: 'rpc.voice.read', state: (session) => session.world.service.voice }],
  ['VOICE_CHANNEL_SELECT', { scope: 'rpc' }],
  [
    'GUILD_STATUS',
    {
      scope: 'rpc',
      state: (_, args) => ({
        guild: GUILDS.find((guild) => isRecord(args) && guild.id === args['guild_id']),
        online: 0,
      }),
    },
  ],
]);

function allowed(session: Session, scope: string): boolean {
  const { scopes } = session;
  if (session.has('any-scope') && scopes.size > 0) return true;
  if (session.has('rpc-is-nothing')) return scope !== 'rpc' && scopes.has(scope);
  return scopes.has('rpc') || (scopes.has(scope) && !session.has('only-rpc'));
}

/** A command behind a scope. */
function scoped(scope: string, work: (call: Call) => Answer): (call: Call) => Answer {
  return (call) => {
    const isArgsFirst = call.session.has('args-first') && call.args['guild_id'] === 5;
    return allowed(call.session, scope) || isArgsFirst ? work(call) : { kind: 'scope' };
  };
}

function setActivity({ session, args }: Call): Answer {
  const { lenient } = session.world.behaviour;
  const { pid, activity } = args;
  if (session.has('token-for-activity') && session.token === undefined) return failure(4006);
  const hasPid = pid !== undefined && pid !== null;
  if (!hasPid && session.wire.kind === 'ipc') return { kind: 'pid' };
  if (hasPid && !lenient.has('pid') && !(Number.isInteger(pid) && Number(pid) >= 0))
    return { kind: 'activity' };
  if (activity === null || activity === undefined)
    return { data: session.has('clear-answers-object') ? {} : null };
  if (session.has('refuses-activities')) return failure(4000);
  if (!isRecord(activity)) return { kind: 'activity' };
  const { type = 0 } = activity;
  if (typeof type !== 'number' || ![0, 2, 3, 5].includes(type)) {
    if (!lenient.has('type')) return { kind: 'activity-type' };
  }
  if (session.has('strict-activity') && Object.hasOwn(activity, 'sync_id')) return failure(4000);
  const bytes = Buffer.byteLength(JSON.stringify(activity['details'] ?? ''));
  if (session.has('counts-bytes') && bytes > 128) return failure(4000);
  if (isBroken(activityRules, activity, lenient)) return { kind: 'activity' };
  if (session.has('strict-secrets') && isSecretFromParty(activity)) return { kind: 'secrets' };
  if (isBroken(secretRules, activity, lenient)) return { kind: 'secrets' };
  if (session.has('echo')) return { data: { ...activity, name: '', type: String(type) } };
  return { data: shown(activity, session) };
}

function shown(activity: Record<string, unknown>, session: Session): unknown {
  const { instance, buttons, timestamps, ...rest } = activity;
  const list = Array.isArray(buttons) ? buttons.filter(isRecord) : undefined;
  const times = isRecord(timestamps)
    ? Object.fromEntries(
        Object.entries(timestamps).map(([key, at]) => [key, Number(at) < 1e11 ? Number(at) * 1000 : at]),
      )
    : undefined;
  return {
    application_id: session.clientId,
    name: 'Application',
    type: 0,
    metadata: list === undefined ? {} : { button_urls: list.map((one) => one['url']) },
    ...rest,
    ...(instance === true ? { flags: 1 } : {}),
    ...(list === undefined ? {} : { buttons: list.map((one) => one['label']) }),
    ...(times === undefined ? {} : { timestamps: times }),
  };
}

function setVoice({ session, args }: Call): Answer {
  const { service, behaviour } = session.world;
  const before = service.voice;
  const merged: Record<string, unknown> = { ...before };
  const { available_devices: _, ...input } = isRecord(args['input']) ? args['input'] : {};
  for (const [key, value] of Object.entries({ ...args, ...(isRecord(args['input']) ? { input } : {}) })) {
    const old = before[key];
    const replaced = session.has('devices-writable') && key === 'input' ? args['input'] : value;
    merged[key] =
      isRecord(old) && isRecord(replaced) && !session.has('no-merge') ? { ...old, ...replaced } : replaced;
  }
  if (session.has('half-changes') && isBroken(voiceRules, args, behaviour.lenient))
    service.voice = { ...before, mute: true };
  if (isBroken(voiceRules, args, behaviour.lenient)) return { kind: 'voice' };
  if (session.has('strict-voice') && Object.keys(args).length === 0) return failure(4000);
  if (session.has('exclusive-bounds') && isRecord(args['output']) && args['output']['volume'] === 200)
    return failure(4000);
  const keys = isRecord(args['mode']) ? args['mode']['shortcut'] : undefined;
  if (
    session.has('names-required') &&
    Array.isArray(keys) &&
    !keys.every((key) => isRecord(key) && key['name'])
  ) {
    return failure(4000);
  }
  if (session.has('whole-volumes') && isRecord(merged['input'])) {
    merged['input'] = { ...merged['input'], volume: Math.round(Number(merged['input']['volume'])) };
  }
  if (session.has('touches-more')) merged['silence_warning'] = !before['silence_warning'];
  service.voice = merged;
  const isNews = !isSame(before, merged) || session.has('always-news');
  const then = () => {
    if (isNews && !session.has('no-delivery')) session.publish('VOICE_SETTINGS_UPDATE', service.voice);
  };
  return {
    data: session.has('partial-answer') ? args : service.voice,
    then,
    before: session.has('event-first'),
  };
}

function getVoice({ session }: Call): Answer {
  const { voice } = session.world.service;
  if (session.has('no-shortcut-array'))
    return { data: { ...voice, mode: { ...(voice['mode'] as object), shortcut: {} } } };
  if (session.has('odd-voice'))
    return { data: { ...voice, input: { ...(voice['input'] as object), volume: 500 } } };
  return { data: session.has('short-voice') ? { mute: false } : voice };
}

function subscribe({ session, args, evt }: Call): Answer {
  if (typeof evt !== 'string') return { kind: 'event-missing' };
  if (['READY', 'ERROR'].includes(evt)) return { kind: 'internal-event' };
  const event = EVENTS.get(evt);
  if (event === undefined) return { kind: 'unknown-event' };
  const isOpen = event.scope === undefined && !session.has('token-for-events');
  if (!isOpen && !allowed(session, event.scope ?? 'rpc')) return { kind: 'event-scope' };
  if (evt === 'GUILD_STATUS') {
    if (args['guild_id'] === undefined) return { kind: 'event-args' };
    if (!GUILDS.some((guild) => guild.id === args['guild_id'])) return { kind: 'event-guild' };
  }
  const known = session.has('one-subscription')
    ? session.subscriptions.some((one) => one.evt === evt)
    : isSubscribed(session, evt, args);
  if (!known || session.has('counts-twice')) session.subscriptions.push({ evt, args });
  if (session.has('remembers')) session.world.memory.add(session.clientId);
  const then = () => {
    const state = event.state?.(session, args);
    if (state !== undefined && !session.has('no-replay') && !(known && session.has('one-subscription'))) {
      session.dispatch(evt, state);
    }
    if (event.state === undefined && session.has('replays-all')) session.dispatch(evt, null);
  };
  return { data: session.has('empty-subscribe') ? null : { evt }, then, before: session.has('event-first') };
}

function unsubscribe({ session, args, evt }: Call): Answer {
  if (typeof evt !== 'string' || !EVENTS.has(evt)) return { kind: 'unknown-event' };
  const index = session.subscriptions.findIndex((one) => one.evt === evt && isSame(one.args, args));
  if (index < 0 && session.has('must-be-subscribed')) return failure(4004);
  if (index >= 0 && !session.has('never-unsubscribes')) session.subscriptions.splice(index, 1);
  return { data: { evt } };
}

function authorize({ session, args }: Call): Answer {
  if (session.has('no-authorize')) return { kind: 'authorize-open' };
  if (session.token !== undefined) return { kind: 'authorize-late' };
  if (typeof args['client_id'] !== 'string') return { kind: 'authorize-client' };
  if (args['client_id'] !== session.clientId) return { kind: 'authorize-foreign' };
  if (args['response_type'] === 'token') return { kind: 'authorize-response' };
  if (session.has('silent-second') && session.isAuthorizing) return { kind: 'authorize-open' };
  session.isAuthorizing = true;
  const asked =
    session.has('scope-only-array') || args['scopes'] !== undefined ? args['scopes'] : args['scope'];
  const scopes = typeof asked === 'string' && !session.has('scope-only-array') ? asked.split(' ') : asked;
  if (!Array.isArray(scopes) || scopes.length === 0) return { kind: 'authorize-scope' };
  if (!session.world.behaviour.lenient.has('scopes') && !scopes.every((one) => SCOPES.has(String(one)))) {
    return { kind: 'authorize-scope' };
  }
  if (session.has('asks-in-vain')) return { kind: 'authorize-open' };
  if (args['code_challenge_method'] === 'plain' && !session.has('plain')) return failure(5000);
  if (session.has('no-code')) return { data: { url: 'x' } };
  return { data: { code: session.world.service.code(session.clientId, scopes.map(String), args) } };
}

function authenticate({ session, args }: Call): Answer {
  if (session.token !== undefined) return { kind: 'token-twice' };
  const value = args['access_token'];
  if (value === null || value === undefined) return { kind: 'token-null' };
  const token = session.world.service.token(value);
  if (token === undefined) {
    if (session.has('scopes-anyway')) session.scopes = new Set(['rpc']);
    return { kind: 'token' };
  }
  if (token.clientId !== session.clientId) return { kind: 'token-foreign' };
  session.token = token.value;
  session.scopes = new Set(token.scopes);
  const data = {
    application: { id: session.clientId, name: 'Application' },
    user: session.user,
    scopes: token.scopes,
    expires: '2030-01-01T00:00:00.000Z',
    access_token: token.value,
  };
  if (session.has('short-authenticate')) return { data: { user: session.user } };
  return { data: session.has('no-access-token') ? { ...data, access_token: undefined } : data };
}

const guildAnswer = ({ session, args }: Call): Answer => {
  if (typeof args['guild_id'] !== 'string') return { kind: 'args' };
  const guild = GUILDS.find((one) => one.id === args['guild_id']);
  return guild === undefined ? { kind: 'guild' } : { data: session.has('odd-guilds') ? { id: 5 } : guild };
};

/** Every command the reference server offers. */
export const handlers: ReadonlyMap<string, (call: Call) => Answer> = new Map<string, (call: Call) => Answer>([
  ['SET_ACTIVITY', setActivity],
  ['AUTHORIZE', authorize],
  ['AUTHENTICATE', authenticate],
  ['SUBSCRIBE', subscribe],
  ['UNSUBSCRIBE', unsubscribe],
  ['GET_VOICE_SETTINGS', scoped('rpc.voice.read', getVoice)],
  ['SET_VOICE_SETTINGS', scoped('rpc.voice.write', setVoice)],
  [
    'GET_SELECTED_VOICE_CHANNEL',
    scoped('rpc.voice.read', ({ session }) => ({ data: session.has('odd-guilds') ? {} : null })),
  ],
  [
    'GET_GUILDS',
    scoped('rpc', ({ session }) => ({ data: { guilds: session.has('odd-guilds') ? [{ id: 5 }] : GUILDS } })),
  ],
  ['GET_GUILD', scoped('rpc', guildAnswer)],
  [
    'GET_CHANNELS',
    scoped('rpc', ({ session }) => ({ data: { channels: session.has('odd-guilds') ? [{}] : [CHANNEL] } })),
  ],
  [
    'GET_CHANNEL',
    scoped('rpc', ({ session, args }) => {
      if (args['channel_id'] !== CHANNEL.id) return { kind: 'channel' };
      const channel = { ...CHANNEL, guild_id: '400000000000000001', voice_states: [], messages: [] };
      return { data: session.has('odd-guilds') ? {} : channel };
    }),
  ],
  [
    'GET_RELATIONSHIPS',
    ({ session }) => (session.has('open-relationships') ? { data: {} } : { kind: 'scope' }),
  ],
]);
