import { LOOPBACK } from '../client/http.ts';

/** What is used of a WebSocket, that of a browser or of Node. */
export interface TextSocket {
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number }) => void) | null;
  onerror: (() => void) | null;
  send(text: string): void;
  close(code?: number): void;
}

/** No message of the service is larger (bytes). */
const MOST_BYTES = 16 * 1024 * 1024;

/** Connects. Node has a WebSocket of its own from version 22 on. Throws TypeError for an address that no token may be sent to. */
export async function openSocket(address: string): Promise<TextSocket> {
  const { protocol, hostname } = new URL(address);
  if (protocol !== 'wss:' && !(protocol === 'ws:' && LOOPBACK.test(hostname)))
    throw new TypeError('gateway: must be a wss address, or ws on this machine');
  const known = (globalThis as { readonly WebSocket?: new (address: string) => TextSocket }).WebSocket;
  const socket = known === undefined ? await socketOfNode(address) : new known(address);
  // From the first moment on: one that is closed before it is open says so, and its end is told anyway.
  socket.onerror = () => {};
  return socket;
}

async function socketOfNode(address: string): Promise<TextSocket> {
  const { WebSocket } = await import('ws');
  return new WebSocket(address, {
    maxPayload: MOST_BYTES,
    perMessageDeflate: false,
  }) as unknown as TextSocket;
}
