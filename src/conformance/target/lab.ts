import { Failure } from '../failure.ts';
import type { Settings } from '../settings.ts';
import { connectIpc } from '../wire/ipc.ts';
import { App } from './app.ts';
import { type PrivateFolder, privateEnv, privateFolder } from './folder.ts';
import { endpointPath, type Launch, launch, sleep } from './launch.ts';
import { type Owner, type OwnerKind, takeEndpoint } from './owner.ts';
import { type Exit, formatExit, type Process, withLastOutput } from './process.ts';

/** Server that the case started and may stop. */
export interface Instance {
  readonly process: Process;
  readonly path: string;
}

/** Options of a start. */
export interface StartOptions {
  /** Overrides of the environment; undefined unsets a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Shell text before the command. */
  readonly prefix?: string;
  /** Expected folder of the endpoint. */
  readonly folder?: string;
  /** Endpoints of other servers. */
  readonly foreign?: readonly string[];
  readonly ms?: number;
}

/** Environment of a case that starts and stops the target: a private folder and the command. */
export class Lab {
  readonly settings: Settings;
  readonly #command: string;
  readonly #folder: PrivateFolder = privateFolder();
  readonly #processes: Process[] = [];
  readonly #owners: Owner[] = [];
  readonly #apps: App[] = [];
  #isClosed = false;

  constructor(settings: Settings, command: string) {
    this.settings = settings;
    this.#command = command;
  }

  /** Folder of the endpoints. */
  get folder(): string {
    return this.#folder.run;
  }

  /** Folder of all files of this case. */
  get root(): string {
    return this.#folder.root;
  }

  /** Path of the endpoint with this index. */
  path(index: number): string {
    return endpointPath(this.folder, index);
  }

  /** Starts the target and returns the outcome, whatever it is. */
  async launch(options: StartOptions = {}): Promise<Launch> {
    if (this.#isClosed) throw new Failure('the case to have ended', 'it starts the target again', 'gone');
    const env = { ...privateEnv(this.settings.env, this.#folder), ...options.env };
    const result = await launch({
      command: this.#command,
      prefix: options.prefix ?? '',
      env,
      folder: options.folder ?? this.folder,
      foreign: [...this.#owners.map((owner) => owner.path), ...(options.foreign ?? [])],
      ms: options.ms ?? this.settings.timeouts.startMs,
      onStart: (process) => this.#processes.push(process),
      signal: this.settings.signal,
    });
    this.#note(`started: ${result.kind === 'listening' ? `listens at ${result.path}` : result.kind}`);
    return result;
  }

  /** Starts the target. Throws {@link Failure} unless it listens. */
  async start(options: StartOptions = {}): Promise<Instance> {
    const result = await this.launch(options);
    if (result.kind === 'listening') return { process: result.process, path: result.path };
    const actual = result.kind === 'exited' ? formatExit(result.exit) : 'no endpoint in time';
    throw new Failure('the target to start and listen', withLastOutput(actual, result.process.lastOutput()));
  }

  /** Occupies an endpoint before the target starts. */
  async own(index: number, kind: OwnerKind): Promise<Owner> {
    const owner = await takeEndpoint(this.path(index), kind);
    this.#owners.push(owner);
    return owner;
  }

  /** Session with the server at `path`. */
  async app(path: string): Promise<App> {
    const app = await this.connect(path);
    await app.open(this.settings.clientId);
    return app;
  }

  /** Connection without a handshake to the server at `path`. */
  async connect(path: string): Promise<App> {
    const { timeouts, profile } = this.settings;
    const connection = await connectIpc(path, timeouts.answerMs, this.settings.tracer).catch(
      (error: unknown) => {
        throw new Failure(
          'the target to accept a connection',
          error instanceof Error ? error.message : 'failure',
          'gone',
        );
      },
    );
    const app = new App(connection, timeouts, profile);
    this.#apps.push(app);
    return app;
  }

  /** Sends a signal and waits for the exit. Throws {@link Failure} after the timeout. */
  async stop(instance: Instance, signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<Exit> {
    instance.process.signal(signal);
    this.#note(`sent ${signal}`);
    const { stopMs } = this.settings.timeouts;
    const exit = await Promise.race([instance.process.ended, sleep(stopMs)]);
    if (exit !== undefined) this.#note(`ended: ${formatExit(exit)}`);
    if (exit !== undefined) return exit;
    throw new Failure(`the target to end within ${stopMs} ms of ${signal}`, 'it still runs');
  }

  #note(text: string): void {
    this.settings.tracer?.current?.note(text);
  }

  /** Ends all processes of the case and removes its folder. */
  async close(): Promise<void> {
    // An abandoned case continues for a while, but must not start another process.
    this.#isClosed = true;
    for (const app of this.#apps) app.destroy();
    await Promise.all(this.#processes.map((process) => process.kill()));
    await Promise.all(this.#owners.map((owner) => owner.close()));
    this.#folder.remove();
  }
}
