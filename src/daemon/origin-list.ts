import { LocalError } from '../base/local-error.ts';
import { parseUrl } from '../base/url.ts';
import { isClientSite } from '../protocol/client-site.ts';
import type { OriginPolicy } from '../transport/gate.ts';

/** Value of {@link OriginEntry.clientId} that allows any app. Only for the chat client's own web site. */
export const ANY_APP = '*';

/** Name of the list's file in the data folder. */
export const ORIGINS_FILE = 'origins.json';

/** One permission: pages of this origin may connect as this app. */
export interface OriginEntry {
  /** The app's id, or {@link ANY_APP}. */
  readonly clientId: string;
  /** The origin in the format of the header that browsers send: `scheme://host[:port]`. */
  readonly origin: string;
}

/** The origins that the user allowed. Immutable: each change creates a new list. */
export interface OriginList {
  readonly entries: readonly OriginEntry[];
  readonly allows: OriginPolicy;
}

/** A known overlay program that users can add by its name. */
export interface OriginPreset {
  /** One line for the user. */
  readonly summary: string;
  readonly entries: readonly OriginEntry[];
  /** True if the overlay's programs read the user from READY, which the documentation does not permit. */
  readonly readyUser?: true;
}

const STREAMKIT = '207646673902501888';
const OVERLAYED = '905987126099836938';

/** Known overlays, by the name under which they are added. */
export const originPresets: { readonly [name: string]: OriginPreset } = {
  streamkit: {
    summary: 'the StreamKit overlay, and desktop overlays that use its id',
    readyUser: true,
    entries: [
      { clientId: STREAMKIT, origin: 'http://localhost:3000' },
      { clientId: STREAMKIT, origin: 'https://streamkit.discord.com' },
    ],
  },
  overlayed: {
    summary: 'the Overlayed desktop overlay',
    entries: [{ clientId: OVERLAYED, origin: 'https://api.overlayed.dev' }],
  },
  discord: {
    summary: "the chat client's own web site, for every app",
    entries: ['https://discord.com', 'https://ptb.discord.com', 'https://canary.discord.com'].map(
      (origin) => ({ clientId: ANY_APP, origin }),
    ),
  },
};

/** Whether READY names the user to a page of this origin: only when the origin belongs to a preset with `readyUser`. */
export const expectsReadyUser: OriginPolicy = (clientId, origin) =>
  Object.values(originPresets).some(
    ({ readyUser, entries }) =>
      readyUser && entries.some((entry) => entry.clientId === clientId && entry.origin === origin),
  );

/**
 * Builds the list without duplicates. Throws `LocalError` FOOTBRIDGE_ORIGIN as {@link checkOriginEntry} does. Origins
 * match only as exact strings: no prefix, no other case, no trailing slash, and never `null`.
 */
export function createOriginList(entries: readonly OriginEntry[]): OriginList {
  const allowed = new Map<string, OriginEntry>();
  for (const entry of entries) {
    checkOriginEntry(entry);
    // A space is a safe separator: neither an id nor a checked origin contains one.
    allowed.set(`${entry.clientId} ${entry.origin}`, { clientId: entry.clientId, origin: entry.origin });
  }
  const known = new Set([...allowed.values()].map(({ origin }) => origin));
  return {
    entries: [...allowed.values()],
    allows(clientId, origin) {
      if (clientId === undefined) return known.has(origin);
      return allowed.has(`${clientId} ${origin}`) || allowed.has(`${ANY_APP} ${origin}`);
    },
  };
}

/** Whether an entry is valid for a list. */
export function isOriginEntry(entry: OriginEntry): boolean {
  try {
    checkOriginEntry(entry);
    return true;
  } catch {
    return false;
  }
}

/** Throws `LocalError` FOOTBRIDGE_ORIGIN for an invalid entry; the message names the mistake and the correct form. */
export function checkOriginEntry({ clientId, origin }: OriginEntry): void {
  if (clientId !== ANY_APP && !/^[1-9]\d{0,19}$/.test(clientId)) {
    throw originError(`${quote(clientId)} is not an application id. Write the decimal id of the app`);
  }
  const problem = originProblem(origin);
  if (problem !== undefined) throw originError(`${quote(origin)} is not an origin: ${problem}`);
  if (clientId === ANY_APP && !isClientSite(origin)) {
    throw originError(
      `${origin} cannot be allowed for every app, only the chat client's own web site can. Name the app's id`,
    );
  }
}

/**
 * Scheme, host (a name, an IPv4 address or a bracketed IPv6 address) and optional port. Any scheme is possible, because
 * desktop shells have their own.
 */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])(?::\d{1,5})?$/;

/**
 * Adds the probable scheme to a host without one: `http` for this machine, whose pages are rarely served with a
 * certificate.
 */
function withScheme(origin: string): string {
  const isHost = /^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i.test(origin);
  const scheme = /^(?:localhost|127\.\d|\[)/i.test(origin) ? 'http' : 'https';
  const meant = isHost ? parseUrl(`${scheme}://${origin}`) : undefined;
  return meant === undefined ? 'https://example.com' : meant.origin;
}

/** Reason why an origin cannot be in a list, as a clause with the remedy; undefined for a valid origin. */
export function originProblem(origin: string): string | undefined {
  if (origin === 'null') {
    return 'every sandboxed frame and local file sends it. Serve the page from a host of its own';
  }
  if (origin.includes('*')) return 'wildcards are not supported. Add each origin by itself';
  const shape = 'Write scheme://host[:port] as a browser sends it';
  if (origin.length > 255) return `it has more than 255 characters. ${shape}`;
  const canonical = /^https?:/i.test(origin) ? parseUrl(origin)?.origin : undefined;
  if (canonical === origin) return undefined;
  if (canonical !== undefined) return `a browser sends it as ${canonical}. ${shape}`;
  return ORIGIN.test(origin) && !/^https?:/.test(origin)
    ? undefined
    : `it has no scheme, or more than scheme, host and port. ${shape}, for example ${withScheme(origin)}`;
}

function originError(problem: string): LocalError {
  return new LocalError('FOOTBRIDGE_ORIGIN', `${problem}.`);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
