import { isLocalError } from '../../../platform/local-error.ts';
import { writeLargePrivateFile } from '../../../platform/private-file.ts';
import { printableJson } from '../../../platform/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { styleFor } from '../../daemon/style.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { askDaemon, printJson } from '../ask-daemon.ts';
import { defineCommand } from '../command.ts';
import { followJournal } from '../journal/follow.ts';
import { harOf } from '../journal/har.ts';
import { lineOf } from '../journal/lines.ts';
import { entriesOf } from '../journal/read.ts';
import { notWritten, writableFile } from '../output-file.ts';
import { usage } from '../parse.ts';

const ofSession = {
  type: 'string',
  value: 'ID',
  help: 'only this session, as "footbridge status --json" and the journal name it',
} as const;

/** `footbridge watch`. */
export const watch = defineCommand({
  name: 'watch',
  summary: 'Follow what passes the bridge: frames, HTTP, gateway, webhooks, without secrets',
  group: 'develop',
  options: { session: ofSession },
  json: true,
  details: [
    'Goes on until it is ended, also over a restart of the bridge. What was gone before it could be read is counted on stderr.',
  ],
  examples: [
    ['footbridge watch', 'A line for everything that passes from now on'],
    ['footbridge watch --json', 'One JSON value a line'],
  ],
  run({ values, json }, io) {
    return followJournal(values.session, json, io);
  },
});

/** `footbridge journal`. */
export const journal = defineCommand({
  name: 'journal',
  summary: 'Show or export the last things that passed the bridge, without secrets',
  group: 'develop',
  options: {
    session: ofSession,
    ndjson: { type: 'string', value: 'FILE', help: 'write one JSON value a line to a file, - for stdout' },
    har: {
      type: 'string',
      value: 'FILE',
      help: 'write an HTTP Archive 1.2, which browsers read; - for stdout',
    },
  },
  json: true,
  details: [
    'The bridge keeps the last 5,000 entries, at most 8 MiB, in memory: see "journal" in its configuration.',
  ],
  examples: [
    ['footbridge journal', 'One line each'],
    ['footbridge journal --json', 'All of it as one JSON value'],
    ['footbridge journal --ndjson - | wc -l', 'How much there is'],
    ['footbridge journal --har bridge.har', 'For the network view of a browser'],
  ],
  async run({ values: { session, ndjson, har }, json }, io) {
    if (ndjson !== undefined && har !== undefined) {
      throw usage('--ndjson and --har: give one of them.', { name: 'journal' });
    }
    const name = ndjson === undefined ? '--har' : '--ndjson';
    if ((ndjson ?? har) === '') throw usage(`${name}: must not be empty.`, { name: 'journal' });
    const entries = entriesOf(askDaemon(io), session);
    if (har !== undefined) return write(har, harParts(entries), json, io);
    if (ndjson !== undefined) return write(ndjson, lines(entries), json, io);
    if (json) {
      printJson(io, await allOf(entries));
      return ExitCode.OK;
    }
    const style = styleFor(io.colour.out);
    let count = 0;
    for await (const entry of entries) {
      count += 1;
      io.out(lineOf(entry, style));
    }
    if (count === 0)
      io.out(session === undefined ? 'Nothing has passed yet.\n' : 'Nothing of this session is kept.\n');
    return ExitCode.OK;
  },
});

async function allOf(entries: AsyncIterable<JournalEntry>): Promise<readonly JournalEntry[]> {
  const all: JournalEntry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

async function* lines(entries: AsyncIterable<JournalEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${printableJson(entry)}\n`;
}

async function* harParts(entries: AsyncIterable<JournalEntry>): AsyncGenerator<string> {
  yield `${printableJson(harOf(await allOf(entries)), 1)}\n`;
}

async function write(path: string, parts: AsyncIterable<string>, json: boolean, io: Io): Promise<ExitCode> {
  if (path === '-') {
    for await (const part of parts) io.out(part);
    return ExitCode.OK;
  }
  const target = writableFile(path);
  try {
    await writeLargePrivateFile(target, parts, { unlocked: true });
  } catch (error) {
    throw isLocalError(error) || !(error instanceof Error && 'syscall' in error)
      ? error
      : notWritten(path, error);
  }
  if (json) printJson(io, { file: target });
  else io.out(`${path} is written.\n`);
  return ExitCode.OK;
}
