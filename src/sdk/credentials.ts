import type { Callbacks } from './callbacks.ts';
import { ClientStatus, LoggingSeverity } from './enums.ts';
import type { Log } from './log.ts';
import type { PlayerData } from './player-data.ts';
import type { Presence } from './presence.ts';
import type { Service } from './service.ts';
import type { Session } from './session.ts';
import { TokenEnds } from './token-ends.ts';

/** What the access token in use touches of the client. */
export interface CredentialsHost {
  readonly log: Log;
  readonly callbacks: Callbacks;
  readonly service: Service;
  readonly player: Pick<PlayerData, 'forget' | 'users'>;
  readonly presence: Pick<Presence, 'leave' | 'again'>;
  readonly session: Pick<Session, 'status' | 'gateway'>;
  /** The game has called `Disconnect`. */
  readonly isDestroyed: boolean;
}

/** The access token in use, and its end. */
export class Credentials {
  readonly #host: CredentialsHost;
  readonly #ends: TokenEnds;
  #token: string | undefined;
  #wasPresented = false;

  constructor(host: CredentialsHost) {
    this.#host = host;
    this.#ends = new TokenEnds(() => host.callbacks.tell('SetTokenExpirationCallback'));
  }

  get token(): string | undefined {
    return this.#token;
  }

  /** A token was presented, by which a connection to the chat client may be bound. */
  get wasPresented(): boolean {
    return this.#wasPresented;
  }

  /** A token was issued that ends in so many seconds: should it be presented, its end is known. */
  issued(token: string, seconds: number): void {
    this.#ends.issued(token, seconds);
  }

  /** Takes a token for everything that is requested from now on. */
  present(token: string): void {
    const { player, presence, session } = this.#host;
    const isOther = this.#token !== token;
    if (isOther) presence.leave();
    // Without a session nobody says whose token it is.
    if (isOther && player.users.myId === undefined) player.forget();
    this.#token = token;
    if (isOther) {
      void presence.again();
      session.gateway.renew();
    }
    this.#wasPresented = true;
    this.#ends.presented(token);
  }

  /** The chat client did not take this token: it is no longer in use. */
  withdraw(token: string): void {
    if (this.#token === token) this.#token = undefined;
  }

  /** No token is in use. */
  clear(): void {
    this.#token = undefined;
    this.#ends.watch(undefined);
  }

  /** The game has left: no end is told to it until it is back. */
  pause(): void {
    this.#ends.watch(undefined);
  }

  /** Takes up again what `pause` has ended. */
  resume(): void {
    this.#ends.watch(this.#token);
  }

  /** Whether the service takes a token: the session says so where there is one. */
  async isTaken(token: string): Promise<boolean> {
    const { service, session } = this.#host;
    return session.status === ClientStatus.Ready || (await service.takes(token)) === true;
  }

  /** This token is not taken any more: it is forgotten, and the game is asked for another. */
  refused(token: string): void {
    if (this.#token !== token) return;
    const { log, presence, session } = this.#host;
    this.clear();
    presence.leave();
    session.gateway.refuse(401);
    const message =
      'The access token is not valid any more; call RefreshToken and UpdateToken, then Connect for a session';
    log.tell(LoggingSeverity.Warning, message);
    this.#ends.ended(token);
  }

  /** The gateway takes no session by this token, which may be for its scopes alone. */
  async refusedByGateway(token: string): Promise<void> {
    const { log, service } = this.#host;
    if (this.#host.isDestroyed) return;
    const isTaken = (await service.takes(token)) === true;
    if (this.#host.isDestroyed) return;
    if (isTaken) {
      const message = 'Connect: the token opens no session; it needs the scopes gateway.connect and identify';
      log.tell(LoggingSeverity.Error, message);
    } else this.refused(token);
  }
}
