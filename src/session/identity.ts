import type { Target } from '../core/core.ts';
import { isClientSite } from '../protocol/client-site.ts';
import { ErrorCode } from '../protocol/error-code.ts';
import { RpcError } from '../protocol/errors.ts';
import { type Permission, permittedScopes } from '../protocol/rights.ts';
import {
  AUTHENTICATED_SCOPE,
  EMBEDDED_SCOPE,
  LOCAL_SCOPE,
  PRIVATE_LIMITED_SCOPE,
  PRIVATE_SCOPE,
  type Scope,
} from '../protocol/scope.ts';
import type { Connection } from '../wire/connection.ts';

type Authorization =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'authorizing' | 'authenticating' }
  | { readonly kind: 'authenticated'; readonly token: string };

/** Initial scopes of a local session. All local sessions share this set, because most of them get no other scopes. */
const LOCAL: ReadonlySet<Scope> = new Set([LOCAL_SCOPE]);
const NONE: ReadonlySet<Scope> = new Set();

/** Identity and scopes of a session. */
export class Identity {
  #scopes: ReadonlySet<Scope>;
  #state: Authorization = { kind: 'anonymous' };
  readonly #permission: Permission | undefined;

  /**
   * `local` states whether the peer sent no Origin and uses a socket of this machine's user; `permission` bounds the
   * scopes that the session may get.
   */
  constructor(local: boolean, permission?: Permission) {
    this.#scopes = local ? LOCAL : NONE;
    this.#permission = permission;
  }

  get scopes(): ReadonlySet<Scope> {
    return this.#scopes;
  }

  /** Access token of AUTHENTICATE, with which a revocation is compared. It is never logged. */
  get token(): string | undefined {
    return this.#state.kind === 'authenticated' ? this.#state.token : undefined;
  }

  /**
   * Runs one AUTHORIZE or AUTHENTICATE at a time, and none after a successful AUTHENTICATE (protocol 5.1, 5.3: error
   * 4002).
   */
  async exclusively<T>(kind: 'authorizing' | 'authenticating', task: () => Promise<T>): Promise<T> {
    if (this.#state.kind === 'authenticated') {
      throw new RpcError(ErrorCode.INVALID_COMMAND, 'This connection is already authenticated');
    }
    if (this.#state.kind !== 'anonymous') {
      throw new RpcError(ErrorCode.INVALID_COMMAND, `This connection is already ${this.#state.kind}`);
    }
    const running: Authorization = { kind };
    this.#state = running;
    try {
      return await task();
    } finally {
      if (this.#state === running) this.#state = { kind: 'anonymous' };
    }
  }

  /** Whether `to` selects a session with this identity and these ids. */
  isMeantBy(
    to: Target,
    { id, clientId }: { readonly id: string; readonly clientId: string | undefined },
  ): boolean {
    if (to.sessionId !== undefined && to.sessionId !== id) return false;
    if (to.clientId !== undefined && to.clientId !== clientId) return false;
    return to.token === undefined || to.token === this.token;
  }

  authenticated(token: string, scopes: readonly Scope[]): void {
    this.#state = { kind: 'authenticated', token };
    this.grant([AUTHENTICATED_SCOPE, ...scopes]);
  }

  grant(scopes: readonly Scope[]): void {
    this.#scopes = new Set([...this.#scopes, ...permittedScopes(this.#permission, scopes)]);
  }

  /** The scopes of a token as AUTHENTICATE answers them: at an endpoint with rights, those that the session gets. */
  answered(scopes: readonly Scope[]): readonly Scope[] {
    return this.#permission === undefined ? scopes : permittedScopes(this.#permission, scopes);
  }
}

/**
 * Returns the identity of a peer before it authenticates. Only a peer without an Origin, on a socket of this machine's
 * user, is local.
 */
export function identityOf({ kind, origin }: Connection, permission?: Permission): Identity {
  const identity = new Identity((kind === 'ipc' || kind === 'memory') && origin === undefined, permission);
  if (kind === 'postmessage') identity.grant([EMBEDDED_SCOPE]);
  if (origin !== undefined && isClientSite(origin)) identity.grant([PRIVATE_SCOPE, PRIVATE_LIMITED_SCOPE]);
  return identity;
}
