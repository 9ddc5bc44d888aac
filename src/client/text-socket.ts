import { parseUrl } from '../base/url.ts';
import { LOOPBACK } from './http.ts';

/** Members of a WebSocket, of a page or of Node, that this library uses. */
export interface TextSocket {
  readonly readyState: number;
  /** Unsent data (bytes). */
  readonly bufferedAmount: number;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  onerror: (() => void) | null;
  send(text: string): void;
  close(code?: number): void;
  /** Closes the WebSocket without waiting for the peer; some WebSockets lack this method. */
  readonly terminate?: () => void;
}

/** Creates a connecting WebSocket. */
export type MakeSocket = new (address: string) => TextSocket;

/** `readyState` of a connected WebSocket. */
export const OPEN = 1;

/** Throws TypeError for an address that no token may be sent to; `name` is the source of the address. */
export function checkSocketAddress(name: string, address: string): void {
  const { protocol, hostname } = parseUrl(address) ?? {};
  const isSafe = protocol === 'wss:' || (protocol === 'ws:' && LOOPBACK.test(hostname ?? ''));
  if (!isSafe) throw new TypeError(`${name}: must be a wss address, or ws on this machine`);
}

/** The built-in WebSocket; undefined before Node 22. */
export function ownWebSocket(): MakeSocket | undefined {
  return (globalThis as { readonly WebSocket?: MakeSocket }).WebSocket;
}
