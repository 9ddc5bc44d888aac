import { connected } from '../client/client.ts';
import { RpcError } from '../client/errors.ts';
import type { Client as Rpc } from '../client/index.ts';
import { onAbort } from '../client/limit.ts';
import {
  type AuthorizationArgs,
  AuthorizationCodeChallenge,
  AuthorizationCodeVerifier,
} from './authorization-args.ts';
import type { AuthorizationRequest } from './authorization-page.ts';
import type { Authorized } from './authorized.ts';
import type { ChatClient } from './chat-client.ts';
import { ErrorType, type IntegrationType } from './enums.ts';
import type { Host } from './host.ts';
import type { Log } from './log.ts';
import { Failed } from './outcome.ts';
import { randomText } from './random-text.ts';
import { ValidationError } from './result.ts';
import type { ClientSettings } from './settings.ts';

const OAUTH2_ERROR = 5000;

/** Parts of the client that authorization needs. */
export interface AuthorizationHost {
  readonly log: Log;
  /** Node or a page. */
  readonly host: Host;
  readonly webBase: string;
  readonly settings: ClientSettings;
  /** Value of SetApplicationId; 0n before the first call. */
  readonly applicationId: () => bigint;
  readonly chat: () => ChatClient;
  /** Whether the shared connection is authenticated; after that it can no longer authorize. */
  readonly authenticated: () => boolean;
}

/** The last code, with the facts that the exchange of the code needs. */
export interface Issued extends Authorized {
  readonly challenged: boolean;
  /** True for a code from a redirect to `redirectUri`, false for a code from the chat client's socket. */
  readonly redirected: boolean;
}

/** Wire format of AUTHORIZE. */
interface WireRequest extends AuthorizationRequest {
  readonly response_type: 'code';
  readonly integration_type: IntegrationType | undefined;
  readonly pid: number | undefined;
}

interface Connection {
  readonly rpc: Rpc;
  readonly release: (aborted: boolean) => Promise<void>;
}

/** Authorize and AbortAuthorize. */
export class Authorization {
  readonly #host: AuthorizationHost;
  readonly #running = new Map<AbortController, Promise<Authorized>>();
  /** Resolves when the last prompt is withdrawn; the withdrawal may replace the connection. */
  #withdrawn: Promise<unknown> = Promise.resolve();
  #last: Issued | undefined;

  constructor(host: AuthorizationHost) {
    this.#host = host;
  }

  /** The code of the last Authorize that succeeded. */
  get last(): Issued | undefined {
    return this.#last;
  }

  abort(): void {
    for (const running of this.#running.keys()) running.abort();
    this.#withdrawn = Promise.allSettled(this.#running.values());
  }

  authorize(args: AuthorizationArgs): Promise<Authorized> {
    const running = new AbortController();
    const ended = this.#authorize(args, running.signal).finally(() => this.#running.delete(running));
    this.#running.set(running, ended);
    return ended;
  }

  async #authorize(args: AuthorizationArgs, signal: AbortSignal): Promise<Authorized> {
    const request = this.#check(args);
    try {
      await this.#withdrawn;
      signal.throwIfAborted();
      const { code, redirectUri } = await this.#requestCode(request, signal);
      this.#host.log.hide(code);
      this.#last = {
        code,
        redirectUri: redirectUri ?? redirectUriOf(args, request.client_id),
        challenged: request.code_challenge !== undefined,
        redirected: redirectUri !== undefined,
      };
      return { code, redirectUri: this.#last.redirectUri };
    } catch (error) {
      if (signal.aborted) throw new Failed(ErrorType.Aborted, 'Authorize was aborted');
      const refused = error instanceof RpcError && error.code === OAUTH2_ERROR;
      throw refused ? new Failed(ErrorType.AuthorizationFailed, error.message, error.code) : error;
    }
  }

  /** Prompts the user in the chat client when one runs, else on the web site. */
  async #requestCode(
    request: WireRequest,
    signal: AbortSignal,
  ): Promise<{ code: string; redirectUri?: string }> {
    let connection: Connection;
    try {
      connection = await this.#connection(request.client_id, signal);
    } catch (error) {
      const { host, settings, webBase } = this.#host;
      const onSite = signal.aborted ? undefined : host.authorizeOnSite(webBase, settings, request, signal);
      if (onSite === undefined) throw error;
      return onSite;
    }
    try {
      const answer: { readonly code?: unknown; readonly state?: unknown } | null =
        await connection.rpc.request('AUTHORIZE', request, { signal, timeoutMs: 0 });
      const { code, state = request.state } = answer ?? {};
      if (state !== request.state) {
        throw new Failed(
          ErrorType.AuthorizationFailed,
          'State: the answer carries another one; its code is not used',
        );
      }
      if (typeof code !== 'string' || code === '') {
        throw new Failed(ErrorType.AuthorizationFailed, 'The answer of the chat client holds no code');
      }
      return { code };
    } finally {
      await connection.release(signal.aborted);
    }
  }

  #check(args: AuthorizationArgs): WireRequest {
    if (!args.IsValid()) {
      throw new ValidationError('AuthorizationArgs: is null; make one with new AuthorizationArgs()');
    }
    const clientId = args.ClientId() || this.#host.applicationId();
    if (clientId === 0n)
      throw new ValidationError('ClientId: is unset; call SetApplicationId or SetClientId');
    const scopes = args.Scopes().split(/\s+/).filter(Boolean);
    if (scopes.length === 0) throw new ValidationError('Scopes: is empty; name at least one scope');
    const challenge = args.CodeChallenge()?.IsValid() ? args.CodeChallenge()?.Challenge() : undefined;
    if (challenge !== undefined && !/^[\w-]{43}$/.test(challenge)) {
      throw new ValidationError(
        'CodeChallenge: must be that of CreateAuthorizationCodeVerifier (S256, 43 characters)',
      );
    }
    // Any app on the device can register a scheme. With PKCE, a code sent to a scheme is useless without the game's
    // verifier.
    if (args.CustomSchemeParam() !== undefined && challenge === undefined) {
      throw new ValidationError('CodeChallenge: is required with CustomSchemeParam');
    }
    return {
      client_id: String(clientId),
      scopes,
      response_type: 'code',
      // With an empty state the client could not tell two redirects apart.
      state: args.State() || randomText(24),
      nonce: args.Nonce(),
      code_challenge: challenge,
      code_challenge_method: challenge === undefined ? undefined : 'S256',
      integration_type: args.IntegrationType(),
      pid: this.#host.host.pid,
    };
  }

  /**
   * Returns the shared connection when it belongs to the requested application and is not authenticated yet; else a new
   * connection. A prompt is withdrawn only by closing its connection.
   */
  async #connection(clientId: string, signal: AbortSignal): Promise<Connection> {
    const { applicationId, authenticated, chat, host, settings } = this.#host;
    if (clientId === String(applicationId()) && !authenticated()) {
      const rpc = await untilAborted(chat().need(), signal);
      const release = async (aborted: boolean): Promise<void> => (aborted ? chat().renew() : undefined);
      return { rpc, release };
    }
    const { paths, anyOwner } = settings;
    const rpc = await connected(host.createRpc({ clientId, paths, anyOwner, reconnect: false, signal }));
    return { rpc, release: () => rpc.close() };
  }
}

/**
 * Returns the result of the work, or rejects with the signal's reason at an abort. The work continues after an abort.
 */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(forget);
  });
}

/** A fresh PKCE pair. */
export function createVerifier(host: Host, log: Log): AuthorizationCodeVerifier {
  const { verifier, challenge } = host.createPkce();
  log.hide(verifier);
  const made = new AuthorizationCodeVerifier();
  const publicHalf = new AuthorizationCodeChallenge();
  publicHalf.SetChallenge(challenge);
  made.SetChallenge(publicHalf);
  made.SetVerifier(verifier);
  return made;
}

function redirectUriOf(args: AuthorizationArgs, clientId: string): string {
  return `${args.CustomSchemeParam() ?? `discord-${clientId}`}:/authorize/callback`;
}
