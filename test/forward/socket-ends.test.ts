import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SocketPeer, type SocketSide } from '../../src/forward/socket-peer.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { eventually } from '../helpers/eventually.ts';
import { frameBytes, headerBytes } from '../helpers/frame-bytes.ts';
import { closeIn } from './forwards.ts';
import { connectedSockets, RecordingPeer } from './link/two-links.ts';

const NO_ANSWER =
  'The bridge closed the connection without an answer. All apps of a forward together may have half of its connections.';

/** A socket as the end of a session, its other end, and the partner of the session. */
async function bench(side: SocketSide, { joined = true, reads = true } = {}) {
  const [ours, theirs] = await connectedSockets();
  ours.pause();
  const peer = new SocketPeer(ours, side);
  const partner = new RecordingPeer({ reads });
  if (joined) peer.join(partner);
  const read: Buffer[] = [];
  const state = { ended: false, closed: false };
  theirs.on('data', (chunk) => read.push(chunk));
  theirs.on('end', () => {
    state.ended = true;
  });
  theirs.on('error', () => {});
  theirs.on('close', () => {
    state.closed = true;
  });
  return { peer, partner, ours, theirs, state, read: () => Buffer.concat(read) };
}

const closed = async (socket: Socket): Promise<void> => eventually(() => expect(socket.destroyed).toBe(true));
const hello = frameBytes(Opcode.FRAME, '{"a":1}');

describe('the end of a session at an app', () => {
  it('has its reason as a CLOSE frame between two frames', async () => {
    const { peer, ours, state, read } = await bench('app');
    peer.send(hello);
    peer.abort('The reason.');
    await eventually(() => expect(state.ended).toBe(true));
    expect(read().subarray(0, hello.length)).toEqual(Buffer.from(hello));
    expect(closeIn(read())).toEqual({ code: 1006, message: 'The reason.' });
    expect([peer.send(hello), ours.writable]).toEqual([true, false]);
  });

  it.each<[string, (peer: SocketPeer) => void]>([
    ['within a frame', (peer) => void peer.send(headerBytes(1, 5))],
    ['after the end of what it gets', (peer) => peer.end()],
  ])('has no CLOSE frame %s', async (_what, before) => {
    const { peer, state, read } = await bench('app');
    before(peer);
    peer.abort('The reason.');
    await eventually(() => expect(state.ended).toBe(true));
    expect(closeIn(read())).toBeUndefined();
  });

  it('closes at once without a reason, and takes nothing afterwards', async () => {
    const { peer, ours, partner } = await bench('app');
    peer.abort('');
    peer.abort('again');
    peer.end();
    peer.resume();
    await closed(ours);
    expect(partner.aborted).toBeUndefined();
  });

  it('closes the socket of an app that does not close its own end', async () => {
    const { peer, ours, theirs } = await bench('app');
    theirs.pause();
    peer.abort('The reason.');
    await closed(ours);
    expect(theirs.destroyed).toBe(false);
  });
});

describe('the end of a session at a bridge', () => {
  it('has no CLOSE frame', async () => {
    const { peer, state, read } = await bench('bridge');
    peer.abort('The reason.');
    await eventually(() => expect(state.ended).toBe(true));
    expect(read()).toHaveLength(0);
  });

  it('without a byte of the bridge is a refusal, of which the app gets the reason', async () => {
    const ended = await bench('bridge');
    ended.theirs.end();
    await eventually(() => expect(ended.partner.aborted).toBe(NO_ANSWER));
    const broken = await bench('bridge');
    broken.ours.destroy(new Error('ECONNRESET'));
    await eventually(() => expect(broken.partner.aborted).toBe(NO_ANSWER));
    expect([ended.partner.hasEnded, broken.partner.hasEnded]).toEqual([false, false]);
  });

  it('after an answer, or after the end of the app, is just an end', async () => {
    const answered = await bench('bridge');
    answered.theirs.end('x');
    await eventually(() => expect(answered.partner.hasEnded).toBe(true));
    expect([answered.partner.aborted, String(answered.partner.bytes)]).toEqual([undefined, 'x']);
    answered.peer.end();
    await closed(answered.ours);
    const left = await bench('bridge');
    left.peer.end();
    left.theirs.end();
    await eventually(() => expect(left.partner.hasEnded).toBe(true));
    await closed(left.ours);
    // Both ends were passed on: nothing is left to say.
    expect([answered.partner.aborted, left.partner.aborted]).toEqual([undefined, undefined]);
  });

  it('by a broken connection aborts its partner without a reason once it has answered', async () => {
    const { ours, theirs, partner } = await bench('bridge');
    theirs.write('x');
    await eventually(() => expect(partner.bytes).toHaveLength(1));
    ours.destroy(new Error('ECONNRESET'));
    await eventually(() => expect(partner.aborted).toBe(''));
  });
});

it('a socket that closes before it has a partner aborts the partner', async () => {
  const { peer, ours, partner } = await bench('app', { joined: false });
  ours.destroy();
  await new Promise((resolve) => ours.once('close', resolve));
  peer.join(partner);
  expect(partner.aborted).toBe('');
});

it('a socket reads nothing while its partner is stopped', async () => {
  const { peer, ours, theirs, partner } = await bench('app', { reads: false });
  theirs.write('a');
  await eventually(() => expect(partner.bytes).toHaveLength(1));
  expect(ours.isPaused()).toBe(true);
  theirs.write('b');
  peer.resume();
  await eventually(() => expect(String(partner.bytes)).toBe('ab'));
});

it('a socket stops its partner from 64 KiB on, and lets it continue once everything has left', async () => {
  const { peer, theirs, partner, read } = await bench('app');
  theirs.pause();
  const part = Buffer.alloc(32 * 1024, 'x');
  let sent = part.length;
  while (peer.send(part) && sent < 64 * 1024 * 1024) sent += part.length;
  expect(partner.resumed).toBe(0);
  theirs.resume();
  await eventually(() => expect(partner.resumed).toBe(1));
  await eventually(() => expect(read().length).toBe(sent));
  expect(peer.send(Buffer.from('y'))).toBe(true);
  onTestFinished(() => void theirs.destroy());
});

it.each(['the bridge has ended', 'the app has ended'])(
  'a connection to a bridge that breaks after %s aborts its partner without a reason',
  async (what) => {
    const { peer, ours, theirs, partner } = await bench('bridge');
    if (what === 'the app has ended') peer.end();
    else {
      theirs.end('x');
      await eventually(() => expect(partner.hasEnded).toBe(true));
    }
    ours.destroy(new Error('ECONNRESET'));
    await eventually(() => expect(partner.aborted).toBe(''));
  },
);
