import { plainEntry } from '../../../../../journal/plain-entry.ts';
import { RecordReader } from '../../../../../journal/record-reader.ts';
import { Feed } from '../../../data/feed.ts';
import { MAX_ROWS } from '../../../data/row-store.ts';

/** Maximum size of a file (bytes). The bridge's own journal has 8 MiB. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Number of entries between two pauses, in which the page can draw. */
const ENTRIES_PER_TURN = 500;

/** Rows of a recorded file. Rejects with the reason for a file that is none. */
export async function readRecorded(file: File): Promise<Feed> {
  if (file.size > MAX_FILE_BYTES)
    throw new Error(
      `${file.name}: has more than ${MAX_FILE_BYTES / 1024 / 1024} MiB. Use footbridge journal or replay.`,
    );
  const reader = new RecordReader(file.name.slice(0, 100), MAX_ROWS);
  const parts = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await parts.read(); !part.done; part = await parts.read()) reader.write(part.value);
  const { core, entries } = reader.end();
  const feed = new Feed();
  feed.recorded = { name: file.name.slice(0, 100), core: core?.slice(0, 40), entries: entries.length };
  for (let at = 0; at < entries.length; at += ENTRIES_PER_TURN) {
    feed.take({ entries: entries.slice(at, at + ENTRIES_PER_TURN).map(plainEntry), dropped: 0 });
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return feed;
}
