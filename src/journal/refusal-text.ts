import { printable } from '../base/text.ts';

/** What a text about a refused page is made of. */
export interface RefusalFacts {
  readonly over: string;
  readonly why: string;
  readonly origin: string | null;
  readonly clientId: string | null;
  readonly application: string | null;
  readonly count: number;
}

/** `https://a.example for Tunes (300000000000000002) over websocket: origin not allowed, 3 times`, safe for a terminal. */
export function describeRefusal(refusal: RefusalFacts): string {
  const { over, why, origin, count } = refusal;
  const times = count === 1 ? '' : `, ${count} times`;
  const page = origin ?? 'a request without one Origin';
  return printable(`${page} for ${applicationText(refusal)} over ${over}: ${REASONS[why] ?? why}${times}`);
}

/** `Tunes (300000000000000002)`, as far as it is known. */
function applicationText({ application, clientId }: RefusalFacts): string {
  if (clientId === null) return 'an unknown application';
  return application === null ? `application ${clientId}` : `${application} (${clientId})`;
}

const REASONS: Readonly<Record<string, string>> = {
  origin: 'origin not allowed',
  host: 'wrong Host',
  encoding: 'unknown encoding',
  frame: 'HANDSHAKE of another frame',
};
