import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Opcode } from '../../src/wire/codes.ts';
import type { Frame } from '../../src/wire/frame.ts';
import type { PeerLink } from './app-peer.ts';

/** A plain socket to the bridge, with a parser of its own. */
export interface RawPeer extends PeerLink {
  readonly socket: Socket;
  /** Says that no more will be sent, and goes on reading. */
  readonly halfClose: () => void;
}

/** Connects; `reading: false` leaves everything in the socket until `socket.resume()`. */
export async function rawPeer(path: string, { reading = true } = {}): Promise<RawPeer> {
  const socket = connect({ path, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject).once('connect', resolve);
  });
  socket.on('error', () => {});
  const frames: Frame[] = [];
  let ended = false;
  let wake = (): void => {};
  let buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    while (buffer.length >= 8 && buffer.length >= 8 + buffer.readInt32LE(4)) {
      const end = 8 + buffer.readInt32LE(4);
      frames.push({ opcode: buffer.readInt32LE(0) as Opcode, body: buffer.subarray(8, end) });
      buffer = buffer.subarray(end);
    }
    wake();
  });
  if (!reading) socket.pause();
  const over = () => {
    ended = true;
    wake();
  };
  socket.once('end', over).once('close', over);
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    async receive() {
      while (frames.length === 0 && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return frames.shift();
    },
    end: () => void socket.destroy(),
    halfClose: () => void socket.end(),
  };
}
