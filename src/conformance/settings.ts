import type { Profile } from './tables.ts';
import type { Timeouts } from './timeouts.ts';
import type { Tracer } from './trace/trace.ts';

/** Facts about the target from the options; the same for every case. */
export interface Settings {
  /** Profile that the target claims. */
  readonly profile: Profile;
  /** Application that the suite uses. */
  readonly clientId: string;
  /** A second application, for tokens that must not be shared and grants that are revoked. */
  readonly otherClientId: string;
  /** Origin header of WebSocket connections. */
  readonly origin: string | undefined;
  /** Transport of the endpoint that is tested on a started server. */
  readonly transport: 'ipc' | 'websocket';
  /** Shell command that runs in the server's environment once the server listens. */
  readonly prepareCommand: string | undefined;
  /** Shell command that approves a waiting AUTHORIZE. */
  readonly approveCommand: string | undefined;
  /** Address of the OAuth 2.0 token endpoint; the revocation endpoint is expected at `/revoke` below it. */
  readonly tokenEndpoint: string | undefined;
  /** Secret of the application; without a secret the exchange is that of a public client (PKCE only). */
  readonly clientSecret: string | undefined;
  readonly timeouts: Timeouts;
  /** Ends the run: after an abort nothing is started or awaited. */
  readonly signal?: AbortSignal | undefined;
  /** Records traffic; only with `--trace`. */
  readonly tracer?: Tracer | undefined;
  /** Environment of started commands, before the private folders are added. */
  readonly env: Readonly<Record<string, string | undefined>>;
}
