import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';

/** What a host page was told, and how it answers. */
export interface OpenPage {
  readonly socket: WebSocket;
  /** What the frame's address tells the app. */
  readonly query: URLSearchParams;
  /** Lets the page in again. */
  readonly key: string;
  /** Says `[opcode, payload]` as the frame would. */
  say(opcode: number, payload: unknown): void;
  /** What is said to the frame next; undefined once the page has ended. */
  hear(): Promise<readonly [number, unknown] | undefined>;
}

/** Where a page is: port, host, and the key of its address. */
export function placeOf(address: string): {
  readonly port: number;
  readonly host: string;
  readonly key: string;
} {
  const { port, host, pathname, hash } = new URL(address);
  expect(pathname).toBe('/.footbridge/activity');
  return { port: Number(port), host, key: hash.slice(1) };
}

/** Opens the WebSocket of a host page, as its script does. Rejects with the status that refuses it. */
export async function openPage(address: string, origin?: string): Promise<OpenPage> {
  const { port, host, key } = placeOf(address);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/.footbridge/rpc?key=${key}`, {
    headers: { host },
    origin: origin ?? `http://${host}`,
  });
  onTestFinished(() => socket.terminate());
  const heard: (readonly [number, unknown])[] = [];
  const takers: ((said: readonly [number, unknown] | undefined) => void)[] = [];
  const first = await new Promise<{ readonly query: string; readonly key: string }>((resolve, reject) => {
    socket.on('unexpected-response', (_request, { statusCode }) => reject(new Error(String(statusCode))));
    socket.on('error', reject);
    socket.on('close', () => {
      for (const take of takers.splice(0)) take(undefined);
    });
    socket.on('message', (data) => {
      const said = JSON.parse((data as Buffer).toString('utf8')) as
        | { query: string; key: string }
        | [number, unknown];
      if (!Array.isArray(said)) return resolve(said);
      const take = takers.shift();
      if (take) take(said);
      else heard.push(said);
    });
  });
  return {
    socket,
    query: new URLSearchParams(first.query),
    key: first.key,
    say: (opcode, payload) => socket.send(JSON.stringify([opcode, payload])),
    hear: () => {
      const said = heard.shift();
      if (said !== undefined || socket.readyState !== WebSocket.OPEN) return Promise.resolve(said);
      return new Promise((resolve) => takers.push(resolve));
    },
  };
}

/** An answer to a request of a browser. */
interface FrameAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Asks the host of a page for a path. */
export function askFrame(
  address: string,
  path: string,
  { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: object; body?: string } = {},
): Promise<FrameAnswer> {
  const { port, host } = placeOf(address);
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, path, method, headers: { host, ...headers }, agent: false },
      (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }),
        );
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

/** The app's own server: it says what it was asked, and echoes over WebSocket. Returns `127.0.0.1:PORT`. */
export async function appServer(
  answer?: (request: IncomingMessage, body: string) => { status?: number; headers?: object; body: string },
): Promise<string> {
  const server: Server = createServer((asked, response) => {
    let text = '';
    asked.on('data', (chunk) => {
      text += chunk;
    });
    asked.on('end', () => {
      const { method, url, headers } = asked;
      const told = answer?.(asked, text) ?? { body: JSON.stringify({ method, url, headers, body: text }) };
      response.writeHead(told.status ?? 200, { ...told.headers }).end(told.body);
    });
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, { url }) => {
    socket.on('message', (data) => socket.send(`${url} ${(data as Buffer).toString('utf8')}`));
  });
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
