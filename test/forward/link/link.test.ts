import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  CREDIT_BYTES,
  encodeLinkFrame,
  encodeNumber,
  FrameKind,
  MAX_DATA_BYTES,
} from '../../../src/forward/link/frames.ts';
import { Link, MAX_SESSIONS } from '../../../src/forward/link/link.ts';
import { joinPeers, type Peer } from '../../../src/forward/peer.ts';
import { eventually } from '../../helpers/eventually.ts';
import { connectedSockets, RecordingPeer, twoLinks } from './two-links.ts';

/** Sends each byte back, and the end, too. */
function echo(peer: Peer): void {
  const partner: Peer = {
    join: () => {},
    send: (bytes) => peer.send(Uint8Array.from(bytes)),
    end: () => peer.end(),
    abort: () => {},
    resume: () => {},
  };
  peer.join(partner);
}

function opened(link: Link): RecordingPeer {
  const peer = link.open(0);
  if (peer === undefined) throw new Error('no session');
  const recording = new RecordingPeer();
  joinPeers(peer, recording);
  return recording;
}

it('sessions keep their bytes, their order and their ends', async () => {
  const anyChunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 3000 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(anyChunks, { minLength: 1, maxLength: 20 }), async (sessions) => {
      const { near, far, ends } = await twoLinks(echo);
      const peers = sessions.map(() => opened(near));
      for (let index = 0; index < 8; index += 1) {
        for (const [session, chunks] of sessions.entries()) {
          const chunk = chunks[index];
          if (chunk !== undefined) peers[session]?.partner?.send(chunk);
        }
      }
      for (const { partner } of peers) partner?.end();
      await eventually(() => expect(peers.every((peer) => peer.hasEnded)).toBe(true));
      for (const [session, chunks] of sessions.entries())
        expect(peers[session]?.bytes.equals(Buffer.concat(chunks))).toBe(true);
      expect([near.size, far.size, ends]).toEqual([0, 0, {}]);
    }),
    { numRuns: 15 },
  );
});

it('a session that is not read holds only its own bytes back', async () => {
  const far: RecordingPeer[] = [];
  const { near } = await twoLinks((peer) => {
    const recording = new RecordingPeer({ reads: far.length > 0 });
    far.push(recording);
    joinPeers(peer, recording);
  });
  const slow = opened(near);
  const quick = opened(near);
  const part = new Uint8Array(MAX_DATA_BYTES).fill(1);
  for (let sent = 0; sent < CREDIT_BYTES * 4; sent += part.length) slow.partner?.send(part);
  expect(slow.partner?.send(part)).toBe(false);
  quick.partner?.send(Buffer.from('small'));
  await eventually(() => expect(far[1]?.bytes.toString()).toBe('small'));
  await eventually(() => expect(far[0]?.bytes.length).toBe(CREDIT_BYTES));
  expect(slow.resumed).toBe(0);
  // Once it is read, the rest follows.
  (far[0] as RecordingPeer).reads = true;
  far[0]?.partner?.resume();
  await eventually(() => expect(far[0]?.bytes.length).toBe(CREDIT_BYTES * 4 + part.length));
  await eventually(() => expect(slow.resumed).toBe(1));
});

it('a session with few bytes does not wait behind the bytes of many flooding sessions', async () => {
  let total = 0;
  let before: number | undefined;
  const { near } = await twoLinks((peer) => {
    let kind: number | undefined;
    const sink: Peer = {
      join: () => {},
      send: (bytes) => {
        kind ??= bytes[0];
        if (kind === 1) total += bytes.length;
        else before ??= total;
        return true;
      },
      end: () => {},
      abort: () => {},
      resume: () => {},
    };
    peer.join(sink);
  });
  const flood = new Uint8Array(CREDIT_BYTES).fill(1);
  for (let count = 0; count < 199; count += 1) opened(near).partner?.send(flood);
  const honest = opened(near);
  honest.partner?.send(new Uint8Array(200).fill(2));
  await eventually(() => expect(total).toBe(199 * CREDIT_BYTES));
  // Each flooding session may send its first 2 KiB of the round before.
  expect(before).toBeLessThan(512 * 1024);
});

it('the reason of a close reaches the app', async () => {
  const { near } = await twoLinks((peer) =>
    peer.abort('The bridge cannot be reached: nobody listens there.'),
  );
  const app = opened(near);
  await eventually(() => expect(app.aborted).toBe('The bridge cannot be reached: nobody listens there.'));
  expect(near.size).toBe(0);
});

it('bytes before a close arrive', async () => {
  const far: RecordingPeer[] = [];
  const { near } = await twoLinks((peer) => {
    const recording = new RecordingPeer();
    far.push(recording);
    joinPeers(peer, recording);
  });
  const app = opened(near);
  const all = Buffer.alloc(40_000, 'x');
  app.partner?.send(all);
  app.partner?.abort('');
  await eventually(() => expect(far[0]?.aborted).toBe(''));
  expect(far[0]?.bytes.equals(all)).toBe(true);
});

it('bytes that come before the bridge is connected wait for it', async () => {
  const found: Peer[] = [];
  const { near } = await twoLinks((peer) => void found.push(peer));
  const app = opened(near);
  app.partner?.send(Buffer.from('handshake'));
  app.partner?.end();
  const other = opened(near);
  other.partner?.send(Buffer.from('x'));
  await eventually(() => expect(found).toHaveLength(2));
  // The bytes of both have arrived once a third session was opened after them.
  opened(near);
  await eventually(() => expect(found).toHaveLength(3));
  const bridge = new RecordingPeer();
  joinPeers(found[0] as Peer, bridge);
  expect([bridge.bytes.toString(), bridge.hasEnded]).toEqual(['handshake', true]);
});

it('the end of a link ends its sessions with the reason', async () => {
  const { near, sockets, ends } = await twoLinks(echo);
  const app = opened(near);
  sockets[1].destroy();
  await eventually(() => expect(app.aborted).toContain('lost its connection'));
  expect(ends.near).toMatch(/ended|hung up/);
  expect(near.open(0)).toBeUndefined();
});

it('a link has a maximum of sessions', async () => {
  const { near } = await twoLinks(echo);
  for (let count = 0; count < MAX_SESSIONS; count += 1) near.open(0);
  expect(near.open(0)).toBeUndefined();
});

const none = new Uint8Array(0);

it.each([
  ['more bytes than allowed', [encodeNumber(FrameKind.OPEN, 1, 0), ...excess(1)], 'more bytes in session 1'],
  [
    'a session twice',
    [encodeNumber(FrameKind.OPEN, 4, 0), encodeNumber(FrameKind.OPEN, 4, 0)],
    'session 4 again',
  ],
  [
    'CREDIT for bytes that were not sent',
    [encodeNumber(FrameKind.OPEN, 1, 0), encodeNumber(FrameKind.CREDIT, 1, 9)],
    'than it took',
  ],
  ['ACK for bytes that were not sent', [encodeNumber(FrameKind.ACK, 0, 9)], 'than were sent'],
  ['bytes that are no frame', [Buffer.from('Connection to host closed.\r\n')], 'unknown kind 67'],
])('an other end that sends %s ends the link', async (_what, frames, problem) => {
  const [one, other] = await connectedSockets();
  const fault = new Promise<string | undefined>((resolve) => {
    const link = new Link({
      input: one,
      output: one,
      early: new Uint8Array(0),
      opens: 'the other end',
      onSession: (peer) => peer.join(new RecordingPeer({ reads: false })),
      onEnd: resolve,
    });
    link.start();
  });
  for (const frame of frames) other.write(frame);
  expect(await fault).toContain(problem);
});

it('an other end that sends PING and reads no PONG ends the link', async () => {
  const [one, other] = await connectedSockets();
  const fault = new Promise<string | undefined>((resolve) => {
    const link = new Link({ input: one, output: one, early: none, opens: 'this end', onEnd: resolve });
    link.start();
  });
  const pings = Buffer.concat(Array.from({ length: 1000 }, () => encodeLinkFrame(FrameKind.PING, 0)));
  for (let count = 0; count < 400; count += 1) other.write(pings);
  expect(await fault).toContain('without reading the answers');
});

it('a session that the other end closes counts until its connection is made or has failed', async () => {
  const [one, other] = await connectedSockets();
  const peers: Peer[] = [];
  const link = new Link({
    input: one,
    output: one,
    early: none,
    opens: 'the other end',
    onSession: (peer) => void peers.push(peer),
    onEnd: () => {},
  });
  link.start();
  for (let id = 1; id <= 3; id += 1) {
    other.write(encodeNumber(FrameKind.OPEN, id, 0));
    other.write(encodeLinkFrame(FrameKind.CLOSE, id));
  }
  other.write(encodeNumber(FrameKind.OPEN, 4, 0));
  await eventually(() => expect(peers).toHaveLength(4));
  expect(link.size).toBe(4);
  const connected = new RecordingPeer();
  peers[0]?.join(connected);
  expect(connected.aborted).toBe('');
  peers[1]?.abort('the bridge is away');
  expect(link.size).toBe(2);
});

/** DATA beyond what a session may send without CREDIT; the partner of the session takes nothing. */
function excess(session: number): Uint8Array[] {
  const frame = encodeLinkFrame(FrameKind.DATA, session, new Uint8Array(MAX_DATA_BYTES));
  return Array.from({ length: CREDIT_BYTES / MAX_DATA_BYTES + 1 }, () => frame);
}

it('only one end opens sessions', async () => {
  const { sockets, ends } = await twoLinks(echo);
  sockets[1].write(encodeNumber(FrameKind.OPEN, 1, 0));
  await eventually(() => expect(ends.near).toContain('opened a session'));
});

it('an other end that hangs ends the link', async () => {
  const [one, other] = await connectedSockets();
  other.pause();
  const fault = await new Promise((resolve) => {
    const link = new Link({
      input: one,
      output: one,
      early: new Uint8Array(0),
      opens: 'this end',
      onEnd: resolve,
      pingMs: 5,
    });
    link.start();
  });
  expect(fault).toBe('does not answer');
});

it('an other end that answers keeps an idle link', async () => {
  const { near, ends } = await twoLinks(echo, { pingMs: 5 });
  const app = opened(near);
  await new Promise((resolve) => setTimeout(resolve, 60));
  app.partner?.send(Buffer.from('still here'));
  await eventually(() => expect(app.bytes.toString()).toBe('still here'));
  expect(ends).toEqual({});
});
