import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { systemErrorText } from '../../platform/system-error-text.ts';
import { LocalError } from '../base/local-error.ts';
import { printable } from '../base/text.ts';
import { type CommandEndpoint, publicText } from './endpoint.ts';
import { type Hello, type HelloResult, helloLine, readHello } from './link/hello.ts';
import { HUNG_UP, Link, type OnSession } from './link/link.ts';

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Options of a link over a command. */
export interface ChildLinkOptions {
  readonly command: CommandEndpoint;
  readonly own: Hello;
  /** Called with a link that was made, before it begins to read. */
  readonly onUp: (link: Link, hello: Hello) => void;
  /** Called when a link was lost, before its loss is reported. */
  readonly onDown: () => void;
  readonly onSession?: OnSession | undefined;
  /** Called with a sentence for the operator. */
  readonly report: (text: string) => void;
  readonly timing?: Partial<ChildTiming> | undefined;
}

/** Times of a child (ms). */
export interface ChildTiming {
  /** Time that a command has to say hello: a person may have to type a password for it. */
  readonly helloMs: number;
  /** First and longest pause before the command is started again. */
  readonly minPauseMs: number;
  readonly maxPauseMs: number;
  /** Time that a link has to hold for the pause to be the first again. */
  readonly steadyMs: number;
  readonly pingMs: number;
  /** Time that a command has to end by itself after its input has ended. */
  readonly killMs: number;
}

const TIMING: ChildTiming = {
  helloMs: 60_000,
  minPauseMs: 250,
  maxPauseMs: 30_000,
  steadyMs: 10_000,
  pingMs: 15_000,
  killMs: 1000,
};

/** Exit code of a shell that does not find its program. */
const NOT_FOUND = 127;
const NOT_FOUND_TEXT =
  ': its shell did not find a program. Is Footbridge installed there? Over ssh, PATH is shorter: name it with its full path';

/** Remedy for a command that did not say hello. */
const NO_HELLO_TEXT = '. Run the command itself in a terminal to see why';

/** `since` is in milliseconds since 1970. */
export type Connection =
  | { readonly kind: 'up'; readonly since: number }
  | { readonly kind: 'down'; readonly fault: string | undefined };

type State =
  | { readonly kind: 'idle' | 'stopped' }
  | { readonly kind: 'running'; readonly child: Child }
  | { readonly kind: 'pausing'; readonly wake: AbortController };

/**
 * Link over the standard input and output of a command, which is started again when it ends. Its standard error is that
 * of this process.
 */
export class ChildLink {
  readonly #options: ChildLinkOptions;
  readonly #timing: ChildTiming;
  #state: State = { kind: 'idle' };
  #connection: Connection = { kind: 'down', fault: undefined };
  #lastFault: string | undefined;

  constructor(options: ChildLinkOptions) {
    this.#options = options;
    this.#timing = { ...TIMING, ...options.timing };
  }

  /**
   * Starts the command; resolves once the first link is made. Throws `LocalError` FOOTBRIDGE_FORWARD when the first
   * attempt fails, because a wrong command would fail again.
   */
  async start(): Promise<void> {
    const first = await this.#connect();
    if (typeof first === 'string') {
      this.stop();
      throw new LocalError('FOOTBRIDGE_FORWARD', `${this.#name}: the command ${first}.`);
    }
    void this.#repeat(first);
  }

  /** The link now; `fault` is a sentence with the reason while there is no link after the first one. */
  get connection(): Connection {
    return this.#connection;
  }

  /** Sentence with the reason for the last loss of a link. */
  get lastFault(): string | undefined {
    return this.#lastFault;
  }

  /** Ends the command and starts it no more. */
  stop(): void {
    const state = this.#state;
    this.#state = { kind: 'stopped' };
    if (state.kind === 'running') this.#end(state.child);
    if (state.kind === 'pausing') state.wake.abort();
  }

  get #name(): string {
    return printable(publicText(`exec:${this.#options.command.command}`));
  }

  /** Waits for the end of each link and makes the next one. */
  async #repeat(first: Made): Promise<void> {
    const { minPauseMs, maxPauseMs, steadyMs } = this.#timing;
    const { report } = this.#options;
    let pauseMs = minPauseMs;
    let made: Made | string = first;
    for (;;) {
      const since = performance.now();
      const fault: string = typeof made === 'string' ? made : await made.ended;
      if (this.#isStopped()) return;
      if (performance.now() - since >= steadyMs) pauseMs = minPauseMs;
      this.#lastFault = `${this.#name}: the command ${fault}.`;
      this.#connection = { kind: 'down', fault: this.#lastFault };
      report(`${this.#lastFault} It is started again in ${pauseMs / 1000} s.`);
      await this.#pause(pauseMs);
      if (this.#isStopped()) return;
      pauseMs = Math.min(maxPauseMs, pauseMs * 2);
      made = await this.#connect();
      if (typeof made === 'string') continue;
      report(`${this.#name}: connected again.`);
    }
  }

  // A method, because the state changes while a call waits.
  #isStopped(): boolean {
    return this.#state.kind === 'stopped';
  }

  async #pause(ms: number): Promise<void> {
    const wake = new AbortController();
    this.#state = { kind: 'pausing', wake };
    await delay(ms, undefined, { signal: wake.signal }).catch(() => {});
  }

  /** Starts the command and makes a link; a text is the fault, as a clause after "the command". */
  async #connect(): Promise<Made | string> {
    const { command, own, onUp, onDown, onSession, report } = this.#options;
    const [program, ...args] = command.words;
    let child: Child;
    try {
      child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], windowsHide: true });
    } catch (error) {
      return `cannot be started: ${systemErrorText(error)}`;
    }
    this.#state = { kind: 'running', child };
    const failed = new Promise<HelloResult>((resolve) => {
      child.once('error', (error) =>
        resolve({ kind: 'wrong hello', fault: `cannot be started: ${systemErrorText(error)}` }),
      );
    });
    const reading = readHello(child.stdout, child.stdin, this.#timing.helloMs);
    child.stdin.write(helloLine(own));
    const result = await Promise.race([reading, failed]);
    if (result.kind !== 'hello') {
      const how = await this.#endOf(child);
      const isSilent = result.kind === 'no hello' && child.exitCode !== NOT_FOUND;
      return `${result.fault}${how}${isSilent ? NO_HELLO_TEXT : ''}`;
    }
    if (result.hello.side === own.side) {
      const option = own.side === 'apps' ? '--from stdio:' : '--to stdio:';
      return `is the same end of a forward as this one: it needs ${option}${await this.#endOf(child)}`;
    }
    if (this.#isStopped()) {
      this.#end(child);
      return 'was stopped';
    }
    if (result.noise !== '') {
      report(
        `${this.#name}: the command printed ${result.noise} before its hello, which was skipped. Make its shell silent.`,
      );
    }
    const ended = new Promise<string>((resolve) => {
      const link = new Link({
        input: child.stdout,
        output: child.stdin,
        early: result.early,
        opens: own.side === 'apps' ? 'this end' : 'the other end',
        pingMs: this.#timing.pingMs,
        onSession,
        onEnd: (linkFault) => {
          onDown();
          if (linkFault !== undefined && linkFault !== HUNG_UP) {
            this.#end(child);
            return resolve(linkFault);
          }
          // A command that ends by itself has an exit code to report, also where a write notices its end first.
          void this.#endOf(child).then((how) =>
            resolve(how === '' && linkFault !== undefined ? linkFault : `ended${how}`),
          );
        },
      });
      this.#connection = { kind: 'up', since: Date.now() };
      onUp(link, result.hello);
      link.start();
    });
    return { ended };
  }

  /** Ends a command; returns how it has ended by itself, for a message. */
  async #endOf(child: Child): Promise<string> {
    const how = await exitText(child);
    this.#end(child);
    return how;
  }

  #end(child: Child): void {
    child.on('error', () => {});
    child.stdin.on('error', () => {});
    child.stdin.destroy();
    child.stdout.destroy();
    if (!child.kill('SIGTERM')) return;
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#timing.killMs);
    child.once('exit', () => clearTimeout(timer));
  }
}

/** A link that was made; `ended` resolves with the fault as a clause after "the command". */
interface Made {
  readonly ended: Promise<string>;
}

/** Exit code or signal of a child that ends within a moment; empty for one that continues. */
async function exitText(child: Child): Promise<string> {
  if (child.pid === undefined) return '';
  if (child.exitCode === null && child.signalCode === null)
    await Promise.race([once(child, 'exit').catch(() => {}), delay(200)]);
  if (child.signalCode !== null) return ` (${child.signalCode})`;
  return child.exitCode === null
    ? ''
    : ` (exit code ${child.exitCode}${child.exitCode === NOT_FOUND ? NOT_FOUND_TEXT : ''})`;
}
