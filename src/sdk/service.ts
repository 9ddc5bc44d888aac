import { ApiError, type ApiRequest, callApi } from '../client/http.ts';
import { onAbort } from '../client/limit.ts';
import { ErrorType } from './enums.ts';
import { Failed } from './outcome.ts';
import { idOf, member, type Raw } from './raw.ts';

/** Parts of the client that requests need. */
export interface ServiceHost {
  readonly api: string;
  /** Milliseconds for each request. */
  timeoutMs(): number;
  token(): string | undefined;
  /** Called when the service rejects this token. */
  refused(token: string): void;
}

/** Time limit of requests that outlive `giveUp` (ms), because they keep the game's process alive. */
const LINGER_MS = 2000;
/** Maximum size of an answer (bytes): 200 messages with all their attachments and embeds fit. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The service's HTTP API for a player with a token. */
export class Service {
  readonly #host: ServiceHost;
  /**
   * Abort controllers of pending requests, one for each request, because Node warns of a leak above ten listeners of
   * one signal.
   */
  readonly #open = new Set<AbortController>();

  constructor(host: ServiceHost) {
    this.#host = host;
  }

  /**
   * Sends a request. Resolves with the JSON answer, or undefined when the answer is not JSON. Rejects with Failed
   * without a token, else as the HTTP function `callApi` does.
   */
  async request(method: ApiRequest['method'], path: string, body?: object): Promise<unknown> {
    const host = this.#host;
    const token = host.token();
    if (token === undefined)
      throw new Failed(ErrorType.ClientNotReady, 'token: there is none; call UpdateToken first');
    return this.waitedFor((signal) => this.#requestAs(token, method, path, body, signal));
  }

  /**
   * Sends a request with a token that may no longer be in use. `giveUp` aborts it only after a delay; otherwise the
   * service could have created an object that this client does not know.
   */
  async requestAs(token: string, path: string, body: object): Promise<unknown> {
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    return this.waitedFor(async (signal) => {
      const forget = onAbort(signal, () => {
        timer = setTimeout(() => ending.abort(signal.reason), LINGER_MS);
      });
      try {
        return await this.#requestAs(token, 'POST', path, body, ending.signal);
      } finally {
        forget();
        clearTimeout(timer);
      }
    });
  }

  async #requestAs(
    token: string,
    method: ApiRequest['method'],
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<unknown> {
    try {
      return await this.#send({ method, path, body, token, maxBytes: MAX_BYTES }, signal);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) this.#host.refused(token);
      throw error;
    }
  }

  /** Whether the service accepts a token, with any scope; undefined when the request cannot determine this. */
  async takes(token: string): Promise<boolean | undefined> {
    return this.waitedFor((signal) =>
      this.#send({ method: 'GET', path: '/oauth2/@me', token }, signal).then(
        () => true,
        (error: unknown) => (error instanceof ApiError && error.status === 401 ? false : undefined),
      ),
    );
  }

  /** Returns the user id of a token; undefined when the request cannot determine it. */
  async whose(token: string): Promise<string | undefined> {
    const attempt = (signal: AbortSignal): Promise<unknown> =>
      this.#send({ method: 'GET', path: '/users/@me', token }, signal);
    const id = await this.waitedFor(attempt)
      .then((user) => member(user, 'id'))
      .catch(() => undefined);
    return typeof id === 'string' && idOf(id) !== 0n ? id : undefined;
  }

  /** Runs work that the game waits for; the signal of the work aborts on `giveUp`. */
  async waitedFor<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const leaving = new AbortController();
    this.#open.add(leaving);
    try {
      return await work(leaving.signal);
    } finally {
      this.#open.delete(leaving);
    }
  }

  /** Aborts the signals of all pending work with this reason. */
  giveUp(reason: Failed): void {
    for (const request of this.#open) request.abort(reason);
  }

  async #send(request: ApiRequest, signal: AbortSignal): Promise<unknown> {
    const host = this.#host;
    return callApi({ api: host.api, timeoutMs: host.timeoutMs(), signal }, request);
  }

  /** Sends a `request` whose answer must be an object. */
  async object(method: ApiRequest['method'], path: string, body?: object): Promise<Raw> {
    return rawOf(await this.request(method, path, body));
  }

  /** Sends an `object` request that creates an object; the answer must have an id. */
  async made(method: ApiRequest['method'], path: string, body: object): Promise<Raw> {
    const answer = await this.object(method, path, body);
    if (idOf(answer['id']) === 0n) throw nonsense();
    return answer;
  }

  /** Sends a `request` whose answer must be a list of objects. */
  async list(path: string): Promise<readonly Raw[]> {
    const answer = await this.request('GET', path);
    if (!Array.isArray(answer)) throw nonsense();
    return answer.map(rawOf);
  }
}

/** Returns the value, which must be an object. Throws Failed for any other value. */
export function rawOf(value: unknown): Raw {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Raw;
  throw nonsense();
}

/** The failure for an invalid answer. */
export function nonsense(): Failed {
  return new Failed(ErrorType.HTTPError, 'The service answered with something else than the API says');
}
