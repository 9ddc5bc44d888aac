import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  encodeLinkFrame,
  encodeNumber,
  FRAME_COST,
  FrameKind,
  LinkDecoder,
  MAX_DATA_BYTES,
} from '../../../src/forward/link/frames.ts';
import { Link, type LinkOptions } from '../../../src/forward/link/link.ts';
import type { Peer } from '../../../src/forward/peer.ts';
import { eventually } from '../../helpers/eventually.ts';
import { RecordingPeer } from './two-links.ts';

type Seen = readonly [kind: string, session: number, length: number];
const NAMES = new Map<number, string>(Object.entries(FrameKind).map(([name, kind]) => [kind, name]));

/** A link between two streams in memory; `write` is called for each of its writes. */
function bench(more: Omit<Partial<LinkOptions>, 'output'> & { readonly output?: PassThrough } = {}) {
  const [input, output] = [new PassThrough(), more.output ?? new PassThrough({ highWaterMark: 1 << 24 })];
  const frames: Seen[] = [];
  const writes: Buffer[] = [];
  const decoder = new LinkDecoder({
    data: (session, bytes) => frames.push(['DATA', session, bytes.length]),
    control: (kind, session, body) => frames.push([NAMES.get(kind) ?? '', session, body.length]),
  });
  output.on('data', (chunk: Buffer) => {
    writes.push(chunk);
    decoder.append(chunk);
  });
  const faults: unknown[] = [];
  const peers: Peer[] = [];
  const link = new Link({
    input,
    output,
    early: new Uint8Array(0),
    opens: 'the other end',
    onSession: (peer) => peers.push(peer),
    onEnd: (fault) => faults.push(fault),
    ...more,
  });
  link.start();
  onTestFinished(() => link.end(undefined));
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 8; turn++) await setImmediate();
  };
  return {
    link,
    input,
    output,
    writes,
    peers,
    faults,
    settle,
    frames: () => frames.splice(0),
    send: async (...sent: readonly Uint8Array[]) => {
      input.write(Buffer.concat(sent));
      await settle();
    },
  };
}

const open = (id: number): Uint8Array => encodeNumber(FrameKind.OPEN, id, 0);
const data = (id: number, length: number): Uint8Array =>
  encodeLinkFrame(FrameKind.DATA, id, new Uint8Array(length));
const ack = (cost: number): Uint8Array => encodeNumber(FrameKind.ACK, 0, cost);

describe('a link', () => {
  it('writes the frames of one turn at once: those without bytes first, and a CLOSE behind the bytes of its session', async () => {
    const { link, writes, frames, settle } = bench({ opens: 'this end' });
    const [one, two] = [link.open(1), link.open(2)];
    one?.send(new Uint8Array(5));
    two?.send(new Uint8Array(6));
    one?.abort('why');
    await settle();
    expect(frames()).toEqual([
      ['OPEN', 1, 4],
      ['OPEN', 2, 4],
      ['DATA', 1, 5],
      ['CLOSE', 1, 3],
      ['DATA', 2, 6],
    ]);
    expect([writes.length, link.size]).toEqual([1, 1]);
    two?.end();
    await settle();
    expect(frames()).toEqual([['END', 2, 0]]);
  });

  it('splits the bytes of a session into frames of at most 8 KiB', async () => {
    const { link, frames, settle } = bench({ opens: 'this end' });
    link.open(1)?.send(new Uint8Array(30_000));
    await settle();
    const lengths = frames().map(([, , length]) => length);
    // The first 2 KiB of a round are a turn of their own.
    expect(lengths).toEqual([
      4,
      2048,
      MAX_DATA_BYTES,
      MAX_DATA_BYTES,
      MAX_DATA_BYTES,
      30_000 - 2048 - 3 * MAX_DATA_BYTES,
    ]);
  });

  it('has at most 64 KiB of cost on its way, and what sessions send first as much again', async () => {
    const { link, frames, settle, send } = bench({ opens: 'this end' });
    const total = (): number =>
      frames().reduce((sum, [kind, , length]) => sum + (kind === 'DATA' ? length + FRAME_COST : 0), 0);
    const peers = Array.from({ length: 4 }, () => link.open(1));
    for (const peer of peers) peer?.send(new Uint8Array(64 * 1024));
    await settle();
    const sent = total();
    expect(sent).toBeGreaterThanOrEqual(64 * 1024);
    expect(sent).toBeLessThan(64 * 1024 + MAX_DATA_BYTES + FRAME_COST);
    await send(ack(sent - 64 * 1024 + 1));
    expect(total()).toBeGreaterThan(0);
    let first = 0;
    for (let n = 0; n < 100; n++) {
      link.open(2)?.send(new Uint8Array(1000));
      await settle();
      first += total();
    }
    expect(first).toBeGreaterThanOrEqual(50 * 1024);
    expect(first).toBeLessThan(66 * 1024);
  });

  it('sends nothing more once exactly 64 KiB of cost are on their way', async () => {
    const { link, frames, settle, send } = bench({ opens: 'this end' });
    const [one, two] = [link.open(1), link.open(2)];
    const start = 2048 + 3 * MAX_DATA_BYTES;
    one?.send(new Uint8Array(start + 7680));
    two?.send(new Uint8Array(start + 1000));
    await settle();
    const sent = frames().flatMap(([kind, session, length]) => (kind === 'DATA' ? [[session, length]] : []));
    expect(sent.reduce((sum, [, length = 0]) => sum + length + FRAME_COST, 0)).toBe(64 * 1024);
    expect(sent.at(-1)).toEqual([1, 7680]);
    await send(ack(1));
    expect(frames()).toEqual([['DATA', 2, 1000]]);
  });

  it('confirms bytes with the next write, and at once beyond 8 KiB of cost', async () => {
    const { peers, frames, send } = bench();
    await send(open(1), data(1, 8 * 1024 - FRAME_COST - 1));
    expect(frames()).toEqual([]);
    await send(data(1, 1));
    expect(frames()).toEqual([['ACK', 0, 4]]);
    await send(data(1, 1));
    peers[0]?.join(new RecordingPeer());
    peers[0]?.send(new Uint8Array(1));
    await send();
    expect(frames()).toEqual([
      ['DATA', 1, 1],
      ['ACK', 0, 4],
    ]);
  });

  it('asks twice whether the other end still runs, before it ends', async () => {
    const { faults, frames, settle } = bench({ pingMs: 5 });
    await eventually(() => expect(faults).toEqual(['does not answer']));
    await settle();
    expect(frames()).toEqual([
      ['PING', 0, 0],
      ['PING', 0, 0],
    ]);
  });

  it('writes 32 KiB of frames without bytes at a time', async () => {
    const { writes, send } = bench();
    await send(...Array.from({ length: 4097 }, () => encodeLinkFrame(FrameKind.PING, 0)));
    expect(writes.map(({ length }) => length)).toEqual([32 * 1024, 8]);
  });

  it('answers PING, and ignores frames of sessions that are over', async () => {
    const { frames, faults, send } = bench();
    const kinds = [FrameKind.END, FrameKind.CLOSE].map((kind) => encodeLinkFrame(kind, 9));
    await send(encodeLinkFrame(FrameKind.PING, 0), encodeLinkFrame(FrameKind.PONG, 0), ...kinds);
    await send(data(9, 5), encodeNumber(FrameKind.CREDIT, 9, 5));
    expect([frames(), faults]).toEqual([[['PONG', 0, 0]], []]);
  });

  it('refuses a session beyond 16,384 with a CLOSE, and counts it as opened', async () => {
    const { link, frames, send, faults } = bench();
    await send(...Array.from({ length: 16_385 }, (_, n) => open(n + 1)));
    expect([link.size, frames()]).toEqual([16_384, [['CLOSE', 16_385, 39]]]);
    await send(open(16_385));
    expect(faults).toEqual(['opened the session 16385 again']);
  });

  it.each<[string, Uint8Array, Pick<Partial<LinkOptions>, 'opens'>, string]>([
    [
      'a session, which only this end opens',
      open(1),
      { opens: 'this end' },
      'opened a session, which only this end may',
    ],
    ['session 0', open(0), {}, 'opened the session 0 again'],
    ['an ACK of what was not sent', ack(1), {}, 'confirmed more bytes than were sent'],
    ['an unknown frame', Uint8Array.of(99, 0, 0, 0, 0, 0, 0, 0), {}, 'sent a frame of the unknown kind 99'],
  ])('ends when the other end sends %s', async (_what, frame, more, fault) => {
    const { faults, send, link } = bench(more);
    await send(frame, frame);
    expect(faults).toEqual([fault]);
    expect([link.open(1), link.size]).toEqual([undefined, 0]);
  });

  it('ends once, normally with its input and with a fault for an error', async () => {
    const ended = bench();
    ended.input.end();
    await ended.settle();
    ended.link.end('late');
    expect(ended.faults).toEqual([undefined]);
    for (const stream of ['input', 'output'] as const) {
      const broken = bench();
      broken[stream].destroy(new Error('EPIPE'));
      await broken.settle();
      expect(broken.faults).toEqual(['hung up']);
    }
  });

  it('reads what came with the hello, and nothing before it is started or after it has ended', async () => {
    const { peers, link, send } = bench({ early: open(1) });
    expect(peers).toHaveLength(1);
    link.start();
    await send(open(2));
    expect(peers).toHaveLength(2);
    link.end(undefined);
    await send(open(3));
    expect(peers).toHaveLength(2);
    const before: Peer[] = [];
    const late = new Link({
      input: new PassThrough(),
      output: new PassThrough(),
      early: open(1),
      opens: 'the other end',
      onSession: (peer) => before.push(peer),
      onEnd: () => {},
    });
    expect(before).toEqual([]);
    late.end(undefined);
    late.start();
    expect(before).toEqual([]);
  });

  it('gives the reason of its end to each session', async () => {
    const { link, peers, send } = bench();
    await send(open(1), open(2));
    const apps = peers.map((peer) => {
      const app = new RecordingPeer();
      peer.join(app);
      return app;
    });
    link.end(undefined, 'It ends.');
    expect(apps.map(({ aborted }) => aborted)).toEqual(['It ends.', 'It ends.']);
    const other = bench();
    await other.send(open(1));
    const app = new RecordingPeer();
    other.peers[0]?.join(app);
    other.input.end();
    await other.settle();
    expect(app.aborted).toBe('The forward has lost its connection. Connect again.');
  });

  it('writes nothing while its last write has not left', async () => {
    const output = new PassThrough({ highWaterMark: 1 });
    output.pause();
    const { link, writes, settle, frames } = bench({ opens: 'this end', output });
    output.pause();
    const one = link.open(1);
    await settle();
    one?.send(new Uint8Array(10));
    await settle();
    one?.send(new Uint8Array(20));
    await settle();
    expect(output.writableLength + output.readableLength).toBeLessThanOrEqual(24);
    output.resume();
    await settle();
    expect(frames().map(([kind]) => kind)).toEqual(['OPEN', 'DATA', 'DATA']);
    expect(writes.length).toBeGreaterThan(1);
  });
});
