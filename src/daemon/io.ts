import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { isatty } from 'node:tty';
import type { Environment } from '../../platform/endpoint/endpoints.ts';
import { systemErrorText } from '../../platform/system-error-text.ts';
import { systemCode } from '../base/local-error.ts';
import { ExitCode } from './exit-codes.ts';

/** Resources of the process that a command may use; a test substitutes its own. */
export interface Io {
  readonly env: Environment;
  readonly stdin: Readable;
  /** Writes to stdout: results only. */
  out(text: string): void;
  /** Aborted once stdout is closed, which the next write detects: a command that follows a stream then ends. */
  readonly outClosed: AbortSignal;
  /** Resolves once the data written to stdout has been accepted, or stdout has no reader; for endless output. */
  outTaken(): Promise<void>;
  /** Writes to stderr: every message to the user. */
  err(text: string): void;
  /** Whether the stream supports colours. */
  readonly colour: { readonly out: boolean; readonly err: boolean };
  /** Whether the stream is a terminal. */
  readonly terminal: { readonly out: boolean; readonly err: boolean };
  /** True if a user sits in front of stdin and stdout and can answer prompts. */
  readonly interactive: boolean;
}

/** Whether to colour a stream: only a terminal, never with `NO_COLOR` set (https://no-color.org), or when forced. */
export function wantsColour(terminal: boolean, env: Environment): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return terminal && env['TERM'] !== 'dumb';
}

/** The process whose streams are used; a test substitutes its own. */
type IoProcess = Pick<NodeJS.Process, 'env' | 'stdin' | 'stdout' | 'stderr' | 'once' | 'exitCode'>;

/** The real process. */
export function processIo(own: IoProcess = process): Io {
  const { env } = own;
  const outClosed = new AbortController();
  return {
    env,
    outClosed: outClosed.signal,
    // The streams are getters, because Node builds each standard stream on first access and the daemon needs none of
    // them. A copy of this object ({ ...io }) would access stdin, which a forward then could not open any more.
    get stdin() {
      return own.stdin;
    },
    out: (text) =>
      writeTo(own.stdout, text, (error) => {
        // A closed reader (`footbridge status | head -1`) is no failure; a full disk is.
        if (systemCode(error) !== 'EPIPE') own.once('exit', () => failed(own, error));
        outClosed.abort();
      }),
    async outTaken() {
      if (!own.stdout.writableNeedDrain || outClosed.signal.aborted) return;
      await once(own.stdout, 'drain', { signal: outClosed.signal }).catch(() => {});
    },
    err: (text) => writeTo(own.stderr, text, () => {}),
    colour: { out: wantsColour(isatty(1), env), err: wantsColour(isatty(2), env) },
    terminal: { out: isatty(1), err: isatty(2) },
    interactive: isatty(0) && isatty(1),
  };
}

function writeTo(stream: NodeJS.WriteStream, text: string, onError: (error: Error) => void): void {
  if (stream.listenerCount('error') === 0) stream.on('error', onError);
  stream.write(text);
}

/** Sets the exit code. Called when the process exits, so that no later code changes the exit code. */
function failed(own: IoProcess, error: Error): void {
  own.exitCode ||= ExitCode.FAILED;
  own.stderr.write(`footbridge: the output could not be written: ${systemErrorText(error)}\n`);
}
