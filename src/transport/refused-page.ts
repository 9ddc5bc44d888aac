import { printable } from '../base/text.ts';

/** Maximum length of an origin in a rule for origins; an origin is foreign text. */
const MAX_ORIGIN_CHARACTERS = 255;

/** A web page, or a program with an Origin header, that a transport refused. */
export interface RefusedPage {
  readonly over: 'websocket' | 'http' | 'postmessage';
  /**
   * Reason of the refusal. `origin`: pages of the origin may not act for the application. `host`: the Host header names
   * another machine. `encoding`: an encoding other than JSON was requested. `frame`: the HANDSHAKE names another frame
   * than the one that sent it.
   */
  readonly why: 'origin' | 'host' | 'encoding' | 'frame';
  /** Origin in the format of {@link originText}; undefined when the header is missing or was sent twice. */
  readonly origin: string | undefined;
  /** Client id of the request; undefined when the request has no valid one. */
  readonly clientId: string | undefined;
}

/**
 * Returns an Origin header as text for logs and displays: one line of at most 255 characters. It omits user, password
 * and query, which no browser sends in this header.
 */
export function originText(header: string): string {
  const query = header.search(/[#?]/);
  const address = query === -1 ? header : `${header.slice(0, query)}…`;
  return printable(address.slice(0, MAX_ORIGIN_CHARACTERS).replace(/\/\/.*@/, '//…@'));
}

/** Describes the refusal of a web page in one line for a log, with at most 200 characters of foreign input. */
export function refusalText({ over, why, origin = 'missing, or sent twice', clientId }: RefusedPage): string {
  return `${DONE[over][why]}; Origin: ${origin.slice(0, 120)}; client id: ${clientId ?? 'unknown'}`;
}

const DONE = {
  websocket: {
    origin: 'WebSocket closed with 4001',
    host: 'WebSocket refused with 403: wrong Host',
    encoding: 'WebSocket closed with 4005: unknown encoding',
    frame: 'WebSocket refused',
  },
  http: {
    origin: '/rpc refused with 404: origin not allowed',
    host: '/rpc refused with 404: wrong Host',
    encoding: '/rpc refused',
    frame: '/rpc refused',
  },
  postmessage: {
    origin: 'page of an activity refused with 403: its Origin is another',
    host: 'page of an activity refused',
    encoding: 'page of an activity refused',
    frame: 'app in an activity closed with 4001: its HANDSHAKE is for another frame',
  },
} as const satisfies Readonly<Record<RefusedPage['over'], Readonly<Record<RefusedPage['why'], string>>>>;
