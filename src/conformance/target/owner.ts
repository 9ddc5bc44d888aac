import { once } from 'node:events';
import { lstatSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { verify } from '../failure.ts';
import { OPCODES } from '../tables.ts';
import type { Connection } from '../wire/connection.ts';
import { FrameReader, frameBytes } from '../wire/frame.ts';
import { connectIpc } from '../wire/ipc.ts';

/**
 * Reaction of a server that already owns an endpoint: it answers PING, stays silent, closes immediately, or is too busy
 * to accept.
 */
export type OwnerKind = 'answering' | 'silent' | 'closing' | 'busy';

/** Live server of another program at an endpoint. */
export interface Owner {
  readonly path: string;
  /** Verifies that the endpoint still belongs to this server. */
  verifyUnchanged(): Promise<void>;
  close(): Promise<void>;
}

/** Occupies an endpoint as another server would. */
export async function takeEndpoint(path: string, kind: OwnerKind): Promise<Owner> {
  const stop = kind === 'busy' ? await listenBusy(path) : await listen(path, kind);
  const { ino } = lstatSync(path);
  return {
    path,
    verifyUnchanged: async () => {
      let now: number | undefined;
      try {
        now = lstatSync(path).ino;
      } catch {
        now = undefined;
      }
      const actual = now === undefined ? 'it is gone' : 'another file is there';
      verify(now === ino, `the live socket of another server (${kind}) to stay at its path`, actual);
    },
    close: stop,
  };
}

async function listen(path: string, kind: Exclude<OwnerKind, 'busy'>): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    if (kind === 'closing') socket.destroy();
    if (kind !== 'answering') return;
    const reader = new FrameReader();
    socket.on('data', (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) {
        if (frame.opcode === OPCODES.PING) socket.write(frameBytes(OPCODES.PONG, frame.body));
        if (frame.opcode === OPCODES.CLOSE) socket.end();
      }
    });
  });
  server.listen(path);
  await once(server, 'listening');
  return async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
}

const BUSY_SOURCE = `
const { parentPort, workerData } = require('node:worker_threads');
require('node:net').createServer().listen({ path: workerData, backlog: 1 }, () => {
  parentPort.postMessage('listening');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});`;

/** Listens in a thread that never accepts, and fills its backlog. */
async function listenBusy(path: string): Promise<() => Promise<void>> {
  const worker = new Worker(BUSY_SOURCE, { eval: true, workerData: path });
  await once(worker, 'message');
  const waiting: Connection[] = [];
  for (let count = 0; count < 8; count++) {
    try {
      waiting.push(await connectIpc(path, 500));
    } catch {
      break;
    }
  }
  return async () => {
    for (const connection of waiting) connection.destroy();
    await worker.terminate();
  };
}
