import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FaultEffect, FaultMatch, FaultSubject } from '../../../faults/fault.ts';
import type { HasOAuth2 } from '../../accounts/oauth2/oauth2.ts';
import { type ApiError, generalError } from '../../api/api-error.ts';
import type { Base } from '../../api/world.ts';
import { clientIdOfBotToken } from '../../applications/bot.ts';
import type { Observers } from '../../applications/webhooks/post.ts';
import type { Answered } from './app.ts';
import type { Exchange } from './exchange.ts';
import { requestPathOf } from './routes.ts';
import { type Pace, send } from './send.ts';
import { targetOf } from './target.ts';

/** Services for faults. */
type Needs = Base & HasOAuth2 & Observers;

/** One request with its reply, to which faults may apply. */
export interface FaultyExchange {
  readonly platform: Needs;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly exchange: Exchange | undefined;
  /** CORS headers for the page that sent the request. */
  readonly readable: Readonly<Record<string, string>> | undefined;
  /** Notes the operation of the request for the journal. */
  recognize(): Promise<void>;
  /** Serves the request. */
  answer(): Promise<Answered>;
}

/** Replies to a request and applies all matching faults. */
export async function answerWithFaults(one: FaultyExchange): Promise<void> {
  const { platform, request, response, exchange } = one;
  const subject = subjectOf(request, platform);
  // A fault may answer in the place of the API, and the journal names the route all the same.
  if (exchange !== undefined) await one.recognize();
  const apply = (...kinds: readonly FaultEffect['kind'][]): FaultMatch | undefined => {
    const found = platform.faults.match(subject, kinds);
    if (found !== undefined) exchange?.struck(found.fault, wordOf(found.effect));
    return found;
  };
  const instead = apply('error', 'status');
  const { reply, limits, sent }: Answered =
    instead === undefined ? await one.answer() : refusalOf(instead.effect);
  const late = apply('delay');
  if (late?.effect.kind === 'delay') await delayed(late.effect.ms, request);
  if (apply('drop') !== undefined) return void request.socket.destroy();
  const paced = apply('slow', 'split');
  send(response, reply, platform.clock.now(), {
    exchange,
    limits,
    readable: one.readable,
    pace: paceOf(paced?.effect),
  });
  sent?.();
}

/** Waits `ms` milliseconds, or until the peer disconnects. */
async function delayed(ms: number, { socket }: IncomingMessage): Promise<void> {
  const disconnected = new AbortController();
  const leave = (): void => disconnected.abort();
  socket.once('close', leave);
  await delay(ms, undefined, { signal: disconnected.signal }).catch(() => undefined);
  socket.off('close', leave);
}

function subjectOf(request: IncomingMessage, platform: Needs): FaultSubject {
  const { path } = requestPathOf(targetOf(request.url ?? '').pathname);
  return { on: 'http', method: request.method ?? '', path, application: applicationOf(request, platform) };
}

/** The application that the credentials of a request name, even if they are invalid. */
function applicationOf(
  { headers: { authorization = '' } }: IncomingMessage,
  platform: Needs,
): string | undefined {
  const [, scheme = '', value = ''] = /^(\w+) (.{1,512})$/.exec(authorization) ?? [];
  switch (scheme.toLowerCase()) {
    case 'bot':
      return clientIdOfBotToken(value);
    case 'bearer': {
      const found = platform.oauth2.introspect(value);
      return found.state === 'active' ? found.clientId : undefined;
    }
    case 'basic':
      return Buffer.from(value, 'base64').toString('utf8').split(':', 1)[0];
    default:
      return undefined;
  }
}

const TOO_MANY = 429;
const RETRY_AFTER_S = 1;

function refusalOf(effect: FaultEffect): ApiError {
  if (effect.kind === 'error')
    return generalError(400, 'A fault answered in the place of the platform', {
      more: { code: effect.code },
    });
  const status = effect.kind === 'status' ? effect.status : 500;
  if (status !== TOO_MANY)
    return generalError(status, `${status}: a fault answered in the place of the platform`);
  return generalError(TOO_MANY, 'You are being rate limited.', {
    more: { retry_after: RETRY_AFTER_S, global: false },
    headers: {
      'Retry-After': String(RETRY_AFTER_S),
      'X-RateLimit-Limit': '1',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset-After': String(RETRY_AFTER_S),
      'X-RateLimit-Scope': 'user',
    },
  });
}

function paceOf(effect: FaultEffect | undefined): Pace | undefined {
  if (effect?.kind === 'slow') return { kind: 'slow', bytesPerSecond: effect.bytesPerSecond };
  return effect?.kind === 'split' ? { kind: 'split' } : undefined;
}

function wordOf(effect: FaultEffect): string {
  switch (effect.kind) {
    case 'delay':
      return `delay by ${effect.ms} ms`;
    case 'error':
      return `answers with the error ${effect.code}`;
    case 'status':
      return `answers with ${effect.status}`;
    case 'slow':
      return `slow, ${effect.bytesPerSecond} bytes a second`;
    default:
      return effect.kind;
  }
}
