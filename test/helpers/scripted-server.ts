import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Opcode } from '../../src/wire/codes.ts';
import { frameBytes } from './frame-bytes.ts';
import { onFrames, scriptedEndpoint } from './framed-socket.ts';
import { temporaryFolder } from './sockets.ts';

/** What a client sent, its body parsed; a body that is not JSON is its text. */
export interface ClientFrame {
  readonly opcode: number;
  // biome-ignore lint/suspicious/noExplicitAny: scripts look into bodies of many shapes
  readonly body: any;
}

/** The server's end of one connection. */
export interface ClientPeer {
  readonly socket: Socket;
  /** Everything the client sent. */
  readonly received: readonly ClientFrame[];
  /** The requests among it: the bodies of FRAMEs. */
  requests(cmd?: string): ClientFrame['body'][];
  write(bytes: Uint8Array): void;
  send(opcode: number, body: unknown): void;
  /** One FRAME with the four keys; what is not given is null. */
  payload(parts: { cmd?: string; data?: unknown; evt?: string | null; nonce?: string | null }): void;
  ready(): void;
  dispatch(evt: string, data: unknown): void;
}

/** Called for every frame of every connection. */
export type Script = (frame: ClientFrame, peer: ClientPeer, connection: number) => void;

/** A server whose every byte is the test's. */
export interface ScriptedServer {
  readonly folder: string;
  readonly path: string;
  readonly peers: readonly ClientPeer[];
  /** The last connection. Throws before the first. */
  readonly peer: ClientPeer;
  start(): Promise<void>;
  /** Stops listening, drops everybody and removes the socket's file. */
  stop(): Promise<void>;
}

/** `data` of the READY that scripted servers send. */
export const scriptedReady = {
  v: 1,
  config: { cdn_host: 'cdn.test', api_endpoint: '//localhost/api', environment: 'production' },
  user: { id: '53908232506183680', username: 'mason', discriminator: '0', global_name: null, avatar: null },
};

/** Shakes hands and answers every request with what it was asked, as a well-behaved server does. */
export const wellBehaved: Script = ({ opcode, body }, peer) => {
  if (opcode === Opcode.HANDSHAKE) return peer.ready();
  if (opcode !== Opcode.FRAME) return;
  const { cmd, nonce, evt, args } = body;
  const data = cmd === 'SUBSCRIBE' || cmd === 'UNSUBSCRIBE' ? { evt } : (args.activity ?? args);
  peer.payload({ cmd, nonce, data });
};

/** Listens on `discord-ipc-0` of a temporary folder, unless told where; gone after the test. */
export async function scriptedServer(
  script: Script = wellBehaved,
  path: string = join(temporaryFolder(), 'discord-ipc-0'),
): Promise<ScriptedServer> {
  const peers: ClientPeer[] = [];
  const { start, stop } = scriptedEndpoint(path, (socket) => {
    const connection = peers.length;
    const peer = clientPeer(socket, (frame) => script(frame, peer, connection));
    peers.push(peer);
  });
  const scripted: ScriptedServer = {
    path,
    folder: path.slice(0, path.lastIndexOf('/')),
    peers,
    get peer() {
      const last = peers.at(-1);
      if (last === undefined) throw new Error('nobody has connected');
      return last;
    },
    start,
    stop,
  };
  await start();
  return scripted;
}

function clientPeer(socket: Socket, onFrame: (frame: ClientFrame) => void): ClientPeer {
  const received: ClientFrame[] = [];
  onFrames(socket, ({ opcode, body }) => {
    const frame = { opcode, body: parsed(new TextDecoder().decode(body)) };
    received.push(frame);
    onFrame(frame);
  });
  const peer: ClientPeer = {
    socket,
    received,
    requests: (cmd) =>
      received
        .filter(({ opcode, body }) => opcode === Opcode.FRAME && (!cmd || body.cmd === cmd))
        .map(({ body }) => body),
    write: (bytes) => void socket.write(bytes),
    send: (opcode, body) => peer.write(frameBytes(opcode, JSON.stringify(body))),
    payload: ({ cmd = 'DISPATCH', data = null, evt = null, nonce = null }) =>
      peer.send(Opcode.FRAME, { cmd, data, evt, nonce }),
    ready: () => peer.payload({ evt: 'READY', data: scriptedReady }),
    dispatch: (evt, data) => peer.payload({ evt, data }),
  };
  return peer;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
