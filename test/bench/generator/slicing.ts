import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A slice that takes longer will never end (ms). */
const SLICE_TIMEOUT_MS = 60_000;

/** What one slice of requests, or of connections, cost the server. */
export interface Slice {
  readonly answered: number;
  readonly errors: number;
  readonly wrong: number;
  readonly seconds: number;
  readonly serverCpuMs: number;
}

/** A generator that sends nothing until it is asked to, so that several can take turns. */
export interface Slicing {
  /** Makes so many requests or connections. Rejects when the generator fails, or when an answer was an error. */
  next(count: number): Promise<Slice>;
  /** Resolves when the generator's process has ended. */
  end(): Promise<void>;
}

/** Controls a generator in the mode `slices`; resolves when all its connections are open. */
export async function slicing(child: ChildProcess): Promise<Slicing> {
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error('the generator has no pipes');
  let errors = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  // A generator that has ended cannot be written to; its end says why.
  stdin.on('error', () => {});
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`generator slices ended with ${signal ?? code}: ${errors.trim()}`));
    });
  });
  ended.catch(() => {});
  const lines = createInterface(stdout)[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const late = setTimeout(() => child.kill('SIGKILL'), SLICE_TIMEOUT_MS);
    const { done, value } = await lines.next();
    clearTimeout(late);
    if (!done) return value;
    await ended;
    throw new Error('the generator ended before its answer');
  };
  await line();
  return {
    async next(count) {
      stdin.write(`${count}\n`);
      const slice = JSON.parse(await line()) as Slice;
      const { answered, errors: refused, wrong } = slice;
      if (answered === count && refused === 0 && wrong === 0) return slice;
      throw new Error(
        `${answered} answers to ${count} requests, ${refused} errors among them, and ${wrong} to nothing`,
      );
    },
    async end() {
      stdin.end();
      await ended;
    },
  };
}
