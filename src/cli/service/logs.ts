import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync, watchFile } from 'node:fs';
import { systemErrorText } from '../../../platform/system-error-text.ts';
import { logFiles } from '../../../service/log-files.ts';
import type { LogOptions, LogSource, ServiceStatus } from '../../../service/manager.ts';
import { LocalError, systemCode } from '../../base/local-error.ts';
import { printableJson, printableLines } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { bridgePlaces } from '../bridge-places.ts';
import { printJson } from '../daemon-client.ts';
import { usage } from '../parse.ts';
import { currentManager } from './context.ts';

const DEFAULT_LINES = 50;
/** Above the size of both log files, 1 MiB each. */
const MAX_BYTES = 4 * 1024 * 1024;
const POLL_MS = 500;

/** Runs `footbridge logs`. */
export async function runLogs(
  { lines, follow }: { readonly lines?: string | undefined; readonly follow?: true | undefined },
  json: boolean,
  io: Io,
): Promise<number> {
  const options = { lines: lineCount(lines), follow: follow === true };
  const printer = json ? jsonPrinter(io, options.follow) : textPrinter(io);
  // A bridge that writes its log to files says where, also one that no service of this environment runs.
  const folder = (await bridgePlaces(io.env))?.log ?? undefined;
  if (folder !== undefined)
    return printLog(logFiles(folder), options, printer, io, async () => ({ kind: 'running' }));
  const manager = await currentManager(io);
  return printLog(manager.logs(options), options, printer, io, () => manager.status());
}

/** Prints a log source. The empty log of a running service is not a failure. */
export async function printLog(
  source: LogSource,
  options: LogOptions,
  printer: Printer,
  io: Io,
  status: () => Promise<ServiceStatus>,
): Promise<number> {
  const runs = async (): Promise<boolean> => (await status()).kind === 'running';
  switch (source.kind) {
    case 'command': {
      let isQuiet = true;
      const add = (text: string): void => {
        isQuiet = false;
        printer.add(text);
      };
      const code = await passOn(source.argv, { ...printer, add }, io);
      printer.end();
      if (code === ExitCode.OK) return code;
      isQuiet &&= await runs();
      const found = isQuiet ? 'the service runs, and nothing of it is in a log that you may read. ' : '';
      io.err(`footbridge: ${found}${source.hint}\n`);
      return isQuiet ? ExitCode.OK : code;
    }
    case 'none': {
      const reason = `There is no log: ${source.reason}.`;
      if (!(await runs()))
        throw new LocalError('FOOTBRIDGE_LOGS', `${reason} footbridge status says what runs.`);
      printer.end();
      io.err(`footbridge: the service runs, and has logged nothing. ${reason}\n`);
      return ExitCode.OK;
    }
    case 'files': {
      const lines = lastLogLines(source.paths, options.lines);
      printer.add(printableLines(lines.map((line) => `${line}\n`).join('')));
      const current = source.paths.at(-1);
      if (options.follow && current !== undefined) await tail(current, printer);
      printer.end();
      return ExitCode.OK;
    }
  }
}

/** Destination of a log's text, which arrives in pieces of any length. */
export interface Printer {
  add(text: string): void;
  end(): void;
}

export function textPrinter(io: Io): Printer {
  return { add: (text) => io.out(text), end: () => {} };
}

/** All lines as one list; with --follow, which has no end, one JSON string per line. */
function jsonPrinter(io: Io, follow: boolean): Printer {
  const lines: string[] = [];
  let rest = '';
  const take = (line: string): void => {
    if (follow) io.out(`${printableJson(line)}\n`);
    else lines.push(line);
  };
  return {
    add(text) {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) take(line);
    },
    end() {
      if (rest !== '') take(rest);
      if (!follow) printJson(io, lines);
    },
  };
}

function lineCount(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LINES;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw usage(`--lines: ${JSON.stringify(text.slice(0, 60))} is not a number of lines.`, { name: 'logs' });
}

/** Passes a program's output on, with its own colours and paging. */
function passOn([file, ...args]: readonly [string, ...string[]], printer: Printer, io: Io): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env: io.env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.setEncoding('utf8').on('data', (text: string) => printer.add(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => io.err(text));
    child.once('error', (error) =>
      reject(
        new LocalError(
          'FOOTBRIDGE_LOGS',
          `${file} has the log and cannot be run: ${systemErrorText(error)}.`,
        ),
      ),
    );
    child.once('close', (code) => resolve(code === 0 ? ExitCode.OK : ExitCode.FAILED));
  });
}

/** Follows a file until a signal ends the process. A file that got shorter was rotated, and is read from its start. */
function tail(path: string, printer: Printer): Promise<never> {
  let { size } = read(path, Number.MAX_SAFE_INTEGER);
  return new Promise(() => {
    watchFile(path, { interval: POLL_MS }, ({ size: now }) => {
      const added = read(path, now < size ? 0 : size);
      size = added.size;
      printer.add(printableLines(added.text));
    });
  });
}

function read(path: string, from: number): { readonly text: string; readonly size: number } {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { text: '', size: 0 };
    throw error;
  }
  try {
    const { size } = fstatSync(fd);
    const start = Math.max(from, size - MAX_BYTES);
    const buffer = Buffer.alloc(Math.max(0, size - start));
    const length = readSync(fd, buffer, 0, buffer.length, start);
    return { text: buffer.toString('utf8', 0, length), size };
  } finally {
    closeSync(fd);
  }
}

/** Last lines of log files, whose names are given oldest first. A missing file has none. */
export function lastLogLines(paths: readonly string[], count: number): readonly string[] {
  const lines = paths
    .map((path) => read(path, 0).text)
    .join('')
    .split('\n');
  if (lines.at(-1) === '') lines.pop();
  return count === 0 ? [] : lines.slice(-count);
}
