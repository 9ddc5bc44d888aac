import type { ChildProcess } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import type { Environment } from '../../platform/endpoint/endpoints.ts';
import { systemErrorText } from '../../platform/system-error-text.ts';
import { printable } from '../base/text.ts';
import type { ForwardFacts } from '../control/routes.ts';
import { publicText } from '../forward/endpoint.ts';
import type { ForwardStatus } from '../forward/forward.ts';
import { proseWithoutSecrets } from '../journal/without-secrets.ts';
import type { Logger } from '../server/options.ts';
import type { ForwardSetting } from './config/forwards.ts';
import { ownProgram } from './own-program.ts';

/** First and longest pause before a forward is started again, and the time after which the pause is the first again (ms). */
const MIN_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
const STEADY_MS = 60_000;

/** Time that a forward has to end after SIGTERM (ms). */
const KILL_MS = 1500;

/** Time that a forward has to answer with its status (ms). */
const STATUS_MS = 300;

/** Time after the end of a forward in which its standard error is still read (ms). */
const STDERR_MS = 300;

/** Maximum length of a line on the standard error of a forward that is logged (characters). */
const MAX_LINE = 1000;

/** Options of {@link Forwards}. */
export interface ForwardsOptions {
  readonly env: Environment;
  readonly logger: Logger;
  /** Command that runs `footbridge`, without arguments; by default the program of this process. */
  readonly program?: readonly [string, ...string[]];
  readonly minPauseMs?: number;
}

/** Keeps the forwards of the configuration running, each as a process of its own that ends with this one. */
export class Forwards {
  readonly #options: ForwardsOptions;
  #running: readonly SupervisedForward[] = [];

  constructor(options: ForwardsOptions) {
    this.#options = options;
  }

  /** Starts the forwards that are new and ends those that are not configured any longer or have changed. */
  apply(settings: readonly ForwardSetting[]): void {
    const remaining = this.#running.filter(({ setting }) =>
      settings.some((one) => isDeepStrictEqual(one, setting)),
    );
    for (const forward of this.#running) if (!remaining.includes(forward)) void forward.stop();
    this.#running = settings.map(
      (setting) =>
        remaining.find((forward) => isDeepStrictEqual(forward.setting, setting)) ??
        new SupervisedForward(setting, this.#options),
    );
  }

  /** Asks each forward for its status. */
  list(): Promise<ForwardFacts[]> {
    return Promise.all(this.#running.map((forward) => forward.facts()));
  }

  /** Ends every forward; resolves when their processes have ended. */
  async close(): Promise<void> {
    const running = this.#running;
    this.#running = [];
    await Promise.all(running.map((forward) => forward.stop()));
  }
}

type State =
  /** `starting` until the process has reported that apps can connect. */
  | { readonly kind: 'starting' | 'running'; readonly child: ChildProcess; readonly since: number }
  | { readonly kind: 'pausing'; readonly timer: NodeJS.Timeout; readonly why: string }
  | { readonly kind: 'new' | 'stopped' };

/** One forward, which is started again whenever it ends. */
class SupervisedForward {
  readonly setting: ForwardSetting;
  readonly #options: ForwardsOptions;
  #pauseMs: number;
  #state: State = { kind: 'new' };
  /** Reason for the last end of the process; null before the first. */
  #lastEnd: string | null = null;
  /** Calls that wait for the status of the process. */
  readonly #waiting = new Set<(status: ForwardStatus | undefined) => void>();

  constructor(setting: ForwardSetting, options: ForwardsOptions) {
    this.setting = setting;
    this.#options = options;
    this.#pauseMs = options.minPauseMs ?? MIN_PAUSE_MS;
    this.#start();
  }

  async facts(): Promise<ForwardFacts> {
    const state = this.#state;
    const answer = state.kind === 'running' ? await this.#ask(state.child) : undefined;
    const why = state.kind === 'pausing' ? state.why : answer?.why == null ? null : lineText(answer.why);
    return {
      ...this.setting,
      from: publicText(this.setting.from),
      to: publicText(this.setting.to),
      state: why !== null ? 'waiting' : state.kind === 'running' ? 'running' : 'starting',
      why,
      since: answer?.since == null ? null : new Date(answer.since).toISOString(),
      lastError: answer?.lastError == null ? this.#lastEnd : lineText(answer.lastError),
      sessions: answer?.sessions ?? 0,
    };
  }

  async stop(): Promise<void> {
    const state = this.#state;
    this.#state = { kind: 'stopped' };
    if (state.kind === 'pausing') clearTimeout(state.timer);
    if (!('child' in state) || state.child.pid === undefined) return;
    const { child } = state;
    const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), KILL_MS);
    await ended;
    clearTimeout(timer);
  }

  #start(): void {
    const { env, program = ownProgram() } = this.#options;
    const { from, to, rights, name } = this.setting;
    const [file, ...before] = program;
    const args = [...before, 'forward', '--from', from, '--to', to, '--rights', rights, '--name', name];
    // Loaded here, because few bridges have a forward.
    const { spawn } = process.getBuiltinModule('node:child_process');
    let child: ChildProcess;
    try {
      // The channel closes when this process is killed, which ends the forward.
      child = spawn(file, args, { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'], windowsHide: true });
    } catch (error) {
      return this.#retry(systemErrorText(error));
    }
    this.#state = { kind: 'starting', child, since: performance.now() };
    child.on('message', (message) => this.#answered(message as ForwardStatus));
    let lastLine = '';
    let rest = '';
    child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      const lines = (rest + part).split('\n');
      rest = String(lines.pop()).slice(0, MAX_LINE);
      for (const line of lines) {
        lastLine = lineText(line);
        if (this.#state.kind !== 'stopped')
          this.#options.logger.info({ path: publicText(from), reason: lastLine }, 'message of a forward');
      }
    });
    child.once('error', (error) => this.#ended(systemErrorText(error)));
    // A process that the command of the forward has left behind may keep the standard error open.
    child.once('exit', () => void setTimeout(() => child.stderr?.destroy(), STDERR_MS).unref());
    child.once('close', (code, signal) => this.#ended(lastLine || String(signal ?? `exit code ${code}`)));
  }

  /** Status that the process reports; undefined for one that does not answer in time. */
  #ask(child: ChildProcess): Promise<ForwardStatus | undefined> {
    return new Promise((resolve) => {
      const done = (status: ForwardStatus | undefined): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve(status);
      };
      const timer = setTimeout(() => done(undefined), STATUS_MS);
      this.#waiting.add(done);
      if (child.connected) child.send('status', (error) => error && done(undefined));
      else done(undefined);
    });
  }

  #answered(status: ForwardStatus): void {
    if (this.#state.kind === 'starting') this.#state = { ...this.#state, kind: 'running' };
    this.#resolve(status);
  }

  #resolve(status: ForwardStatus | undefined): void {
    for (const done of [...this.#waiting]) done(status);
  }

  #ended(reason: string): void {
    const state = this.#state;
    if (!('child' in state)) return;
    this.#resolve(undefined);
    if (performance.now() - state.since >= STEADY_MS)
      this.#pauseMs = this.#options.minPauseMs ?? MIN_PAUSE_MS;
    this.#retry(reason);
  }

  #retry(reason: string): void {
    this.#lastEnd = reason;
    const ms = this.#pauseMs;
    this.#pauseMs = Math.min(MAX_PAUSE_MS, ms * 2);
    this.#options.logger.warn(
      { path: publicText(this.setting.from), reason, ms },
      'a forward ended and is started again',
    );
    this.#state = { kind: 'pausing', timer: setTimeout(() => this.#start(), ms), why: reason };
  }
}

/** A line on the standard error of a forward, which is also that of its command, without secrets. */
function lineText(line: string): string {
  return proseWithoutSecrets(printable(line.slice(0, MAX_LINE))).replace(/^footbridge: /, '');
}
