import { setImmediate as nextTurn } from 'node:timers/promises';
import { readingFailed, rereadBounded } from '../../../platform/files/read-bounded.ts';
import { jsonPosition } from '../../base/json-position.ts';
import { LocalError } from '../../base/local-error.ts';
import { Detectables } from '../../presence/detectables.ts';

/** Maximum size of the file (bytes); the public list has about 15 MiB. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Number of entries that are read in one turn, so that apps do not wait for the whole list. */
const PART = 500;
const REMEDY =
  'Give a JSON list of applications with executables: [{"id": "…", "name": "…", "executables": [{"name": "…"}]}].';

/** Reads a list of detectable applications. Throws `LocalError` FOOTBRIDGE_CONFIG that names the file and the remedy. */
export async function readDetectables(path: string): Promise<Detectables> {
  const text = await rereadBounded(path, MAX_BYTES).catch((cause: unknown) => {
    throw new LocalError('FOOTBRIDGE_CONFIG', `detect: ${readingFailed(path, cause)}`, { cause });
  });
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (error) {
    throw wrong(path, `is not JSON${jsonPosition(error, text)}`);
  }
  if (!Array.isArray(list)) throw wrong(path, 'is no list');
  const detectables = new Detectables();
  for (let start = 0; start < list.length; start += PART) {
    detectables.add(list.slice(start, start + PART));
    await nextTurn();
  }
  if (detectables.size === 0) throw wrong(path, 'names no executable');
  return detectables;
}

function wrong(path: string, reason: string): LocalError {
  return new LocalError('FOOTBRIDGE_CONFIG', `detect: ${path} ${reason}. ${REMEDY}`);
}
