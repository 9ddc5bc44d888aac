import type { Callbacks } from './callbacks.ts';
import { ClientStatus, type ConnectionError } from './enums.ts';
import { type DispatchData, Gateway } from './gateway.ts';
import type { Host } from './host.ts';
import type { Log } from './log.ts';
import type { PlayerData } from './player-data.ts';
import type { Presence } from './presence.ts';
import { text } from './raw.ts';
import type { Service } from './service.ts';
import { LatestNotice, withinSessionTimeout } from './session-timeout.ts';

/** Parts of the client that the session needs. */
export interface SessionHost {
  readonly host: Pick<Host, 'openSocket'>;
  readonly log: Log;
  readonly callbacks: Callbacks;
  readonly service: Service;
  readonly player: Pick<PlayerData, 'begin' | 'take' | 'forget' | 'calls' | 'users'>;
  readonly presence: Pick<Presence, 'forSession' | 'sessionReady' | 'sessionLost'>;
  readonly token: string | undefined;
  readonly timeoutMs: number;
  readonly credentials: {
    /** Called when the gateway rejects a session with this token. */
    refusedByGateway(token: string): Promise<void>;
  };
}

/** The session at the service, and the status of the session that the game sees. */
export class Session {
  readonly gateway: Gateway;
  readonly #host: SessionHost;
  #status: ClientStatus = ClientStatus.Disconnected;
  #onlineStatus = 'online';
  /** Pending while the player's friends are loaded for the first time. */
  #loading: Promise<void> | undefined;
  /** Order of the status notices. */
  readonly #notice = new LatestNotice();

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

  /** The player's online status in the gateway's spelling. */
  get onlineStatus(): string {
    return this.#onlineStatus;
  }

  /** Sets the player's status in this session and in later ones. */
  showAs(onlineStatus: string): void {
    this.#onlineStatus = onlineStatus;
    this.gateway.sendPresence();
  }

  async #isOfSomebodyElse(token: string): Promise<boolean> {
    const { player, service } = this.#host;
    const { myId } = player.users;
    const id = await withinSessionTimeout(service.whose(token));
    return id !== undefined && id !== myId;
  }

  #dispatch(event: string, data: DispatchData): void {
    const { player } = this.#host;
    if (event !== 'READY') return player.take(event, data);
    const loading = player.begin(data)?.finally(() => {
      if (this.#loading === loading) this.#loading = undefined;
    });
    if (loading !== undefined) this.#loading = loading;
  }

  /** Changes the status. The notice of Ready is delayed until the player's friends are loaded or loading fails. */
  #move(status: ClientStatus, error: ConnectionError, detail: number): void {
    const notify = (): void => this.#notify(status, error, detail);
    this.#notice.send(notify, status === ClientStatus.Ready ? this.#loading : undefined);
  }

  #notify(status: ClientStatus, error: ConnectionError, detail: number): void {
    const { player, presence, callbacks } = this.#host;
    const isSame = this.#status === status && status === ClientStatus.Reconnecting;
    this.#status = status;
    if (status === ClientStatus.Disconnected) player.forget();
    if (status === ClientStatus.Ready) presence.sessionReady();
    if (status === ClientStatus.Disconnected) presence.sessionLost();
    player.calls.connection(status);
    // Equal consecutive statuses, as after repeated failed attempts, are reported once.
    if (!isSame) callbacks.notify('SetStatusChangedCallback', status, error, detail);
  }
}
