import type { Emulator } from '../../emulator/emulator.ts';
import type { Application } from '../../emulator/fixture/fixture.ts';
import type { ArgsOf, EventName } from '../../protocol/registry.ts';
import type { CoreHost, Peer } from '../core.ts';
import type { HeldToken } from './authorization.ts';

/** A certified device as an app announced it. */
export type CertifiedDevice = ArgsOf<'SET_CERTIFIED_DEVICES'>['devices'][number];

/** One connected app: what it holds besides its subscriptions. All of it is gone with the connection. */
export class AppSession {
  readonly id: string;
  readonly clientId: string;
  readonly application: Application;
  /** In the order of their priority. */
  certifiedDevices: readonly CertifiedDevice[] = [];
  /** Channels that SPEAKING_START and SPEAKING_STOP were asked for by id. */
  #heard: readonly string[] = [];
  #token: HeldToken | undefined;

  constructor(peer: Peer, application: Application) {
    this.id = peer.sessionId;
    this.clientId = peer.clientId;
    this.application = application;
  }

  /** What AUTHENTICATE established, if it has. */
  get token(): HeldToken | undefined {
    return this.#token;
  }

  hold(token: HeldToken): void {
    this.#token = token;
  }

  /** Whether the token may see the subscription tier. */
  get seesPremium(): boolean {
    return this.#token?.scopes.includes('identify.premium') ?? false;
  }

  listen(event: EventName, channelId: string): void {
    if (!this.listens(event, channelId)) this.#heard = [...this.#heard, `${event} ${channelId}`];
  }

  unlisten(event: EventName, channelId: string): void {
    this.#heard = this.#heard.filter((heard) => heard !== `${event} ${channelId}`);
  }

  listens(event: EventName, channelId: string): boolean {
    return this.#heard.includes(`${event} ${channelId}`);
  }
}

/** What handlers and operations share. */
export interface Shared {
  readonly emulator: Emulator;
  /** Every connected app, the oldest first. */
  readonly sessions: ReadonlyMap<string, AppSession>;
  readonly host: Pick<CoreHost, 'emit' | 'closeSessions'>;
}
