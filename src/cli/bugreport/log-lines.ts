import { logFilesIn } from '../../../platform/files/log-files.ts';
import { logFiles } from '../../../service/log-files.ts';
import type { LogSource } from '../../../service/manager.ts';
import { messageOf } from '../../base/local-error.ts';
import type { Io } from '../../daemon/io.ts';
import { pickFields } from '../../daemon/log/fields.ts';
import { placesIn } from '../bridge-places.ts';
import type { Scene } from '../doctor/check.ts';
import { currentManager } from '../service/context.ts';
import { lastLogLines } from '../service/logs.ts';

/** Number of log lines in a report. */
const LINES = 100;

/** Last lines of the log of the running bridge, else of the service, oldest first, not redacted yet; or the reason why there are none. */
export async function logLines(io: Io, { bridge, folders, run }: Scene): Promise<readonly string[]> {
  const ofBridge = bridge.kind === 'known' ? placesIn(bridge.status)?.log : undefined;
  const source = ofBridge == null ? await sourceOf(io) : logFiles(ofBridge);
  switch (source.kind) {
    case 'command': {
      const { stdout } = await run(source.argv);
      const lines = stdout.split('\n').filter((line) => line !== '');
      return lines.length === 0 ? [source.hint] : lines.slice(-LINES).map(readable);
    }
    case 'files':
    case 'none': {
      const paths = source.kind === 'files' ? source.paths : logFilesIn(folders.log);
      const lines = lastLogLines(paths, LINES);
      if (lines.length > 0) return lines.map(readable);
      return [source.kind === 'none' ? `none: ${source.reason}` : 'none: the files are empty'];
    }
  }
}

async function sourceOf(io: Io): Promise<LogSource> {
  try {
    return (await currentManager(io)).logs({ lines: LINES, follow: false });
  } catch (error) {
    return { kind: 'none', reason: messageOf(error) };
  }
}

/** A line of JSON with the allow-listed fields of the log alone; any other line unchanged. */
function readable(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
    const details = Object.entries(pickFields(fields)).map(([name, value]) => `${name}=${value}`);
    const at = typeof time === 'number' ? new Date(time).toISOString() : '';
    return [at, text(level), text(msg), ...details].filter((part) => part !== '').join(' ');
  } catch {
    return `(not a line of the log, ${line.length} characters)`;
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
