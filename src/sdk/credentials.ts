import type { Callbacks } from './callbacks.ts';
import { ClientStatus, LoggingSeverity } from './enums.ts';
import type { Log } from './log.ts';
import type { PlayerData } from './player-data.ts';
import type { Presence } from './presence.ts';
import type { Service } from './service.ts';
import type { Session } from './session.ts';
import { TokenEnds } from './token-ends.ts';

/** Parts of the client that a change of the access token affects. */
export interface CredentialsHost {
  readonly log: Log;
  readonly callbacks: Callbacks;
  readonly service: Service;
  readonly player: Pick<PlayerData, 'forget' | 'users'>;
  readonly presence: Pick<Presence, 'leave' | 'again'>;
  readonly session: Pick<Session, 'status' | 'gateway'>;
  /** Whether the game has called `Disconnect`. */
  readonly isDestroyed: boolean;
}

/** The access token in use, and the end of its lifetime. */
export class Credentials {
  readonly #host: CredentialsHost;
  readonly #ends: TokenEnds;
  #token: string | undefined;
  #wasPresented = false;

  constructor(host: CredentialsHost) {
    this.#host = host;
    this.#ends = new TokenEnds(() => host.callbacks.notify('SetTokenExpirationCallback'));
  }

  get token(): string | undefined {
    return this.#token;
  }

  /** Whether a token was presented, which may have authenticated a connection to the chat client. */
  get wasPresented(): boolean {
    return this.#wasPresented;
  }

  /** Stores the lifetime of a new token in seconds; it is used if the game presents the token. */
  issued(token: string, seconds: number): void {
    this.#ends.issued(token, seconds);
  }

  /** Uses a token for all requests from now on. */
  present(token: string): void {
    const { player, presence, session } = this.#host;
    const isOther = this.#token !== token;
    if (isOther) presence.leave();
    // Without a session the token's user is unknown, so the data of the previous player is deleted.
    if (isOther && player.users.myId === undefined) player.forget();
    this.#token = token;
    if (isOther) {
      void presence.again();
      session.gateway.renew();
    }
    this.#wasPresented = true;
    this.#ends.presented(token);
  }

  /** Stops using a token that the chat client rejected. */
  withdraw(token: string): void {
    if (this.#token === token) this.#token = undefined;
  }

  clear(): void {
    this.#token = undefined;
    this.#ends.watch(undefined);
  }

  /** Pauses the notices of the token's end while the game is disconnected. */
  pause(): void {
    this.#ends.watch(undefined);
  }

  /** Reverts `pause`. */
  resume(): void {
    this.#ends.watch(this.#token);
  }

  /** Whether the service accepts a token. When there is a session, the session decides. */
  async isTaken(token: string): Promise<boolean> {
    const { service, session } = this.#host;
    return session.status === ClientStatus.Ready || (await service.takes(token)) === true;
  }

  /** Deletes a token that is no longer accepted, and notifies the game, which has to present another. */
  refused(token: string): void {
    if (this.#token !== token) return;
    const { log, presence, session } = this.#host;
    this.clear();
    presence.leave();
    session.gateway.refuse(401);
    const message =
      'The access token is not valid any more; call RefreshToken and UpdateToken, then Connect for a session';
    log.write(LoggingSeverity.Warning, message);
    this.#ends.ended(token);
  }

  /** Handles the gateway's rejection of a session with this token, which may be only for the token's scopes. */
  async refusedByGateway(token: string): Promise<void> {
    const { log, service } = this.#host;
    if (this.#host.isDestroyed) return;
    const isTaken = (await service.takes(token)) === true;
    if (this.#host.isDestroyed) return;
    if (isTaken) {
      const message = 'Connect: the token opens no session; it needs the scopes gateway.connect and identify';
      log.write(LoggingSeverity.Error, message);
    } else this.refused(token);
  }
}
