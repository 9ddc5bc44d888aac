import { checksumOf } from '../../../../../platform/files/checksum.ts';
import { isStoredState, type StoredState } from './state.ts';

/**
 * Major version of the state file: a file with another major version cannot be read. A newer minor version only adds
 * fields.
 */
const major = 1;
const minor = 0;

/** A parsed state file. */
export type ParsedDocument =
  | { readonly kind: 'state'; readonly state: StoredState; readonly minor: number }
  /**
   * The file is not valid. `foreign` marks JSON without any field of a state file, presumably another program's file
   * with the same name.
   */
  | { readonly kind: 'bad'; readonly reason: string; readonly foreign?: true };

/**
 * A checksum is necessary because a changed digit in an id would pass every check of the shape: the damaged file would
 * be read as another user's grant.
 */
function checksum(version: number, minorVersion: number, state: unknown): string {
  return checksumOf([version, minorVersion, state]);
}

/** Prints a state as the text of a state file. The minor version of a newer file is preserved, as its fields are. */
export function printDocument(state: StoredState, minorVersion = minor): string {
  const document = {
    version: major,
    minor: minorVersion,
    sha256: checksum(major, minorVersion, state),
    state,
  };
  return `${JSON.stringify(document)}\n`;
}

/** Parses the text of a state file. A text that differs in any way from the printed form is an error. */
export function parseDocument(text: string): ParsedDocument {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return { kind: 'bad', reason: 'it is not JSON' };
  }
  if (typeof document !== 'object' || document === null)
    return { kind: 'bad', reason: 'it is not an object', foreign: true };
  if (!['version', 'minor', 'sha256', 'state'].some((key) => Object.hasOwn(document, key)))
    return { kind: 'bad', reason: 'it is not one of ours', foreign: true };
  const { version, minor: found, sha256, state } = document as Record<string, unknown>;
  if (version !== major) {
    return typeof version === 'number' && version > major
      ? { kind: 'bad', reason: `it was written by a newer release (version ${version})` }
      : { kind: 'bad', reason: 'it has no known version' };
  }
  if (typeof found !== 'number' || !Number.isSafeInteger(found) || found < 0) {
    return { kind: 'bad', reason: 'it has no minor version' };
  }
  if (sha256 !== checksum(version, found, state)) return { kind: 'bad', reason: 'its checksum is wrong' };
  if (!isStoredState(state))
    return { kind: 'bad', reason: 'it holds something that is not a grant or token' };
  return { kind: 'state', state, minor: found };
}
