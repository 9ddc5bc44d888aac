import { readingFailed, rereadParts } from '../../platform/files/read-bounded.ts';
import { LocalError } from '../base/local-error.ts';
import { RecordReader, type SessionRecord } from '../journal/record-reader.ts';

/** Maximum size of a record (bytes). */
const MAX_BYTES = 256 * 1024 * 1024;

/** Reads recorded traffic from a file. Throws `LocalError` FOOTBRIDGE_RECORD, as {@link RecordReader} does. */
export async function readRecord(path: string): Promise<SessionRecord> {
  const reader = new RecordReader(path);
  try {
    for await (const part of rereadParts(path, MAX_BYTES)) reader.write(part);
  } catch (error) {
    if (error instanceof LocalError) throw error;
    throw new LocalError('FOOTBRIDGE_RECORD', readingFailed(path, error), { cause: error });
  }
  return reader.end();
}
