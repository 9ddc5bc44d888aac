import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Frame } from '../../src/wire/frame.ts';
import type { PeerLink } from './app-peer.ts';
import { onFrames } from './framed-socket.ts';

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
  onFrames(socket, (frame) => {
    frames.push(frame);
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
