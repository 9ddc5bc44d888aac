import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Does, Passing, Strike } from '../../../faults/fault.ts';
import type { HasOAuth2 } from '../../accounts/oauth2/oauth2.ts';
import { ApiError } from '../../api/api-error.ts';
import type { Content, Download, Page, Reply } from '../../api/reply.ts';
import type { Base } from '../../api/world.ts';
import { clientIdOfBotToken } from '../../applications/bot.ts';
import type { Taps } from '../../applications/webhooks/post.ts';
import type { Exchange } from './exchange.ts';
import { placeOf } from './routes.ts';
import { type Pace, send } from './send.ts';
import { targetOf } from './target.ts';

/** Services for faults. */
type Needs = Base & HasOAuth2 & Taps;

/** One exchange that faults may affect. */
export interface FaultyExchange {
  readonly platform: Needs;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly exchange: Exchange | undefined;
  /** CORS headers for the requesting page. */
  readonly readable: Readonly<Record<string, string>> | undefined;
  /** Serves the request. */
  answer(): Promise<Reply | Page | Download | Content>;
}

/** Replies to a request with all matching faults applied. */
export async function answerWithFaults(one: FaultyExchange): Promise<void> {
  const { platform, request, response, exchange } = one;
  const passing = passingOf(request, platform);
  const strike = (...kinds: readonly Does['kind'][]): Strike | undefined => {
    const found = platform.faults.strike(passing, kinds);
    if (found !== undefined) exchange?.struck(found.fault, wordOf(found.does));
    return found;
  };
  const instead = strike('error', 'status');
  const reply = instead === undefined ? await one.answer() : refusalOf(instead.does).reply;
  const late = strike('delay');
  if (late?.does.kind === 'delay') await delayed(late.does.ms, request);
  if (strike('drop') !== undefined) return void request.socket.destroy();
  const paced = strike('slow', 'split');
  send(response, reply, platform.clock.now(), {
    exchange,
    readable: one.readable,
    pace: paceOf(paced?.does),
  });
}

/** Waits, but not after the peer has disconnected. */
async function delayed(ms: number, { socket }: IncomingMessage): Promise<void> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  socket.once('close', leave);
  await delay(ms, undefined, { signal: gone.signal }).catch(() => undefined);
  socket.off('close', leave);
}

function passingOf(request: IncomingMessage, platform: Needs): Passing {
  const { path } = placeOf(targetOf(request.url ?? '').pathname);
  return { on: 'http', method: request.method ?? '', path, application: applicationOf(request, platform) };
}

/** The application whose credentials a request has, valid or not. */
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

function refusalOf(does: Does): ApiError {
  if (does.kind === 'error')
    return new ApiError('GeneralError', {
      status: 400,
      message: 'A fault answered in the place of the platform',
      more: { code: does.code },
    });
  const status = does.kind === 'status' ? does.status : 500;
  if (status !== TOO_MANY)
    return new ApiError('GeneralError', {
      status,
      message: `${status}: a fault answered in the place of the platform`,
    });
  return new ApiError('GeneralError', {
    status: TOO_MANY,
    message: 'You are being rate limited.',
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

function paceOf(does: Does | undefined): Pace | undefined {
  if (does?.kind === 'slow') return { kind: 'slow', bytesPerSecond: does.bytesPerSecond };
  return does?.kind === 'split' ? { kind: 'split' } : undefined;
}

function wordOf(does: Does): string {
  switch (does.kind) {
    case 'delay':
      return `delay by ${does.ms} ms`;
    case 'error':
      return `answers with the error ${does.code}`;
    case 'status':
      return `answers with ${does.status}`;
    case 'slow':
      return `slow, ${does.bytesPerSecond} bytes a second`;
    default:
      return does.kind;
  }
}
