import { describe, expect, it } from 'vitest';
import { CREDIT_BYTES } from '../../../src/forward/link/frames.ts';
import { LinkPeer } from '../../../src/forward/link/link-peer.ts';
import { RecordingPeer } from './two-links.ts';

const KIB = 1024;

function bench({ joined = true, reads = true } = {}) {
  const calls: string[] = [];
  const peer = new LinkPeer(7, {
    wants: () => calls.push('wants'),
    credit: (_peer, bytes) => calls.push(`credit ${bytes}`),
    finished: () => calls.push('finished'),
  });
  const partner = new RecordingPeer({ reads });
  if (joined) peer.join(partner);
  const target = Buffer.alloc(256 * KIB);
  return {
    peer,
    partner,
    calls,
    target,
    take: (max = 256 * KIB) => peer.take(target, 0, max),
    log: () => calls.splice(0),
  };
}

const bytes = (length: number, value = 1): Uint8Array => new Uint8Array(length).fill(value);

describe('what a session of a link sends', () => {
  it('stops its partner beyond 16 KiB, and continues once everything was taken', () => {
    const { peer, partner, take } = bench();
    expect(peer.send(bytes(16 * KIB))).toBe(true);
    expect(peer.send(bytes(1))).toBe(false);
    expect([take(), partner.resumed]).toEqual([16 * KIB, 0]);
    expect([take(), partner.resumed]).toEqual([1, 1]);
    expect([take(), partner.resumed]).toEqual([0, 1]);
  });

  it('is copied in its order, and no more than it may be', () => {
    const { peer, target, take } = bench();
    peer.send(Uint8Array.of(1, 2, 3));
    peer.send(Uint8Array.of(4));
    expect([peer.sendable, take(2), target[0], target[1]]).toEqual([3, 2, 1, 2]);
    expect([peer.sendable, take(), target[0]]).toEqual([1, 1, 3]);
    expect([take(), target[0], peer.sendable]).toEqual([1, 4, 0]);
  });

  it('is refused from the other end once that end has ended its direction', () => {
    const { peer, partner } = bench();
    expect(peer.received(bytes(1))).toBe(true);
    peer.ended();
    expect(peer.received(bytes(1))).toBe(false);
    expect([partner.bytes.length, partner.hasEnded]).toEqual([1, true]);
  });

  it('is limited by the credit of the other end', () => {
    const { peer, take, log } = bench();
    peer.send(bytes(CREDIT_BYTES));
    peer.send(bytes(5));
    expect([take(), peer.sendable, take()]).toEqual([CREDIT_BYTES, 0, 0]);
    log();
    expect([peer.credited(3), log(), peer.sendable]).toEqual([true, ['wants'], 3]);
    take();
    expect(peer.credited(CREDIT_BYTES)).toBe(true);
    expect(peer.credited(1)).toBe(false);
  });

  it('does not ask for a turn for credit without bytes', () => {
    const { peer, take, log } = bench();
    peer.send(bytes(1));
    take();
    log();
    expect([peer.credited(1), log()]).toEqual([true, []]);
  });

  it('ends with END after the last byte, and takes nothing afterwards', () => {
    const { peer, take, log } = bench();
    peer.send(bytes(1));
    peer.end();
    peer.end();
    expect(log()).toEqual(['wants', 'wants']);
    expect([peer.hasEnding, peer.takeEnding()]).toEqual([false, undefined]);
    take();
    expect([peer.hasEnding, peer.takeEnding()]).toEqual([true, { kind: 'end' }]);
    expect([peer.hasEnding, peer.takeEnding(), peer.send(bytes(9)), peer.sendable]).toEqual([
      false,
      undefined,
      true,
      0,
    ]);
    expect(log()).toEqual([]);
  });

  it('ends with CLOSE and the first reason after the last byte, and is then finished', () => {
    const { peer, take, log } = bench();
    peer.send(bytes(1));
    peer.end();
    peer.abort('first');
    peer.abort('second');
    expect(log()).toEqual(['wants', 'wants', 'wants']);
    expect(peer.takeEnding()).toBeUndefined();
    take();
    expect([peer.hasEnding, peer.takeEnding()]).toEqual([true, { kind: 'close', reason: 'first' }]);
    expect([peer.hasEnding, log()]).toEqual([false, ['finished']]);
    peer.abort('third');
    expect([log(), peer.takeEnding()]).toEqual([['finished'], undefined]);
  });
});

describe('what a session of a link receives', () => {
  it('reaches its partner, which allows more once it has taken half of the credit', () => {
    const { peer, partner, log } = bench();
    peer.received(bytes(CREDIT_BYTES / 2 - 1));
    expect(log()).toEqual([]);
    peer.received(bytes(1, 2));
    expect([log(), partner.bytes.length, partner.bytes.at(-1)]).toEqual([
      [`credit ${CREDIT_BYTES / 2}`],
      CREDIT_BYTES / 2,
      2,
    ]);
    expect(peer.received(bytes(CREDIT_BYTES))).toBe(true);
    expect(log()).toEqual([`credit ${CREDIT_BYTES}`]);
  });

  it('is allowed anew only once the partner reads', () => {
    const { peer, log } = bench({ reads: false });
    expect(peer.received(bytes(CREDIT_BYTES))).toBe(true);
    expect(log()).toEqual([]);
    peer.resume();
    peer.resume();
    expect(log()).toEqual([`credit ${CREDIT_BYTES}`]);
    expect([peer.received(bytes(CREDIT_BYTES)), peer.received(bytes(1))]).toEqual([true, false]);
  });

  it('waits for a partner, with its end', () => {
    const { peer, partner, log } = bench({ joined: false });
    peer.received(bytes(1, 1));
    peer.received(bytes(2, 2));
    peer.ended();
    peer.ended();
    peer.join(partner);
    expect([[...partner.bytes], partner.hasEnded, log()]).toEqual([[1, 2, 2], true, []]);
  });

  it('may be an END alone, before there is a partner', () => {
    const { peer, partner } = bench({ joined: false });
    peer.ended();
    peer.join(partner);
    expect([partner.hasEnded, partner.bytes.length]).toEqual([true, 0]);
  });

  it('may not follow its END, after which nothing is allowed anew', () => {
    const { peer, partner, log } = bench({ reads: false });
    peer.received(bytes(CREDIT_BYTES));
    peer.ended();
    expect(partner.hasEnded).toBe(true);
    peer.resume();
    expect([log(), peer.received(bytes(1))]).toEqual([[], false]);
  });

  it('is dropped once the session was aborted here, as far as it was allowed', () => {
    const { peer, partner } = bench();
    peer.abort('x');
    expect([peer.received(bytes(CREDIT_BYTES)), peer.received(bytes(1))]).toEqual([true, false]);
    expect(partner.bytes).toHaveLength(0);
  });
});

describe('the end of a session of a link', () => {
  it('needs END in both directions, in any order', () => {
    const one = bench();
    one.peer.ended();
    expect([one.partner.hasEnded, one.log()]).toEqual([true, []]);
    one.peer.end();
    one.peer.takeEnding();
    expect(one.log()).toEqual(['wants', 'finished']);
    const two = bench();
    two.peer.end();
    two.peer.takeEnding();
    expect(two.log()).toEqual(['wants']);
    two.peer.ended();
    expect(two.log()).toEqual(['finished']);
  });

  it('by a CLOSE drops what waits and passes the reason on', () => {
    const { peer, partner, log } = bench();
    peer.send(bytes(5));
    log();
    peer.closed('gone');
    expect([partner.aborted, log(), peer.sendable, peer.hasEnding]).toEqual(['gone', ['finished'], 0, false]);
    expect([peer.send(bytes(1)), peer.sendable, peer.received(bytes(1)), partner.bytes.length]).toEqual([
      true,
      0,
      true,
      0,
    ]);
  });

  it('by a CLOSE before it has a partner counts until then, and drops what came before', () => {
    const { peer, partner, log } = bench({ joined: false });
    peer.received(bytes(3));
    peer.closed('gone');
    expect(log()).toEqual([]);
    peer.join(partner);
    expect([partner.aborted, partner.bytes.length, log()]).toEqual(['gone', 0, ['finished']]);
  });
});

it.each(['CLOSE is on its way', 'CLOSE was sent'])(
  'bytes of a session whose %s reach nobody, as far as they were allowed',
  (when) => {
    const { peer, partner } = bench();
    peer.abort('x');
    if (when === 'CLOSE was sent') peer.takeEnding();
    expect([peer.received(bytes(CREDIT_BYTES)), partner.bytes.length]).toEqual([true, 0]);
    expect(peer.received(bytes(1))).toBe(false);
  },
);

it('a session that ended before it had a partner gives it the reason, and no bytes', () => {
  const { peer, partner, log } = bench({ joined: false });
  peer.received(bytes(3));
  peer.closed('The reason.');
  expect(log()).toEqual([]);
  peer.join(partner);
  expect([partner.aborted, partner.bytes.length, partner.hasEnded, log()]).toEqual([
    'The reason.',
    0,
    false,
    ['finished'],
  ]);
});

it.each([
  ['this end last', ['ended', 'end'] as const],
  ['the other end last', ['end', 'ended'] as const],
])('a session that ended in both directions is finished, %s', (_which, order) => {
  const { peer, log } = bench();
  for (const one of order) {
    peer[one]();
    if (one === 'end') expect(peer.takeEnding()).toEqual({ kind: 'end' });
    if (one === order[0]) expect(log()).not.toContain('finished');
  }
  expect(log()).toContain('finished');
});
