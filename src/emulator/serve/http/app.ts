import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isSnowflake } from '../../../base/snowflake.ts';
import { BY_HAND_HEADER } from '../../../journal/original.ts';
import { OAuth2Error } from '../../accounts/oauth2/error.ts';
import { ApiError, generalError, invalidForm, notFound, notOffered } from '../../api/api-error.ts';
import type { Caller } from '../../api/caller.ts';
import { checked } from '../../api/check.ts';
import { isRequestId } from '../../api/fields.ts';
import type { Answer, Operation, Reply } from '../../api/operation.ts';
import type { HasViolations } from '../../api/violations.ts';
import type { HasLog } from '../../kernel/log.ts';
import { ownText } from '../../kernel/own-text.ts';
import { NoRoomError } from '../../kernel/state/room.ts';
import { callerOf, type Knowing, KnownBots } from './authenticate.ts';
import { bodyOf, type ReadBody } from './body.ts';
import { BodyTooLarge } from './body-fault.ts';
import { FORBIDDEN, mayReachPage, mayRequest, type PageRule } from './browser.ts';
import { credentialsOf } from './credentials.ts';
import type { Exchange } from './exchange.ts';
import { fieldWithin } from './field-within.ts';
import type { HeaderFields } from './header-fields.ts';
import { isIdParam } from './id-params.ts';
import { oauth2Refusal, readOAuth2 } from './oauth2-errors.ts';
import { ownerOf } from './owner.ts';
import { hasPermissionAliases, withPermissionAliases } from './permission-aliases.ts';
import { type Counted, RateLimits } from './rate-limit.ts';
import { type RequestPath, type Routes, requestPathOf } from './routes.ts';
import type { SeenRequest } from './strict.ts';
import { targetOf } from './target.ts';
import { objectOf } from './texts.ts';
import { UploadRoom } from './upload-room.ts';

/** Oldest and newest supported API version; the platform shut down all versions before 6. */
const OLDEST = 6;
const NEWEST = 10;
/** Maximum length of a stored audit log reason (characters); the rest is cut off. */
const MAX_REASON = 512;

/** Maximum number of distinct unsupported requests that are counted. */
const MAX_MISSING = 500;

/** What an operation without a body receives. */
const NO_BODY: ReadBody = { value: undefined, files: [] };

/** A reply, with the header fields that show the caller's limits. */
export interface Answered {
  readonly reply: Answer;
  readonly limits?: HeaderFields;
  /** Called after the reply was sent. */
  readonly sent?: () => void;
}

/** What is known of a request when its reply is ready. */
interface Seen extends SeenRequest {
  limits?: HeaderFields;
}

/**
 * The HTTP API of the platform. It finds the operation of a request, runs it with the platform's services, and replies
 * to failures in the platform's format too.
 */
export class HttpApp<Platform extends Knowing & HasLog & HasViolations> {
  readonly #platform: Platform;
  readonly #isLetIn: PageRule;
  readonly #routes: Routes<Platform>;
  readonly #limits: RateLimits;
  readonly #room: UploadRoom;
  readonly #bots = new KnownBots();
  readonly #missing = new Map<string, number>();
  /** Abort controllers by connection; one signal serves all requests of a connection. */
  readonly #connections = new WeakMap<Socket, AbortController>();

  constructor(platform: Platform, isLetIn: PageRule, routes: Routes<Platform>, room = new UploadRoom()) {
    this.#platform = platform;
    this.#isLetIn = isLetIn;
    this.#routes = routes;
    this.#room = room;
    const { rate_limits, communication_limits } = platform.world.tables;
    this.#limits = new RateLimits(platform.clock, {
      isEnforced: () => rate_limits.value === 'enforced',
      isPreApproval: () => communication_limits.value === 'pre-approval',
    });
  }

  /** Unsupported requests with their counts, in the order of their first occurrence. */
  get missing(): ReadonlyMap<string, number> {
    return this.#missing;
  }

  /**
   * Replies to one request; never rejects. `base` is the URL of the API without a trailing slash; `exchange` records the
   * body of the request.
   */
  async answer(request: IncomingMessage, base: string, exchange?: Exchange): Promise<Answered> {
    const seen: Seen = {};
    let reply: Answer;
    try {
      reply = await this.#answer(request, base, exchange, seen);
    } catch (error) {
      reply = this.#refusal(error, request);
    }
    const { limits } = seen;
    const known = limits === undefined ? { reply } : { reply, limits };
    return this.#platform.violations.isOn ? this.#examined(request, seen, known) : known;
  }

  /** Finds the operation of a request, and notes it for the journal, which names a route by it. */
  recognize(request: IncomingMessage, exchange: Exchange | undefined): ReturnType<Routes<Platform>['find']> {
    const requestPath = requestPathOf(targetOf(request.url ?? '').pathname);
    const found = this.#routes.find(request.method ?? '', requestPath);
    exchange?.found(found.kind === 'found' ? found.operation : undefined, this.#routes.literals);
    return found;
  }

  /** Adds the search for violations of strict mode, whose code is loaded with the first request in that mode. */
  async #examined(request: IncomingMessage, seen: SeenRequest, answered: Answered): Promise<Answered> {
    const { examine } = await import('./strict.ts');
    const { violations } = this.#platform;
    return {
      ...answered,
      sent: () => examine(violations, request, seen, answered.reply, this.#routes.literals),
    };
  }

  /** The reply to a request; `seen` gets the limits before the operation runs, since refusals show them too. */
  async #answer(
    request: IncomingMessage,
    base: string,
    exchange: Exchange | undefined,
    seen: Seen,
  ): Promise<Answer> {
    const { pathname, query } = targetOf(request.url ?? '');
    const requestPath = requestPathOf(pathname);
    const found = this.recognize(request, exchange);
    const isPage = found.kind === 'found' && found.operation.isPage;
    const { method = '', headers: sent } = request;
    // What a person decides at a page is decided there, and never by a request that was sent again.
    if (isPage && sent[BY_HAND_HEADER] !== undefined) return FORBIDDEN;
    if (isPage ? !mayReachPage(method, sent) : !mayRequest(sent, this.#isLetIn)) return FORBIDDEN;
    checkVersion(requestPath);
    if (found.kind === 'unknown') throw notFound();
    if (found.kind === 'wrong-method') {
      seen.allowed = found.allowed;
      throw generalError(405, '405: Method Not Allowed', { headers: { Allow: found.allowed.join(', ') } });
    }
    const { operation, params } = found;
    seen.operation = operation;
    const { body: declared, errors } = operation;
    this.#checkDate(operation);
    const identify = this.#bots.identifierOf(request.socket);
    const caller = callerOf(operation.who, request.headers.authorization, this.#platform, identify);
    checkListed(caller, operation);
    if (!operation.isUnlimited) {
      seen.limits = this.#limits.take(operation, params, countedCaller(caller, request));
    }
    checkIds(params);
    const queryFields = operation.query && objectOf(operation.query, query);
    seen.query = queryFields ?? (query.size === 0 ? undefined : Object.fromEntries(query));
    if (operation.notOffered.length > 0) this.#checkOffered(operation, seen.query);
    const { world } = this.#platform;
    const owner = ownerOf(caller, params, world.tables);
    exchange?.of(owner);
    const held = this.#room.hold(owner);
    try {
      const { value: body, files } = declared ? await bodyOf(request, { declared, errors, held }) : NO_BODY;
      exchange?.received(body, files);
      seen.body = body;
      this.#checkOffered(operation, body);
      const handle = () => {
        if (mayGrow(operation)) world.room.need();
        return operation.handle(
          {
            params,
            query: operation.query && checked(operation.query, queryFields),
            body: bodyChecked(operation, body),
            files,
            caller,
            version: requestPath.version ?? NEWEST,
            base,
            reason: reasonOf(request),
            headers: request.headers,
            signal: () => this.#signalOf(request.socket),
            credentials: () => {
              const credentials = credentialsOf(request.headers, body);
              if (isSnowflake(credentials.clientId)) exchange?.of(credentials.clientId);
              return credentials;
            },
          },
          this.#platform,
        );
      };
      const reply = await world.onBehalfOf(owner, () =>
        operation.makesRoom ? world.clearing(handle) : handle(),
      );
      if (!('body' in reply) || !hasPermissionAliases(requestPath.version)) return reply;
      return { ...reply, body: withPermissionAliases(operation, reply.status, reply.body) };
    } finally {
      held.release();
    }
  }

  /** Signal that aborts when the connection of a request closes. Requests that already have their reply ignore it. */
  #signalOf(socket: Socket): AbortSignal {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known.signal;
    const controller = new AbortController();
    this.#connections.set(socket, controller);
    if (socket.destroyed) controller.abort();
    else socket.once('close', () => controller.abort());
    return controller.signal;
  }

  #checkDate({ since, until }: Operation): void {
    const now = this.#platform.clock.now();
    if (since !== undefined && now < Date.parse(since)) throw notFound();
    if (until !== undefined && now >= Date.parse(until)) throw notFound();
  }

  #checkOffered({ id, notOffered: fields }: Operation, sent: unknown): void {
    const field = fieldWithin(fields, sent);
    if (field !== undefined) throw this.#notOffered(`the field "${field}" of ${id}`);
  }

  #notOffered(what: string): ApiError {
    const before = this.#missing.get(what);
    if (before !== undefined || this.#missing.size < MAX_MISSING) this.#missing.set(what, (before ?? 0) + 1);
    return notOffered(what);
  }

  #refusal(error: unknown, request: IncomingMessage): Reply {
    if (error instanceof ApiError) return error.reply;
    if (error instanceof NoRoomError) return generalError(503, error.message).reply;
    if (error instanceof OAuth2Error) return oauth2Refusal(error, request.headers);
    if (error instanceof BodyTooLarge) return new ApiError('RequestEntityTooLarge').reply;
    if (!request.destroyed) {
      const name = error instanceof Error ? error.name : typeof error;
      this.#platform.log.warn(`an operation of the platform failed: ${name}`);
    }
    return generalError(500, '500: Internal Server Error').reply;
  }
}

/**
 * Whether an operation may add records, which needs free memory. Authorization is exempt: it adds few records, and
 * users must be able to authorize in order to delete others.
 */
function mayGrow({ method, makesRoom, errors, isPage }: Operation): boolean {
  return method !== 'GET' && !makesRoom && errors === 'api' && !isPage;
}

function checkVersion({ version }: RequestPath): void {
  if (version === undefined || (version >= OLDEST && version <= NEWEST)) return;
  throw new ApiError('InvalidAPIVersion');
}

/**
 * Checks that a bot outside of the fixture only reads, because anyone can guess its token. @throws ApiError for a
 * change by such a bot.
 */
function checkListed(caller: Caller, { method }: Operation): void {
  if (caller?.kind !== 'bot' || !caller.isUnlisted || method === 'GET') return;
  const { id } = caller.application;
  throw generalError(
    403,
    `Application ${id} is not in the fixture, so its bot has read access only; add it to the fixture`,
  );
}

function checkIds(params: Readonly<Record<string, string>>): void {
  const wrong = Object.keys(params).filter((name) => isIdParam(name) && !isRequestId(params[name] ?? ''));
  if (wrong.length === 0) return;
  throw invalidForm(
    wrong.map((name) => ({
      path: [name],
      code: 'NUMBER_TYPE_COERCE',
      message: `Value ${JSON.stringify(params[name]?.slice(0, 64))} is not snowflake.`,
    })),
  );
}

function bodyChecked({ body, errors }: Operation, value: unknown): unknown {
  if (body === undefined) return undefined;
  return errors === 'oauth2' ? readOAuth2(body.schema, value) : checked(body.schema, value);
}

function countedCaller(caller: Caller, request: IncomingMessage): Counted {
  if (caller === undefined) return { name: `anybody ${request.socket.remoteAddress}`, application: '' };
  return caller.kind === 'bot'
    ? { name: `bot ${caller.application.id}`, application: caller.application.id }
    : { name: `${caller.clientId} ${caller.userId}`, application: caller.clientId };
}

/** A reason whose encoding is invalid is stored unchanged. */
function reasonOf({ headers }: IncomingMessage): string | undefined {
  const sent = headers['x-audit-log-reason'];
  if (sent === undefined) return undefined;
  const [text = ''] = [sent].flat();
  try {
    return ownText(decodeURIComponent(text).slice(0, MAX_REASON));
  } catch {
    return ownText(text.slice(0, MAX_REASON));
  }
}
