import { Failure, NotRun } from '../failure.ts';
import type { Settings } from '../settings.ts';
import { OPCODES } from '../tables.ts';
import { App } from '../target/app.ts';
import type { Introduction, Target } from '../target/target.ts';
import type { TokenSource } from './tokens.ts';

/** What a case on a running target works with. */
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

  /** A fresh connection. Over IPC nothing has been sent yet; over a WebSocket the address introduces us. */
  async connect(introduction?: Introduction): Promise<App> {
    const connection = await this.target.connect(introduction);
    const app = new App(connection, this.settings.patience, this.settings.profile);
    this.#apps.push(app);
    return app;
  }

  /** The handshake body of our application. */
  handshake(clientId = this.settings.clientId): string {
    return JSON.stringify({ v: 1, client_id: clientId });
  }

  /** A fresh connection that has its READY. */
  async ready(clientId = this.settings.clientId): Promise<App> {
    const app = await this.connect({ clientId });
    if (this.target.transport === 'ipc') await app.send(OPCODES.HANDSHAKE, this.handshake(clientId));
    await app.welcome();
    return app;
  }

  /**
   * A fresh session that may set an activity. Over IPC anybody may; over a WebSocket the scope `rpc.local`
   * is missing, so a token is presented where the target gives one. Throws {@link NotRun} where it would, but the
   * suite does not know where.
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

  /** A fresh connection that has presented a token with these scopes. */
  async authenticated(scopes?: readonly string[]): Promise<App> {
    const token = await this.tokens.get(scopes);
    const app = await this.ready();
    const reply = await app.request('AUTHENTICATE', { access_token: token });
    if (reply.value['evt'] === 'ERROR') {
      throw new Failure('AUTHENTICATE to accept a fresh token', 'an ERROR answer', 'prerequisite');
    }
    return app;
  }

  /** The target must still serve: a fresh connection gets READY. */
  async alive(): Promise<void> {
    const app = await this.ready();
    app.destroy();
  }

  /** Ends every connection of the case. */
  close(): void {
    for (const app of this.#apps) app.destroy();
  }
}
