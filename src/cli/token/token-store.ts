import { createHash } from 'node:crypto';
import { existsSync, readdirSync, unlinkSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { writePrivateFile } from '../../../platform/files/private-file.ts';
import { readRegularFile } from '../../../platform/files/read-regular.ts';
import { systemCode } from '../../base/local-error.ts';

/** Endpoint, application and scopes of a stored token. */
export interface TokenKey {
  /** Path of the endpoint that accepts the token. */
  readonly endpoint: string;
  readonly clientId: string;
  /** Requested scopes, in any order. */
  readonly scopes: readonly string[];
}

/** Conditions for stored tokens; undefined matches any value. */
export type TokenConditions = { readonly [K in keyof TokenKey]?: TokenKey[K] | undefined };

/** Content of one file in the folder. */
interface StoredToken extends TokenKey {
  readonly accessToken: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** Store of access tokens that commands obtained: one file each (mode 0600) until expiry. */
export interface TokenStore {
  /** Finds a stored token that is valid for at least another minute; undefined if there is none. */
  find(key: TokenKey): string | undefined;
  /**
   * Stores a token. Also removes expired tokens, and tokens for endpoints whose folder was removed. Throws the system's
   * error.
   */
  put(key: TokenKey, accessToken: string, expires: number): void;
  /** Removes matching tokens, or all without conditions; returns their number. Throws the system's error. */
  forget(only?: TokenConditions): number;
}

/** Maximum size of a token file (bytes): above any stored token, and small enough to read. */
const MAX_FILE_BYTES = 16 * 1024;
/** Minimum remaining validity of a usable token (ms), so that a token does not expire while it is used. */
const MARGIN_MS = 60_000;

/** Token store in a folder, which is created with the first token. Files of other users are ignored. */
export function tokenStore(folder: string, now: () => number = Date.now): TokenStore {
  const read = (name: string): StoredToken | undefined => {
    try {
      const bytes = readRegularFile(join(folder, name), MAX_FILE_BYTES, process.getuid?.());
      return asStoredToken(JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      return undefined;
    }
  };
  /** Removes the tokens for which `isOver` holds, only in files whose names have the form of {@link nameOf}. */
  const removeWhere = (isOver: (entry: StoredToken | undefined) => boolean): number => {
    const over = namesIn(folder).filter((name) => isOver(read(name)));
    for (const name of over) unlinkSync(join(folder, name));
    return over.length;
  };
  return {
    find(key) {
      const entry = read(nameOf(key));
      const isIt = entry !== undefined && nameOf(entry) === nameOf(key);
      return isIt && entry.expires - now() > MARGIN_MS ? entry.accessToken : undefined;
    },
    put(key, accessToken, expires) {
      removeWhere((entry) => entry === undefined || entry.expires <= now() || !mayComeBack(entry.endpoint));
      const { endpoint, clientId, scopes } = key;
      const content: StoredToken = { endpoint, clientId, scopes: sorted(scopes), accessToken, expires };
      // The file is written without a lock: when two commands write at once, either token is valid.
      writePrivateFile(join(folder, nameOf(key)), `${JSON.stringify(content)}\n`, { unlocked: true });
    },
    forget: (only = {}) => {
      const all = Object.values(only).every((condition) => condition === undefined);
      return removeWhere((entry) => (entry === undefined ? all : matches(entry, only)));
    },
  };
}

/** File name of a token. A hash reveals nothing and cannot lead to another folder. */
function nameOf({ endpoint, clientId, scopes }: TokenKey): string {
  const text = JSON.stringify([endpoint, clientId, sorted(scopes)]);
  return `${createHash('sha256').update(text).digest('hex').slice(0, 32)}.json`;
}

function sorted(scopes: readonly string[]): string[] {
  return [...new Set(scopes)].sort();
}

function matches(entry: StoredToken, { endpoint, clientId, scopes }: TokenConditions): boolean {
  return (
    (endpoint === undefined || entry.endpoint === endpoint) &&
    (clientId === undefined || entry.clientId === clientId) &&
    (scopes === undefined || sorted(entry.scopes).join(' ') === sorted(scopes).join(' '))
  );
}

/**
 * Whether the endpoint may appear again, so that its tokens are kept. A Windows pipe has no folder that could be
 * removed.
 */
function mayComeBack(endpoint: string): boolean {
  return process.platform === 'win32' || !isAbsolute(endpoint) || existsSync(dirname(endpoint));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^[\da-f]{32}\.json$/.test(name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function asStoredToken(value: unknown): StoredToken | undefined {
  const { endpoint, clientId, scopes, accessToken, expires } = Object(value) as Partial<StoredToken>;
  const isWhole =
    [endpoint, clientId, accessToken].every((text) => typeof text === 'string') &&
    typeof expires === 'number' &&
    Array.isArray(scopes) &&
    scopes.every((scope) => typeof scope === 'string');
  return isWhole ? ({ endpoint, clientId, scopes, accessToken, expires } as StoredToken) : undefined;
}
