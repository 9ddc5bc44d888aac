import type { Application } from '../../emulator/applications/records.ts';
import type { Emulator } from '../../emulator/compose/emulator.ts';
import type { Deadline } from '../../emulator/kernel/clock.ts';
import type { ArgsOf } from '../../protocol/registry.ts';
import type { CoreHost, Peer } from '../core.ts';
import type { ActivityLinter } from './activity/linter.ts';
import type { HeldToken } from './authorization/handlers.ts';

/** A certified device as an app announced it. */
export type CertifiedDevice = ArgsOf<'SET_CERTIFIED_DEVICES'>['devices'][number];

const NONE: readonly never[] = [];

/** One connected app and its state, except its subscriptions; the state ends with the connection. */
export class AppSession {
  readonly id: string;
  readonly clientId: string;
  readonly application: Application;
  /** Id of the activity instance, for an embedded app. */
  readonly instance: string | undefined;
  /** Devices that the app has certified, in the order of their priority. */
  certifiedDevices: readonly CertifiedDevice[] = NONE;
  #token: HeldToken | undefined;
  #expiry: Deadline | undefined;

  constructor(peer: Peer, application: Application) {
    this.id = peer.sessionId;
    this.clientId = peer.clientId;
    this.application = application;
    this.instance = peer.instance;
  }

  /** Token from AUTHENTICATE, if any. */
  get token(): HeldToken | undefined {
    return this.#token;
  }

  /** Stores the token. `expiry` is the deadline of the token, and is cancelled when the session ends. */
  hold(token: HeldToken, expiry: Deadline): void {
    this.#expiry?.cancel();
    this.#token = token;
    this.#expiry = expiry;
  }

  /** Whether the token has expired by the clock, even if its timer has not run yet. */
  get expired(): boolean {
    return this.#expiry?.over ?? false;
  }

  close(): void {
    this.#expiry?.cancel();
  }

  /** Whether the token may see the subscription tier. */
  get canSeePremium(): boolean {
    return this.#token?.scopes.includes('identify.premium') ?? false;
  }
}

/** Services that handlers and operations share. */
export interface Shared {
  readonly emulator: Emulator;
  /** Every connected app, oldest first. */
  readonly sessions: ReadonlyMap<string, AppSession>;
  readonly host: Pick<CoreHost, 'emit' | 'closeSessions' | 'log'>;
  /** Checks activities against the fixture's rules. */
  readonly linter: Pick<ActivityLinter, 'warnings'>;
}
