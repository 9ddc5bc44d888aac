import type { PageRefusal } from '../journal/entry.ts';
import { originProblem } from './origin-list.ts';

/** Characters that no shell interprets. */
const PLAIN = /^[\w+./:-]*$/;
/** Characters that are safe between quotation marks; they include those of IPv6 addresses. */
const QUOTABLE = /^[\w+./:[\]-]*$/;

/** Remedy for a page that was refused: the command that allows it, or an alternative. */
export function remedyFor({
  over,
  why,
  origin,
  clientId,
}: Omit<PageRefusal, 'application' | 'remedy'>): string {
  switch (why) {
    case 'host':
      return 'connect to 127.0.0.1 or localhost: the request was for another host';
    case 'encoding':
      return 'send encoding=json, or no encoding';
    case 'frame':
      return 'the HANDSHAKE of an app needs the frame_id of its address and its own client_id';
    case 'origin':
      if (over === 'postmessage')
        return 'open the activity at its own address; no other page may connect to it';
      return origin === null
        ? 'send one Origin header, as a browser does; a program connects to the IPC endpoint instead'
        : allowing(clientId, origin);
  }
}

function allowing(clientId: string | null, origin: string): string {
  const problem = originProblem(origin);
  if (problem !== undefined) return `it cannot be allowed: ${problem}`;
  // The origin comes from a peer, so the command line may contain it only if a shell cannot interpret it.
  if (!QUOTABLE.test(origin)) return 'it cannot be allowed by a printed command: its name needs quoting';
  const argument = PLAIN.test(origin) ? origin : `"${origin}"`;
  const command = `footbridge origins add ${clientId ?? 'CLIENT_ID'} ${argument}`;
  return clientId === null ? `${command} (CLIENT_ID is the id of the page's application)` : command;
}
