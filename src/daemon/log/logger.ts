// The browser build passes each line on as an object and has 25 kB. The Node build, 100 kB, includes file writers and
// worker threads, and its own destination never ends on a full disk.
import pino from 'pino/browser.js';
import { programOf } from '../../../platform/process/program.ts';
import { type Style, styleFor } from '../../base/style.ts';
import { escapedJson, printable } from '../../base/text.ts';
import type { LogFields } from '../../core/core.ts';
import type { Logger } from '../../server/options.ts';
import type { LogLevel } from '../config/keys.ts';
import { pickFields } from './fields.ts';

/** Writes finished lines. */
interface LineWriter {
  write(line: string): void;
}

/**
 * Logger for pino JSON, one object per line, with the allow-listed fields only; control sequences for a terminal are
 * escaped.
 */
export function jsonLogger(level: LogLevel, destination: LineWriter): Logger {
  const logger = pino({
    level,
    browser: {
      formatters: { level: (label) => ({ level: label }) },
      write(line) {
        const { level: name, time, ...rest } = line as { readonly level: string; readonly time: number };
        destination.write(escapedJson(`${JSON.stringify({ level: name, time, ...rest })}\n`));
      },
    },
  });
  return allowListed(level, {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
  });
}

/** Logger for a user at a terminal. */
export function humanLogger(level: LogLevel, destination: LineWriter, colour: boolean): Logger {
  const style = styleFor(colour);
  return textLogger(level, (of, text) => {
    const time = new Date().toTimeString().slice(0, 8);
    destination.write(`${style.faint(time)} ${label(of, style)} ${text}\n`);
  });
}

/** Priorities of syslog, which the journal reads from the start of a line (sd-daemon(3)). */
const PRIORITIES = { debug: 7, info: 6, warn: 4, error: 3 } as const;

/** Logger for the system's journal, which adds the time itself and filters by priority. */
export function journalLogger(level: LogLevel, destination: LineWriter): Logger {
  return textLogger(level, (of, text) => destination.write(`<${PRIORITIES[of]}>${text}\n`));
}

type LineLevel = Exclude<LogLevel, 'silent'>;

function textLogger(level: LogLevel, write: (of: LineLevel, text: string) => void): Logger {
  const at = (of: LineLevel) => (fields: LogFields, message: string) => {
    const details = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
    write(of, printable([message, ...details].join(' ')));
  };
  return allowListed(level, { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') });
}

/** Returns the line that reports lost lines, in the format of the other lines. */
export function droppedLine(format: 'json' | 'human' | 'journal'): (count: number) => string {
  const message = 'log lines dropped: nobody took them in time';
  return (count) => {
    if (format === 'journal') return `<${PRIORITIES.warn}>${message}: ${count}\n`;
    if (format === 'human') return `${message}: ${count}\n`;
    return `${JSON.stringify({ level: 'warn', time: Date.now(), count, msg: message })}\n`;
  };
}

function label(level: LineLevel, style: Style): string {
  const text = level.padEnd(5);
  if (level === 'error') return style.bad(text);
  return level === 'warn' ? style.warn(text) : style.faint(text);
}

const order: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** Adds the program of a process to its pid. */
function withProgram(fields: LogFields): LogFields {
  const program = fields.pid ? programOf(fields.pid)?.name : undefined;
  return program === undefined ? fields : { ...fields, program };
}

/**
 * Passes lines of `level` and above, with the allowed fields. A lower line costs no work, because every connection logs
 * some.
 */
function allowListed(level: LogLevel, logger: Logger): Logger {
  const at = (of: LineLevel): Logger['debug'] =>
    order.indexOf(of) < order.indexOf(level)
      ? () => {}
      : (fields, message) => logger[of](pickFields(withProgram(fields)), message);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
