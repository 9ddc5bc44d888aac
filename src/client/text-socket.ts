import { parseUrl } from '../base/url.ts';
import { LOOPBACK } from './http.ts';

/** What is used of a WebSocket, that of a page or of Node. */
export interface TextSocket {
  readonly readyState: number;
  /** What is not sent yet (bytes). */
  readonly bufferedAmount: number;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  onerror: (() => void) | null;
  send(text: string): void;
  close(code?: number): void;
  /** Ends it without waiting for the other side; not every WebSocket can. */
  readonly terminate?: () => void;
}

/** Makes a WebSocket, which connects. */
export type MakeSocket = new (address: string) => TextSocket;

/** `readyState` of one that is connected. */
export const OPEN = 1;

/** Throws TypeError, in the name of what names the address, for one that no token may be sent to. */
export function checkSocketAddress(name: string, address: string): void {
  const { protocol, hostname } = parseUrl(address) ?? {};
  const isSafe = protocol === 'wss:' || (protocol === 'ws:' && LOOPBACK.test(hostname ?? ''));
  if (!isSafe) throw new TypeError(`${name}: must be a wss address, or ws on this machine`);
}

/** The WebSocket that is there without a package; undefined before Node 22. */
export function ownWebSocket(): MakeSocket | undefined {
  return (globalThis as { readonly WebSocket?: MakeSocket }).WebSocket;
}
