import type { Callbacks } from './callbacks.ts';
import { ClientStatus, type ConnectionError } from './enums.ts';
import { Gateway, type Told } from './gateway.ts';
import type { Host } from './host.ts';
import type { Log } from './log.ts';
import { inPatience, LastWord } from './patience.ts';
import type { PlayerData } from './player-data.ts';
import type { Presence } from './presence.ts';
import { text } from './raw.ts';
import type { Service } from './service.ts';

/** What the session needs of the client. */
export interface SessionHost {
  readonly host: Pick<Host, 'openSocket'>;
  readonly log: Log;
  readonly callbacks: Callbacks;
  readonly service: Service;
  readonly player: Pick<PlayerData, 'begin' | 'take' | 'forget' | 'calls' | 'users'>;
  readonly presence: Pick<Presence, 'forSession' | 'sessionReady' | 'sessionGone'>;
  readonly token: string | undefined;
  readonly timeoutMs: number;
  readonly credentials: {
    /** The gateway takes no session by this token. */
    refusedByGateway(token: string): Promise<void>;
  };
}

/** The session at the service, as the game is told of it. */
export class Session {
  /** Its connection. */
  readonly gateway: Gateway;
  readonly #host: SessionHost;
  #status: ClientStatus = ClientStatus.Disconnected;
  #onlineStatus = 'online';
  /** Until it is known once who the player's friends are. */
  #loading: Promise<void> | undefined;
  /** How far the session is said to be. */
  readonly #word = new LastWord();

  constructor(host: SessionHost) {
    this.#host = host;
    this.gateway = new Gateway({
      log: host.log,
      address: async () => text((await host.service.object('GET', '/gateway'))['url']),
      openSocket: (address) => host.host.openSocket(address),
      timeoutMs: () => host.timeoutMs,
      token: () => host.token,
      presence: () => host.presence.forSession(),
      onlineStatus: () => this.#onlineStatus,
      status: (status, error, detail) => this.#move(status, error, detail),
      dispatch: (event, data) => this.#dispatch(event, data),
      refused: (token) => void host.credentials.refusedByGateway(token),
      isOfSomebodyElse: (token) => this.#isOfSomebodyElse(token),
    });
  }

  get status(): ClientStatus {
    return this.#status;
  }

  /** How the player is there, in the gateway's words. */
  get onlineStatus(): string {
    return this.#onlineStatus;
  }

  /** Shows the player so in this session and in those to come. */
  showAs(onlineStatus: string): void {
    this.#onlineStatus = onlineStatus;
    this.gateway.show();
  }

  async #isOfSomebodyElse(token: string): Promise<boolean> {
    const { player, service } = this.#host;
    const { myId } = player.users;
    const id = await inPatience(service.whose(token));
    return id !== undefined && id !== myId;
  }

  #dispatch(event: string, data: Told): void {
    const { player } = this.#host;
    if (event !== 'READY') return player.take(event, data);
    const loading = player.begin(data)?.finally(() => {
      if (this.#loading === loading) this.#loading = undefined;
    });
    if (loading !== undefined) this.#loading = loading;
  }

  /** The session is further or less far. It is ready once it is known who the player's friends are, or nobody says. */
  #move(status: ClientStatus, error: ConnectionError, detail: number): void {
    const tell = (): void => this.#tell(status, error, detail);
    this.#word.say(tell, status === ClientStatus.Ready ? this.#loading : undefined);
  }

  #tell(status: ClientStatus, error: ConnectionError, detail: number): void {
    const { player, presence, callbacks } = this.#host;
    const isSame = this.#status === status && status === ClientStatus.Reconnecting;
    this.#status = status;
    if (status === ClientStatus.Disconnected) player.forget();
    if (status === ClientStatus.Ready) presence.sessionReady();
    if (status === ClientStatus.Disconnected) presence.sessionGone();
    player.calls.connection(status);
    // Each try in vain is no news.
    if (!isSame) callbacks.tell('SetStatusChangedCallback', status, error, detail);
  }
}
