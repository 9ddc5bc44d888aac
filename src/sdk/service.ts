import { ApiError, type ApiRequest, ask } from '../client/http.ts';
import { onAbort } from '../client/limit.ts';
import { ErrorType } from './enums.ts';
import { Failed } from './outcome.ts';
import { idOf, member } from './raw.ts';

/** What requests need of the client. */
export interface ServiceHost {
  readonly api: string;
  /** Milliseconds for each request. */
  timeoutMs(): number;
  token(): string | undefined;
  /** The service does not take this token any more. */
  refused(token: string): void;
}

/** What is done at the service after all is given up may take so long (ms): it keeps the game's process alive. */
const LINGER_MS = 2000;
/** Two hundred messages with all that may hang on them (bytes). */
const MOST_BYTES = 8 * 1024 * 1024;

/** The service's HTTP API for a player with a token. */
export class Service {
  readonly #host: ServiceHost;
  /** What the game waits for. Each has a signal of its own: beyond ten listeners of one, Node warns of a leak. */
  readonly #open = new Set<AbortController>();

  constructor(host: ServiceHost) {
    this.#host = host;
  }

  /** Resolves with the JSON answer, undefined where there is none. Rejects with Failed without a token, else as `ask` does. */
  async ask(method: ApiRequest['method'], path: string, body?: object): Promise<unknown> {
    const host = this.#host;
    const token = host.token();
    if (token === undefined)
      throw new Failed(ErrorType.ClientNotReady, 'token: there is none; call UpdateToken first');
    return this.waitedFor((signal) => this.#askAs(token, method, path, body, signal));
  }

  /**
   * The same by a token that may not be the one in use any more; `giveUp` breaks it off a little later only: what it makes at the
   * service would stay there with nobody who knows of it.
   */
  async askAs(token: string, path: string, body: object): Promise<unknown> {
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    return this.waitedFor(async (signal) => {
      const forget = onAbort(signal, () => {
        timer = setTimeout(() => ending.abort(signal.reason), LINGER_MS);
      });
      try {
        return await this.#askAs(token, 'POST', path, body, ending.signal);
      } finally {
        forget();
        clearTimeout(timer);
      }
    });
  }

  async #askAs(
    token: string,
    method: ApiRequest['method'],
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<unknown> {
    try {
      return await this.#send({ method, path, body, token, mostBytes: MOST_BYTES }, signal);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) this.#host.refused(token);
      throw error;
    }
  }

  /** Whether a token is taken, if only for little; undefined where that cannot be found out. */
  async takes(token: string): Promise<boolean | undefined> {
    return this.waitedFor((signal) =>
      this.#send({ method: 'GET', path: '/oauth2/@me', token }, signal).then(
        () => true,
        (error: unknown) => (error instanceof ApiError && error.status === 401 ? false : undefined),
      ),
    );
  }

  /** Whose token it is; undefined where that cannot be found out. */
  async whose(token: string): Promise<string | undefined> {
    const asked = (signal: AbortSignal): Promise<unknown> =>
      this.#send({ method: 'GET', path: '/users/@me', token }, signal);
    const id = await this.waitedFor(asked)
      .then((user) => member(user, 'id'))
      .catch(() => undefined);
    return typeof id === 'string' && idOf(id) !== 0n ? id : undefined;
  }

  /** Work that the game waits for: until it is done, or its signal aborts because the game waits no more. */
  async waitedFor<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const leaving = new AbortController();
    this.#open.add(leaving);
    try {
      return await work(leaving.signal);
    } finally {
      this.#open.delete(leaving);
    }
  }

  /** The game waits no more for what is under way: it is rejected with this. */
  giveUp(reason: Failed): void {
    for (const request of this.#open) request.abort(reason);
  }

  async #send(request: ApiRequest, signal: AbortSignal): Promise<unknown> {
    const host = this.#host;
    return ask({ api: host.api, timeoutMs: host.timeoutMs(), signal }, request);
  }

  /** The same as `ask`, of an answer that must be an object. */
  async object(method: ApiRequest['method'], path: string, body?: object): Promise<Raw> {
    return rawOf(await this.ask(method, path, body));
  }

  /** The same, of one that has an id: something that was made. */
  async made(method: ApiRequest['method'], path: string, body: object): Promise<Raw> {
    const answer = await this.object(method, path, body);
    if (idOf(answer['id']) === 0n) throw nonsense();
    return answer;
  }

  /** The same, of an answer that must be a list of objects. */
  async list(path: string): Promise<readonly Raw[]> {
    const answer = await this.ask('GET', path);
    if (!Array.isArray(answer)) throw nonsense();
    return answer.map(rawOf);
  }
}

/** An object as the service tells it. */
export type Raw = Readonly<Record<string, unknown>>;

/** What must be an object. Throws Failed for anything else. */
export function rawOf(value: unknown): Raw {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Raw;
  throw nonsense();
}

/** The failure of an answer that is none. */
export function nonsense(): Failed {
  return new Failed(ErrorType.HTTPError, 'The service answered with something else than the API says');
}
