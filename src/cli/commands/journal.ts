import { styleFor } from '../../base/style.ts';
import { printableJson } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { version } from '../../daemon/version.ts';
import { describedLine } from '../../journal/describe.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { trafficText } from '../../journal/format.ts';
import { harOf } from '../../journal/har.ts';
import { transcriptText } from '../../journal/transcript.ts';
import { defineCommand, flag, textOption } from '../command.ts';
import { daemonClient, printJson } from '../daemon-client.ts';
import { findSession, readAll } from '../journal/read-journal.ts';
import { sessionOption } from '../journal/session-option.ts';
import { usage } from '../parse.ts';
import { writableTarget, writeTarget } from '../private-target.ts';

/** `footbridge journal`. */
export const journal = defineCommand({
  name: 'journal',
  summary: 'Print the recorded traffic of the bridge, or write it to a file',
  group: 'develop',
  options: {
    session: sessionOption,
    ndjson: textOption('FILE', 'write it to a file, one JSON value a line; - for stdout'),
    transcript: flag(
      "print it as a failing test does: folded, the last 40 lines, by the emulator's clock (UTC)",
    ),
    full: flag('with --transcript: all lines, and nothing folded'),
    har: textOption('FILE', 'write it as HTTP Archive 1.2, which browsers open; - for stdout'),
  },
  json: true,
  details: [
    'The last 5,000 entries, or 8 MiB, without tokens, codes and secrets. The file is for you alone (mode 0600), and replaces',
    'one of that name. In an archive the frames of a session and the messages of the gateway are those of a WebSocket.',
  ],
  examples: [
    ['footbridge journal', 'One line per entry'],
    ['footbridge journal --json', 'All of it as one JSON value'],
    ['footbridge journal --transcript', 'What the bot and the platform did, for a person'],
    ['footbridge journal --har talk.har', 'For the network tab of a browser'],
    ['footbridge journal --ndjson talk.ndjson', 'For a script'],
  ],
  async run({ values: { session: sessionPrefix, ndjson, har, transcript, full }, json }, io) {
    if (ndjson !== undefined && har !== undefined)
      throw usage('--ndjson and --har: give one of them.', { name: 'journal' });
    const path = ndjson ?? har;
    if (transcript && (path !== undefined || json))
      throw usage('--transcript: goes without --ndjson, --har and --json.', { name: 'journal' });
    if (full && !transcript) throw usage('--full: goes with --transcript.', { name: 'journal' });
    const target = path === undefined || path === '-' ? undefined : writableTarget(path);
    const client = daemonClient(io);
    const session = sessionPrefix === undefined ? undefined : await findSession(client, sessionPrefix);
    const { entries, removed } = await readAll(client, session);
    if (transcript) io.out(transcriptText({ entries, dropped: removed }, { full: full === true }));
    else if (path === undefined) print(entries, removed, json, io);
    else {
      const text =
        har === undefined
          ? trafficText(entries, (await client.status()).core.name)
          : `${printableJson(harOf(entries, version()))}\n`;
      if (target === undefined) io.out(text);
      else {
        await writeTarget(target, path, text);
        if (json) printJson(io, { file: target, entries: entries.length, gone: removed });
        else io.out(`${counted(entries.length)} in ${path}.\n`);
      }
    }
    return ExitCode.OK;
  },
});

function print(entries: readonly JournalEntry[], removed: number, json: boolean, io: Io): void {
  if (json) return printJson(io, entries);
  const style = styleFor(io.colour.out);
  if (removed > 0) io.out(`${style.faint(`${removed} earlier ones are not kept any more`)}\n`);
  if (entries.length === 0) io.out('There has been no traffic yet.\n');
  for (const entry of entries) io.out(describedLine(entry, style));
}

function counted(entries: number): string {
  return entries === 1 ? '1 entry is' : `${entries} entries are`;
}
