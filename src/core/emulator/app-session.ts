import type { Application } from '../../emulator/applications/records.ts';
import type { Emulator } from '../../emulator/compose/emulator.ts';
import type { Deadline } from '../../emulator/kernel/clock.ts';
import type { ArgsOf } from '../../protocol/registry.ts';
import type { CoreHost, Peer } from '../core.ts';
import type { ActivityJudge } from './activity/judge.ts';
import type { HeldToken } from './authorization/handlers.ts';

/** A certified device as an app announced it. */
export type CertifiedDevice = ArgsOf<'SET_CERTIFIED_DEVICES'>['devices'][number];

const NONE: readonly never[] = [];

/** One connected app: what it holds besides its subscriptions. All of it is gone with the connection. */
export class AppSession {
  readonly id: string;
  readonly clientId: string;
  readonly application: Application;
  /** Id of the instance of its activity, for an embedded app. */
  readonly instance: string | undefined;
  /** In the order of their priority. */
  certifiedDevices: readonly CertifiedDevice[] = NONE;
  #token: HeldToken | undefined;
  #expiry: Deadline | undefined;

  constructor(peer: Peer, application: Application) {
    this.id = peer.sessionId;
    this.clientId = peer.clientId;
    this.application = application;
    this.instance = peer.instance;
  }

  /** What AUTHENTICATE established, if it has. */
  get token(): HeldToken | undefined {
    return this.#token;
  }

  /** `expiry` is that of the token, and ends with the session. */
  hold(token: HeldToken, expiry: Deadline): void {
    this.#expiry?.cancel();
    this.#token = token;
    this.#expiry = expiry;
  }

  /** The time of its token is over, whether or not anybody has noticed. */
  get expired(): boolean {
    return this.#expiry?.over ?? false;
  }

  close(): void {
    this.#expiry?.cancel();
  }

  /** Whether the token may see the subscription tier. */
  get seesPremium(): boolean {
    return this.#token?.scopes.includes('identify.premium') ?? false;
  }
}

/** What handlers and operations share. */
export interface Shared {
  readonly emulator: Emulator;
  /** Every connected app, the oldest first. */
  readonly sessions: ReadonlyMap<string, AppSession>;
  readonly host: Pick<CoreHost, 'emit' | 'closeSessions' | 'log'>;
  /** Holds activities against the fixture's rules. */
  readonly judge: Pick<ActivityJudge, 'doubts'>;
}
