import { withIssueText } from '../base/issue-text.ts';
import { isRpcError } from '../protocol/errors.ts';
import { isObject } from '../protocol/json.ts';
import { findCommand, findEvent } from '../protocol/registry.ts';
import { ready } from '../protocol/shapes/common.ts';
import { isCloseError } from '../wire/close-error.ts';
import {
  type ClientCore,
  type CoreCall,
  type CoreHost,
  type CoreSession,
  type CreateCore,
  missingIn,
  type Peer,
} from './core.ts';
import { inTime } from './time-limit.ts';

/** Maximum time of a core for one answer (ms), the same as in the bridge. */
const ANSWER_TIMEOUT_MS = 9000;

const ID = '999999999999999999';
/** Calls that depend on no state: every core's answer must have the documented shape. */
const SAMPLES: readonly (readonly [cmd: string, args: object])[] = [
  ['GET_GUILDS', {}],
  ['GET_GUILD', { guild_id: ID }],
  ['GET_CHANNELS', { guild_id: ID }],
  ['GET_CHANNEL', { channel_id: ID }],
  ['GET_VOICE_SETTINGS', {}],
  ['GET_SELECTED_VOICE_CHANNEL', {}],
  ['GET_RELATIONSHIPS', {}],
  ['GET_USER', { id: ID }],
  ['SET_ACTIVITY', { pid: 1, activity: { state: 'In a test' } }],
  ['SET_ACTIVITY', { pid: 1, activity: null }],
];

/** A rule that the core breaks; the message names the rule and the violation. */
class ContractError extends Error {
  override readonly name = 'ContractError';
}

/**
 * Checks a core against the rules of the bridge, without a bridge or a test runner: creates one core, opens and closes
 * sessions, and stops the core. Throws an Error that names the first broken rule.
 */
export async function contract(createCore: CreateCore): Promise<void> {
  const core = await answeredInTime('createCore', async () => createCore());
  const missing = missingIn(core);
  rule(missing === undefined, `createCore returns a core; this one is without ${missing}`);
  const watched = watchedHost();
  const started = await answeredInTime('start', async () => core.start(watched.host));
  rule(started === undefined || isObject(started), 'start returns an object');
  checkOperations(started?.admin);
  try {
    await checkSessions(core);
    watched.check();
  } finally {
    await answeredInTime('stop', async () => core.stop());
  }
}

async function checkSessions(core: ClientCore): Promise<void> {
  const leaving = new AbortController();
  const [first, second] = [
    await open(core, '1', leaving.signal),
    await open(core, '2', new AbortController().signal),
  ];
  checkSession(first);
  checkSession(second);
  if (first.relay === undefined) {
    for (const [cmd, args] of SAMPLES) await checkAnswer(first, cmd, args, leaving.signal);
    await checkToken(first, leaving.signal);
    await checkSubscriptions(first, leaving.signal);
    await checkLeaving(first, leaving);
  }
  await answeredInTime('close', async () => first.close());
  await answeredInTime('close, called again,', async () => first.close());
  if (second.relay === undefined) {
    // An app that disconnects must not affect another app.
    for (const [cmd, args] of SAMPLES) await checkAnswer(second, cmd, args, leaving.signal);
  }
  await answeredInTime('close', async () => second.close());
}

async function open(core: ClientCore, sessionId: string, signal: AbortSignal): Promise<CoreSession> {
  const peer: Peer = { sessionId, clientId: ID, transport: 'memory', signal };
  const session: unknown = await answeredInTime('open', async () => core.open(peer));
  rule(isObject(session), 'open returns a session');
  return session as unknown as CoreSession;
}

function checkSession(session: CoreSession): void {
  const { ready: data, handlers } = session;
  rule(typeof session.close === 'function', 'a session has a function close');
  rule(isObject(handlers), 'a session has handlers, an object');
  for (const [cmd, handler] of Object.entries(handlers)) {
    rule(findCommand(cmd) !== undefined, `handlers are named as commands; there is no command ${cmd}`);
    rule(typeof handler === 'function', `the handler of ${cmd} is a function`);
  }
  if (session.relay === undefined) checkShape('ready', ready(), data);
}

function callOf(signal: AbortSignal, rawArgs: object, scopes: readonly string[] = []): CoreCall {
  return { signal, rawArgs, scopes: new Set(scopes), waitsForConsent: () => {} };
}

async function checkAnswer(
  session: CoreSession,
  cmd: string,
  rawArgs: object,
  signal: AbortSignal,
): Promise<void> {
  const handler = session.handlers[cmd as keyof CoreSession['handlers']] as
    | ((args: unknown, call: object) => unknown)
    | undefined;
  const command = findCommand(cmd);
  if (handler === undefined || command === undefined) return;
  const args = command.args().parse(rawArgs);
  const outcome = await attempt(cmd, () => handler(args, callOf(signal, rawArgs, ['rpc'])));
  if ('value' in outcome) checkShape(`the answer to ${cmd}`, command.result(), outcome.value ?? null);
}

/** Checks that AUTHENTICATE rejects an unknown token: a core that accepts any token would let any app in. */
async function checkToken({ handlers }: CoreSession, signal: AbortSignal): Promise<void> {
  const authenticate = handlers.AUTHENTICATE;
  if (authenticate === undefined) return;
  const rawArgs = { access_token: 'a token that nobody has issued' };
  const outcome = await attempt('AUTHENTICATE', () => authenticate(rawArgs, callOf(signal, rawArgs)));
  rule('error' in outcome, 'AUTHENTICATE refuses a token that was never issued (RpcError 4009)');
}

/** Checks that the values replayed on SUBSCRIBE have the shape of the event. */
async function checkSubscriptions(session: CoreSession, signal: AbortSignal): Promise<void> {
  if (session.subscribe === undefined) return;
  for (const name of ['VOICE_SETTINGS_UPDATE', 'CURRENT_USER_UPDATE', 'VOICE_CONNECTION_STATUS'] as const) {
    const event = findEvent(name);
    const outcome = await attempt(`SUBSCRIBE ${name}`, () => session.subscribe?.(name, {}, { signal }));
    if (!('value' in outcome) || event === undefined) continue;
    const current = outcome.value ?? [];
    rule(Array.isArray(current), `subscribe returns a list of current values, for ${name} too`);
    for (const data of current as unknown[]) checkShape(`the current ${name}`, event.data(), data);
    await attempt(`UNSUBSCRIBE ${name}`, () => session.unsubscribe?.(name, {}));
  }
}

/** Checks that a request which waits for the user ends when the app has disconnected. */
async function checkLeaving({ handlers }: CoreSession, leaving: AbortController): Promise<void> {
  const authorize = handlers.AUTHORIZE;
  if (authorize === undefined) return leaving.abort();
  const args = { client_id: ID, scopes: ['rpc'] };
  const pendingAnswer = attempt('AUTHORIZE, once the app has left,', () =>
    authorize(args, callOf(leaving.signal, args)),
  );
  leaving.abort();
  await pendingAnswer;
}

function checkOperations(admin: unknown): void {
  if (admin === undefined) return;
  rule(isObject(admin), 'admin is a table of operations');
  for (const [name, operation] of Object.entries(admin)) {
    const whole =
      isObject(operation) &&
      typeof operation.summary === 'string' &&
      typeof operation.args === 'function' &&
      typeof operation.run === 'function';
    rule(whole, `the operation ${name} has a summary, and functions args and run`);
    const { text } = operation as { readonly text?: unknown };
    const hasText =
      text === undefined ||
      (isObject(text) && (typeof text.outputs === 'function' || typeof text.takes === 'function'));
    rule(hasText, `the text of the operation ${name} has a function outputs or takes`);
  }
}

/** A host that checks emitted events against their declared shape. */
function watchedHost(): { readonly host: CoreHost; check(): void } {
  let broken: string | undefined;
  const host: CoreHost = {
    emit(name, data) {
      const event = findEvent(name);
      if (event === undefined) broken ??= `there is no event ${name} to emit`;
      else broken ??= fault(`the data of the event ${name}`, event.data(), data);
      return 0;
    },
    relay() {},
    closeSessions: () => 0,
    grant() {},
    log() {},
  };
  return { host, check: () => rule(broken === undefined, broken ?? '') };
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Runs a call; an error other than RpcError and CloseError breaks a rule. */
async function attempt(what: string, task: () => unknown): Promise<Outcome> {
  return answeredInTime(what, async () => {
    try {
      return { value: await task() };
    } catch (error) {
      const known = isRpcError(error) || isCloseError(error);
      rule(known, `${what} fails with RpcError or CloseError only, not with ${String(error).slice(0, 200)}`);
      return { error };
    }
  });
}

function answeredInTime<T>(what: string, task: () => Promise<T>): Promise<T> {
  const late = () => new ContractError(`${what} takes longer than ${ANSWER_TIMEOUT_MS / 1000} s`);
  return inTime(task, ANSWER_TIMEOUT_MS, late);
}

interface Shape {
  safeParse(
    data: unknown,
    params: ReturnType<typeof withIssueText>,
  ): {
    readonly error?:
      | { readonly issues: readonly { path: readonly PropertyKey[]; message: string }[] }
      | undefined;
  };
}

function fault(what: string, shape: Shape, data: unknown): string | undefined {
  const issue = shape.safeParse(data, withIssueText()).error?.issues[0];
  if (issue === undefined) return undefined;
  return `${what} has the documented shape; at "${issue.path.join('.')}": ${issue.message}`;
}

function checkShape(what: string, shape: Shape, data: unknown): void {
  const broken = fault(what, shape, data);
  rule(broken === undefined, broken ?? '');
}

function rule(holds: boolean, text: string): asserts holds {
  if (!holds) throw new ContractError(`rule broken: ${text}`);
}
