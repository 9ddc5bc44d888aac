import { createHash, randomBytes } from 'node:crypto';
import { parseUrl } from '../../base/url.ts';
import { Failure, NotRun } from '../failure.ts';
import { isRecord } from '../schema.ts';
import type { Settings } from '../settings.ts';
import { App, errorCodeOf, formatMessage, type Message } from '../target/app.ts';
import { sleep } from '../target/launch.ts';
import { runHook } from '../target/process.ts';
import type { Target } from '../target/target.ts';
import { type HttpAnswer, postForm } from './http.ts';

/** Code from AUTHORIZE, with its PKCE verifier. */
export interface AuthorizedCode {
  readonly code: string;
  readonly verifier: string;
}

interface AuthorizeOptions {
  readonly scopes: readonly string[];
  readonly clientId?: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** Successful answer of the token endpoint. */
export interface TokenAnswer {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly body: Record<string, unknown>;
}

/** AUTHORIZE answered with an ERROR. */
export class AuthorizationRefused extends Failure {}

const NO_ENDPOINT =
  'a code has to be exchanged for a token: give --token-endpoint, or announce a loopback api_endpoint in READY';

/** Scopes of the token in most cases. */
export const DEFAULT_SCOPES: readonly string[] = ['identify', 'rpc'];

/** Obtains codes and tokens from the target: one authorization at a time, and each token once. */
export class TokenSource {
  readonly #settings: Settings;
  readonly #target: Target;
  readonly #tokens = new Map<string, Promise<string>>();
  /** READY of the first session of this object. */
  #ready: Promise<Message> | undefined;
  /** Reason why AUTHORIZE cannot succeed: a user would have to approve it. Set once the reason is known. */
  #unattended: NotRun | undefined;
  /**
   * Reason why AUTHORIZE cannot succeed: the target does not serve it. Once the reason is set, the remaining cases do
   * not wait for AUTHORIZE one by one.
   */
  #unserved: Failure | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(settings: Settings, target: Target) {
    this.#settings = settings;
    this.#target = target;
  }

  /** Access token with these scopes, shared by all cases that request the same scopes. */
  get(scopes: readonly string[] = DEFAULT_SCOPES): Promise<string> {
    const key = scopes.join(' ');
    const known = this.#tokens.get(key);
    if (known !== undefined) return known;
    const token = this.authorize({ scopes }).then(async (code) => (await this.exchange(code)).accessToken);
    this.#tokens.set(key, token);
    return token;
  }

  /** Runs AUTHORIZE with PKCE on its own connection; the approve command approves it. */
  authorize(options: AuthorizeOptions): Promise<AuthorizedCode> {
    return this.inTurn(() => this.#authorize(options));
  }

  /** Runs `work` while no other authorization of the suite is open, because servers allow only one at a time. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #authorize(options: AuthorizeOptions): Promise<AuthorizedCode> {
    const known = this.#unattended ?? this.#unserved;
    if (known !== undefined) throw known;
    try {
      return await this.#request(options);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'silent') throw error;
      if (!(await this.#isHeard())) {
        this.#unserved = error;
        throw error;
      }
      if (this.#settings.approveCommand !== undefined) throw error;
      this.#unattended = new NotRun(
        'AUTHORIZE waits for an approval: set --approve-command, or let the server approve by itself',
      );
      throw this.#unattended;
    }
  }

  /**
   * Whether AUTHORIZE is served at all: a target that serves it refuses a request with an invalid scope, without a
   * prompt.
   */
  async #isHeard(): Promise<boolean> {
    const { clientId } = this.#settings;
    const args = { client_id: clientId, scopes: ['no.such.scope'] };
    try {
      await this.#inSession(clientId, (app) => app.request('AUTHORIZE', args));
      return true;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  }

  /** Runs `work` with a connection after READY, which is closed afterwards. */
  async #inSession<T>(
    clientId: string,
    work: (app: App, ready: Message) => T | Promise<T>,
    timeouts = this.#settings.timeouts,
  ): Promise<T> {
    const app = new App(await this.#target.connect({ clientId }), timeouts, this.#settings.profile);
    try {
      return await work(app, await app.open(clientId));
    } finally {
      app.destroy();
    }
  }

  async #request(options: AuthorizeOptions): Promise<AuthorizedCode> {
    const clientId = options.clientId ?? this.#settings.clientId;
    const verifier = randomBytes(32).toString('base64url');
    const args = {
      client_id: clientId,
      scopes: options.scopes,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...options.args,
    };
    const ask = (app: App) => Promise.all([app.request('AUTHORIZE', args), this.#approve()]);
    const { timeouts, approveCommand } = this.#settings;
    const answerMs = approveCommand === undefined ? timeouts.answerMs : timeouts.deadlineMs;
    const [reply] = await this.#inSession(clientId, ask, { ...timeouts, answerMs });
    const { data } = reply.value;
    const wrong = ['AUTHORIZE to answer {code}', formatMessage(reply), 'prerequisite'] as const;
    if (errorCodeOf(reply) !== undefined) throw new AuthorizationRefused(...wrong);
    if (!isRecord(data) || typeof data['code'] !== 'string') throw new Failure(...wrong);
    return { code: data['code'], verifier };
  }

  async #approve(): Promise<void> {
    const { approveCommand, env, timeouts } = this.#settings;
    if (approveCommand === undefined) return;
    // The request must be open before the command can approve it.
    await sleep(100);
    const { exit, output } = await runHook(approveCommand, env, timeouts.deadlineMs);
    if (exit !== 0) throw new Failure('the approve command to exit with 0', output, 'prerequisite');
  }

  /** Posts a form to the token endpoint or a path below it. Returns any answer. */
  async post(
    fields: Readonly<Record<string, string>>,
    clientId = this.#settings.clientId,
    path = '',
  ): Promise<HttpAnswer> {
    const { address: endpoint, isAnnounced } = await this.#endpoint();
    const secret = this.#settings.clientSecret;
    const client = { client_id: clientId, ...(secret === undefined ? {} : { client_secret: secret }) };
    try {
      const { timeouts, tracer } = this.#settings;
      const form = { ...client, ...fields };
      return await postForm(`${endpoint}${path}`, form, timeouts.answerMs, tracer?.current);
    } catch (error) {
      if (!isAnnounced || !(error instanceof Failure)) throw error;
      throw new NotRun(`${NO_ENDPOINT}; at ${endpoint}, which READY announces: ${error.actual}`);
    }
  }

  /** Address of the token endpoint: from the options, from the ready line, or below a loopback address in READY. */
  async #endpoint(): Promise<{ readonly address: string; readonly isAnnounced: boolean }> {
    const known = this.#target.tokenEndpoint;
    if (known !== undefined) return { address: known, isAnnounced: false };
    this.#ready ??= this.#inSession(this.#settings.clientId, (_, ready) => ready);
    const announced = loopbackApi((await this.#ready).value['data']);
    if (announced === undefined) throw new NotRun(NO_ENDPOINT);
    return { address: `${announced}/oauth2/token`, isAnnounced: true };
  }

  /** Exchanges a code for a token. Throws {@link Failure} when the endpoint refuses. */
  async exchange(code: AuthorizedCode, clientId?: string): Promise<TokenAnswer> {
    const fields = { grant_type: 'authorization_code', code: code.code, code_verifier: code.verifier };
    return readToken(await this.post(fields, clientId));
  }
}

/** HTTP API that READY announces, if it is on this machine. */
function loopbackApi(ready: unknown): string | undefined {
  const config = isRecord(ready) ? ready['config'] : undefined;
  const address = isRecord(config) ? config['api_endpoint'] : undefined;
  if (typeof address !== 'string') return undefined;
  // The announced address is `//host/path`, as documented, or has a scheme.
  const text = address.startsWith('//') ? `http:${address}` : address;
  const url = parseUrl(text);
  if (url === undefined) return undefined;
  const { protocol, hostname, origin, pathname } = url;
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return isHere && /^https?:$/.test(protocol) ? `${origin}${pathname.replace(/\/+$/, '')}` : undefined;
}

/** Parses a successful answer of the token endpoint. The errors of this function do not contain the token. */
export function readToken(answer: HttpAnswer): TokenAnswer {
  const { body } = answer;
  if (answer.status !== 200 || !isRecord(body) || typeof body['access_token'] !== 'string') {
    throw new Failure(
      'the token endpoint to answer 200 with access_token',
      `status ${answer.status}`,
      'prerequisite',
    );
  }
  const refresh = body['refresh_token'];
  return {
    accessToken: body['access_token'],
    refreshToken: typeof refresh === 'string' ? refresh : undefined,
    body,
  };
}
