import type { Patience } from './patience.ts';
import type { Profile } from './tables.ts';
import type { Tracer } from './trace/trace.ts';

/** What the person who runs the suite says about the target; the same for every case. */
export interface Settings {
  /** What the target claims to offer. */
  readonly profile: Profile;
  /** Application the suite pretends to be. */
  readonly clientId: string;
  /** A second application, for tokens that must not be shared and grants that are revoked. */
  readonly otherClientId: string;
  /** Origin header of WebSocket connections. */
  readonly origin: string | undefined;
  /** Which endpoint of a started server is judged. */
  readonly transport: 'ipc' | 'websocket';
  /** Shell command that is run once a started server listens, in its environment. */
  readonly prepareCommand: string | undefined;
  /** Shell command that says yes while AUTHORIZE waits for the user. */
  readonly approveCommand: string | undefined;
  /** Address of the OAuth 2.0 token endpoint; revocation is expected at `/revoke` below it. */
  readonly tokenEndpoint: string | undefined;
  /** Secret of the application; without one the exchange is that of a public client (PKCE only). */
  readonly clientSecret: string | undefined;
  readonly patience: Patience;
  /** Ends the run: nothing is started or waited for any more. */
  readonly signal?: AbortSignal | undefined;
  /** Present where what goes over the wire is to be shown. */
  readonly tracer?: Tracer | undefined;
  /** Environment that started commands inherit, before the private folders are put in. */
  readonly env: Readonly<Record<string, string | undefined>>;
}
