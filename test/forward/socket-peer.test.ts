import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { SocketPeer } from '../../src/forward/socket-peer.ts';
import { RecordingPeer } from './link/two-links.ts';

/** A socket that takes bytes when it is told to, and says so later. */
function slowSocket() {
  const writes: number[][] = [];
  const callbacks: (() => void)[] = [];
  const socket = Object.assign(new EventEmitter(), {
    writableLength: 0,
    resume() {},
    write(bytes: Uint8Array, done: () => void) {
      writes.push([...bytes]);
      socket.writableLength += bytes.length;
      callbacks.push(done);
    },
  });
  return {
    socket,
    writes,
    taken: () => {
      for (const done of callbacks.splice(0)) done();
    },
  };
}

it('bytes keep their order while a socket has taken all and has not said so yet, and small ones share a write', () => {
  const { socket, writes, taken } = slowSocket();
  const peer = new SocketPeer(socket as unknown as Socket, 'bridge');
  const sent = Array.from({ length: 3000 }, (_, at) => at % 251);
  for (const [at, byte] of sent.entries()) {
    // Between the two, `writableLength` is 0 already.
    if (at === 1500) socket.writableLength = 0;
    peer.send(Uint8Array.of(byte));
  }
  taken();
  expect(writes.flat()).toEqual(sent);
  expect(writes.length).toBeLessThanOrEqual(3);
});

it('a partner that was stopped goes on once the socket has taken what waited, too', () => {
  const { socket, writes, taken } = slowSocket();
  const peer = new SocketPeer(socket as unknown as Socket, 'bridge');
  const partner = new RecordingPeer();
  peer.join(partner);
  const part = new Uint8Array(40 * 1024);
  expect([peer.send(part), peer.send(part)]).toEqual([true, false]);
  socket.writableLength = 0;
  taken();
  expect([writes.length, partner.resumed]).toEqual([2, 0]);
  socket.writableLength = 0;
  taken();
  expect(partner.resumed).toBe(1);
});
