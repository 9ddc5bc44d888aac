import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { until } from './played-game.ts';

/** What a game said at the gateway. */
export interface Said {
  readonly op: number;
  readonly d: Readonly<Record<string, unknown>>;
}

/** One connection of a game to the gateway, as the service has it. */
export class Peer {
  readonly said: Said[] = [];
  readonly socket: WebSocket;
  #seq = 0;
  isOver = false;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => this.said.push(JSON.parse(data.toString()) as Said));
    socket.on('close', () => {
      this.isOver = true;
    });
  }

  /** What it said of calls. */
  get calls(): object[] {
    return this.said.filter(({ op }) => op === 4).map(({ d }) => d);
  }

  send(payload: unknown): void {
    this.socket.send(typeof payload === 'string' ? payload : JSON.stringify(payload));
  }

  hello(heartbeat_interval: unknown = 60_000): void {
    this.send({ op: 10, d: { heartbeat_interval } });
  }

  /** A dispatch, with the next number unless one is given. */
  tell(t: string, d: object, s = this.#seq + 1): void {
    this.#seq = s;
    this.send({ op: 0, t, s, d });
  }

  /** What is told after the line is given up arrives late: it goes past the socket's own state. */
  tellLate(t: string, d: object, s: number): void {
    const text = Buffer.from(JSON.stringify({ op: 0, t, s, d }));
    const { _socket: line } = this.socket as unknown as { readonly _socket: NodeJS.WritableStream };
    line.write(Buffer.concat([Buffer.from([0x81, 126, text.length >> 8, text.length & 255]), text]));
  }

  close(code: number): void {
    this.socket.close(code);
  }

  async asks(op: number): Promise<Said> {
    await until(() => this.said.some((one) => one.op === op));
    return this.said.find((one) => one.op === op) as Said;
  }
}

/** A service that does what the test says: its gateway with each connection, its HTTP API where it answers true; else 404. */
export async function scriptedService({
  connected = (peer) => peer.hello(),
  answer = () => false,
}: {
  readonly connected?: (peer: Peer, index: number) => void;
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => boolean;
} = {}): Promise<{ readonly api: string; readonly gateway: string; readonly peers: readonly Peer[] }> {
  const server = createServer((request, response) => {
    if (answer(request, response)) return;
    const { port } = server.address() as AddressInfo;
    if (request.url === '/api/gateway') response.end(JSON.stringify({ url: `ws://127.0.0.1:${port}` }));
    else response.writeHead(request.method === 'DELETE' ? 204 : 404).end();
  });
  const peers: Peer[] = [];
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    const peer = new Peer(socket);
    peers.push(peer);
    connected(peer, peers.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { api: `http://127.0.0.1:${port}/api`, gateway: `ws://127.0.0.1:${port}`, peers };
}
