import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import type { Behaviour } from './behaviour.ts';
import { IpcPeer } from './ipc.ts';
import { Service } from './service.ts';
import { Session, type Wire, type World } from './session.ts';

/** A running reference server, right or broken. */
export interface ReferenceServer {
  readonly tokenEndpoint: string;
  /** True once it "crashed". */
  readonly isDown: boolean;
  /** Ends every session as the behaviour says, then the server. */
  stop(): Promise<void>;
}

/** What a reference server is made of. */
export interface ServerOptions {
  readonly behaviour: Behaviour;
  /** Path of a socket, or a port for a WebSocket. */
  readonly at: { readonly path: string } | { readonly port: number };
  readonly deadlineMs: number;
  /** What lasts beyond one run. */
  readonly memory?: Set<string>;
}

const FORGETTING_CAPACITY = 30;
/** As many silent peers as one case brings. */
const SILENT_PLACES = 40;

/** Starts one. */
export async function startServer(options: ServerOptions): Promise<ReferenceServer> {
  const { behaviour, at } = options;
  const service = new Service(behaviour);
  const tokenEndpoint = await service.listen();
  const sockets = new Set<Socket>();
  const peers = new Set<IpcPeer>();
  const sessions = new Set<Session>();
  let isDown = false;
  let opened = 0;
  const down = () => {
    isDown = true;
    server.close();
    for (const socket of sockets) socket.destroy();
    service.close();
  };
  const world: World = { behaviour, service, sessions, crash: down, memory: options.memory ?? new Set() };
  service.onRevoked((tokens) => {
    for (const session of sessions) {
      if (tokens.some((token) => token.value === session.token)) session.problem('revoked');
    }
  });
  const accept = (socket: Socket) => {
    sockets.add(socket);
    opened++;
    socket.on('close', () => {
      sockets.delete(socket);
      if (!behaviour.traits.has('leaks-slots')) opened--;
    });
  };
  const server =
    'path' in at
      ? createServer({ allowHalfOpen: true }, (socket) => {
          accept(socket);
          const peer = new IpcPeer(world, socket, options.deadlineMs);
          peers.add(peer);
          socket.on('close', () => peers.delete(peer));
          if (behaviour.traits.has('few-silent-places')) makeRoom(peers);
          const isFull = opened > FORGETTING_CAPACITY;
          if (isFull && (behaviour.traits.has('leaks-slots') || behaviour.traits.has('few-slots')))
            peer.stop();
        })
      : createHttpServer().on('connection', accept);
  if ('port' in at) serveWebSocket(server as ReturnType<typeof createHttpServer>, world);
  server.listen('path' in at ? at.path : { port: at.port, host: '127.0.0.1' });
  await once(server, 'listening');
  return {
    tokenEndpoint,
    get isDown() {
      return isDown;
    },
    async stop() {
      for (const peer of peers) peer.stop();
      await new Promise((resolve) => setImmediate(resolve));
      down();
    },
  };
}

/** Of those that have said nothing the oldest goes for a newcomer. */
function makeRoom(peers: Iterable<IpcPeer>): void {
  const silent = [...peers].filter((peer) => peer.isSilent);
  if (silent.length > SILENT_PLACES) silent[0]?.drop();
}

function serveWebSocket(http: ReturnType<typeof createHttpServer>, world: World): void {
  const server = new WebSocketServer({ server: http });
  server.on('connection', (socket, request) => {
    const has = (trait: string) => world.behaviour.traits.has(trait);
    const query = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams;
    const wire: Wire = {
      kind: 'websocket',
      send: (opcode, body) => {
        if (opcode === 1) socket.send(String(body));
        if (opcode === 2) {
          const { code, message } = JSON.parse(String(body)) as { code: number; message: string };
          socket.close(code === 1006 ? 1011 : code, message);
        }
      },
      end: () => undefined,
      destroy: () => socket.terminate(),
    };
    const id = query.get('client_id') ?? '';
    const session = new Session(world, wire, id);
    socket.on('error', () => socket.terminate());
    socket.on('close', () => session.gone());
    const origin = request.headers.origin;
    if (
      (origin !== undefined || !has('no-origin')) &&
      origin !== 'https://discord.com' &&
      !has('any-origin')
    ) {
      session.problem('origin');
      return;
    }
    const encoding = query.get('encoding') ?? (has('encoding-required') ? '' : 'json');
    if (encoding !== 'json') {
      session.problem('encoding');
      return;
    }
    if (query.get('v') !== '1') {
      session.problem('version');
      return;
    }
    if (id === '') {
      session.problem('client-id-missing');
      return;
    }
    if (!/^[1-9]\d{0,19}$/.test(id) && !has('any-client-id')) {
      session.problem('client-id-unknown');
      return;
    }
    socket.on('message', (data: Buffer) => session.onMessage(data));
    session.welcome();
  });
}
