import { createHash } from 'node:crypto';
import { existsSync, readdirSync, unlinkSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { writePrivateFile } from '../../../platform/files/private-file.ts';
import { readRegularFile } from '../../../platform/files/read-regular.ts';
import { systemCode } from '../../base/local-error.ts';

/** What a token is kept for. */
export interface TokenKey {
  /** Path of the endpoint that it authenticates at. */
  readonly endpoint: string;
  readonly clientId: string;
  /** As asked for, in any order. */
  readonly scopes: readonly string[];
}

/** What a token has to be for; undefined is anything. */
export type TokenConditions = { readonly [K in keyof TokenKey]?: TokenKey[K] | undefined };

/** One file of the folder. */
interface KeptToken extends TokenKey {
  readonly accessToken: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** Tokens that commands got, each in a file of its own (mode 0600) until it expires. */
export interface KeptTokens {
  /** The token, while it has at least a minute to live. */
  find(key: TokenKey): string | undefined;
  /** Also removes what has expired, and what was for endpoints whose folder is gone. Throws the system's error. */
  keep(key: TokenKey, accessToken: string, expires: number): void;
  /** Removes those that match, all without conditions; returns how many. Throws the system's error. */
  forget(only?: TokenConditions): number;
}

/** More than any token of ours, and less than would be a burden. */
const MAX_FILE_BYTES = 16 * 1024;
/** A token that ends while it is used would only puzzle. */
const MARGIN_MS = 60_000;

/** `folder` is made with the first token; another user's files in it are not believed. */
export function keptTokens(folder: string, now: () => number = Date.now): KeptTokens {
  const read = (name: string): KeptToken | undefined => {
    try {
      const bytes = readRegularFile(join(folder, name), MAX_FILE_BYTES, process.getuid?.());
      return asKept(JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      return undefined;
    }
  };
  /** Of what is there, and of nothing but files of ours. */
  const removeWhere = (isOver: (kept: KeptToken | undefined) => boolean): number => {
    const over = namesIn(folder).filter((name) => isOver(read(name)));
    for (const name of over) unlinkSync(join(folder, name));
    return over.length;
  };
  return {
    find(key) {
      const kept = read(nameOf(key));
      const isIt = kept !== undefined && nameOf(kept) === nameOf(key);
      return isIt && kept.expires - now() > MARGIN_MS ? kept.accessToken : undefined;
    },
    keep(key, accessToken, expires) {
      removeWhere((kept) => kept === undefined || kept.expires <= now() || !mayComeBack(kept.endpoint));
      const { endpoint, clientId, scopes } = key;
      const content: KeptToken = { endpoint, clientId, scopes: sorted(scopes), accessToken, expires };
      // Two commands at once: either token is good.
      writePrivateFile(join(folder, nameOf(key)), `${JSON.stringify(content)}\n`, { unlocked: true });
    },
    forget: (only = {}) => {
      const all = Object.values(only).every((condition) => condition === undefined);
      return removeWhere((kept) => (kept === undefined ? all : matches(kept, only)));
    },
  };
}

/** No part of the name tells what it is for, and none can lead elsewhere. */
function nameOf({ endpoint, clientId, scopes }: TokenKey): string {
  const text = JSON.stringify([endpoint, clientId, sorted(scopes)]);
  return `${createHash('sha256').update(text).digest('hex').slice(0, 32)}.json`;
}

function sorted(scopes: readonly string[]): string[] {
  return [...new Set(scopes)].sort();
}

function matches(kept: KeptToken, { endpoint, clientId, scopes }: TokenConditions): boolean {
  return (
    (endpoint === undefined || kept.endpoint === endpoint) &&
    (clientId === undefined || kept.clientId === clientId) &&
    (scopes === undefined || sorted(kept.scopes).join(' ') === sorted(scopes).join(' '))
  );
}

/** A pipe of Windows has no folder that goes. */
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

function asKept(value: unknown): KeptToken | undefined {
  const { endpoint, clientId, scopes, accessToken, expires } = Object(value) as Partial<KeptToken>;
  const isWhole =
    [endpoint, clientId, accessToken].every((text) => typeof text === 'string') &&
    typeof expires === 'number' &&
    Array.isArray(scopes) &&
    scopes.every((scope) => typeof scope === 'string');
  return isWhole ? ({ endpoint, clientId, scopes, accessToken, expires } as KeptToken) : undefined;
}
