import { Failure } from '../failure.ts';
import type { Settings } from '../settings.ts';
import { type PrivateFolder, privateEnv, privateFolder } from '../target/folder.ts';
import { launch, takeLeave } from '../target/launch.ts';
import { type Exit, formatExit, type Process, runHook, withLastOutput } from '../target/process.ts';
import { endpointTarget, type Target } from '../target/target.ts';
import { Context } from './context.ts';
import { TokenSource } from './tokens.ts';

/** Target that several cases share: a server that already runs, or one that the suite starts. */
export interface Host {
  /** Number of starts of the target; if the number changed during a case, the target went down. */
  readonly generation: number;
  /** Exit of a target that the suite started; undefined while it runs. */
  readonly exit: Exit | undefined;
  /** Last output of the target. */
  lastOutput(): string;
  /** Context on a running target, which is started (again) if necessary. Throws {@link Failure}. */
  context(): Promise<Context>;
  close(): Promise<void>;
}

/** Target that the options name; the target may not exist. */
export interface NamedHost extends Host {
  /** Starts the target, or connects to it once. Throws {@link Failure}. */
  reach(): Promise<void>;
}

/** Target that runs independently of the suite. */
export function endpointHost(endpoint: string, settings: Settings): NamedHost {
  const target = endpointTarget(endpoint, settings);
  const tokens = new TokenSource(settings, target);
  return {
    generation: 1,
    exit: undefined,
    lastOutput: () => '',
    reach: async () => takeLeave(await target.connect()),
    context: () => Promise.resolve(new Context(settings, target, tokens)),
    close: () => Promise.resolve(),
  };
}

/** Maximum of consecutive failed starts. */
const MAX_FAILURES = 2;

/** Target that the suite starts in a private folder, and restarts after it went down. */
export class StartedHost implements NamedHost {
  readonly #command: string;
  readonly #settings: Settings;
  #folder: PrivateFolder | undefined;
  #process: Process | undefined;
  #shared: { readonly target: Target; readonly tokens: TokenSource } | undefined;
  #starting: Promise<void> | undefined;
  #failures = 0;
  #lastFailure: Failure | undefined;
  generation = 0;

  constructor(command: string, settings: Settings) {
    this.#command = command;
    this.#settings = settings;
  }

  get exit(): Exit | undefined {
    return this.#process?.exit;
  }

  lastOutput(): string {
    return this.#process?.lastOutput() ?? '';
  }

  async reach(): Promise<void> {
    await this.context();
  }

  async context(): Promise<Context> {
    // A command that does not start is not retried, because hundreds of cases would wait for it.
    if (this.#lastFailure !== undefined && this.#failures >= MAX_FAILURES) throw this.#lastFailure;
    if (this.#shared === undefined || this.exit !== undefined) {
      this.#starting ??= this.#start().finally(() => {
        this.#starting = undefined;
      });
      await this.#starting;
    }
    if (this.#shared === undefined) throw new Failure('the target to run', 'it does not', 'gone');
    return new Context(this.#settings, this.#shared.target, this.#shared.tokens);
  }

  async #start(): Promise<void> {
    await this.close();
    const folder = privateFolder();
    this.#folder = folder;
    const env = privateEnv(this.#settings.env, folder);
    const result = await launch({
      command: this.#command,
      env,
      folder: folder.run,
      foreign: [],
      ms: this.#settings.timeouts.startMs,
      onStart: (process) => {
        this.#process = process;
      },
      signal: this.#settings.signal,
    });
    this.generation++;
    if (result.kind !== 'listening') {
      const how = result.kind === 'exited' ? formatExit(result.exit) : 'no endpoint in time';
      throw this.#failed(
        'the command to start a server that listens',
        withLastOutput(how, this.lastOutput()),
      );
    }
    const { transport, prepareCommand, timeouts } = this.#settings;
    const endpoint = transport === 'ipc' ? result.path : result.ready?.websocket;
    if (endpoint === undefined) throw this.#failed('a WebSocket endpoint in the ready line', 'none');
    if (prepareCommand !== undefined) {
      const { exit, output } = await runHook(prepareCommand, env, timeouts.deadlineMs);
      if (exit !== 0) throw this.#failed('the prepare command to exit with 0', output);
    }
    this.#failures = 0;
    const target = endpointTarget(endpoint, this.#settings, {
      pid: result.process.pid,
      api: result.ready?.api,
    });
    this.#shared = { target, tokens: new TokenSource(this.#settings, target) };
  }

  #failed(expected: string, actual: string): Failure {
    this.#failures++;
    this.#lastFailure = new Failure(expected, actual, 'absent');
    return this.#lastFailure;
  }

  async close(): Promise<void> {
    await this.#process?.kill();
    this.#folder?.remove();
    this.#shared = undefined;
  }
}
