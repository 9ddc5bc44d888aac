import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Opcode } from '../../src/wire/codes.ts';
import type { Frame } from '../../src/wire/frame.ts';

const HEADER_BYTES = 8;

/** Hands over each whole frame that a socket brings, read without the code under test; of any length and opcode. */
export function onFrames(socket: Duplex, take: (frame: Frame) => void): void {
  let pending = Buffer.alloc(0);
  // Put together only once a frame is whole: a large one comes in many chunks.
  let chunks: Buffer[] = [];
  let [waiting, needed] = [0, HEADER_BYTES];
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    waiting += chunk.length;
    if (waiting < needed) return;
    pending = Buffer.concat(chunks);
    while (pending.length >= HEADER_BYTES && pending.length >= HEADER_BYTES + pending.readInt32LE(4)) {
      const end = HEADER_BYTES + pending.readInt32LE(4);
      const frame = { opcode: pending.readInt32LE(0) as Opcode, body: pending.subarray(HEADER_BYTES, end) };
      pending = pending.subarray(end);
      take(frame);
    }
    chunks = [pending];
    waiting = pending.length;
    needed = HEADER_BYTES + (waiting < HEADER_BYTES ? 0 : pending.readInt32LE(4));
  });
}

/** A path on which a scripted peer listens, as often as the test says. */
export interface ScriptedEndpoint {
  readonly start: () => Promise<void>;
  /** Drops everybody without a word, stops listening and removes the socket's file. */
  readonly stop: () => Promise<void>;
}

/** Listens on a path once it is started; stopped after the test. */
export function scriptedEndpoint(path: string, accept: (socket: Socket) => void): ScriptedEndpoint {
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  const stop = async (): Promise<void> => {
    const ending = server;
    server = undefined;
    for (const socket of sockets) socket.destroy();
    if (ending) await new Promise((resolve) => ending.close(resolve));
  };
  onTestFinished(stop);
  return {
    async start() {
      const starting = createServer((socket) => {
        sockets.add(socket);
        socket.on('error', () => {}).on('close', () => sockets.delete(socket));
        accept(socket);
      });
      server = starting;
      await new Promise<void>((resolve, reject) => {
        starting.once('error', reject);
        starting.listen(path, resolve);
      });
    },
    stop,
  };
}
