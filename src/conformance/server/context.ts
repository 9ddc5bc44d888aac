import { Failure, NotRun } from '../failure.ts';
import type { Settings } from '../settings.ts';
import { App } from '../target/app.ts';
import type { Introduction, Target } from '../target/target.ts';
import type { TokenSource } from './tokens.ts';

/** Connections and tokens for a case on a running target. */
export class Context {
  readonly settings: Settings;
  readonly target: Target;
  readonly tokens: TokenSource;
  readonly #apps: App[] = [];

  constructor(settings: Settings, target: Target, tokens: TokenSource) {
    this.settings = settings;
    this.target = target;
    this.tokens = tokens;
  }

  /**
   * Opens a new connection. Over IPC the connection has sent nothing yet; over a WebSocket the address contains the
   * client id.
   */
  async connect(introduction?: Introduction): Promise<App> {
    const connection = await this.target.connect(introduction);
    const app = new App(connection, this.settings.timeouts, this.settings.profile);
    this.#apps.push(app);
    return app;
  }

  /** Body of our application's HANDSHAKE. */
  handshake(): string {
    return JSON.stringify({ v: 1, client_id: this.settings.clientId });
  }

  /** New connection after READY. */
  async ready(clientId = this.settings.clientId): Promise<App> {
    const app = await this.connect({ clientId });
    await app.open(clientId);
    return app;
  }

  /**
   * Opens a session that may set an activity. Over IPC every session may; a session over a WebSocket lacks the scope
   * `rpc.local`, so it authenticates if the target grants tokens. Throws {@link NotRun} if the target grants tokens but
   * the suite lacks the token endpoint.
   */
  async local(): Promise<App> {
    if (this.target.transport === 'ipc') return await this.ready();
    const token = await this.tokens.get().catch((error: unknown) => {
      if (error instanceof NotRun) throw error;
      return undefined;
    });
    const app = await this.ready();
    if (token !== undefined) await app.succeed('AUTHENTICATE', { access_token: token });
    return app;
  }

  /** New connection, authenticated with a token of these scopes. */
  async authenticated(scopes?: readonly string[]): Promise<App> {
    const token = await this.tokens.get(scopes);
    const app = await this.ready();
    const reply = await app.request('AUTHENTICATE', { access_token: token });
    if (reply.value['evt'] === 'ERROR') {
      throw new Failure('AUTHENTICATE to accept a fresh token', 'an ERROR answer', 'prerequisite');
    }
    return app;
  }

  /** Verifies that the target still serves: a new connection gets READY. */
  async alive(): Promise<void> {
    const app = await this.ready();
    app.destroy();
  }

  /** Closes every connection of the case. */
  close(): void {
    for (const app of this.#apps) app.destroy();
  }
}
