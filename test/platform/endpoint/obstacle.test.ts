import { describe, expect, it } from 'vitest';
import { decideOn } from '../../../platform/endpoint/obstacle.ts';
import type { LiveReason } from '../../../platform/endpoint/ping.ts';

const identity = { dev: 1n, ino: 2n, birth: 3n };
const reasons: LiveReason[] = ['pong', 'talked', 'silent', 'closed', 'backlog-full', 'denied', 'error'];

describe('judge', () => {
  it('returns free for an absent socket and stale for a dead socket of ours, forced or not', () => {
    const stale = { kind: 'stale', identity, uid: 7 } as const;
    for (const force of [false, true]) {
      expect(decideOn({ kind: 'absent' }, 7, force)).toEqual({ kind: 'free' });
      expect(decideOn(stale, 7, force)).toEqual({ kind: 'stale', probe: stale });
    }
  });

  it.each(reasons)(
    'blocks a live socket unless forced (%s), with a distinct explanation for each reason',
    (reason) => {
      const live = { kind: 'live', reason, identity, uid: 7 } as const;
      expect(decideOn(live, 7, false)).toMatchObject({
        kind: 'blocked',
        why: expect.stringContaining('uid 7'),
      });
      expect(decideOn(live, 7, true)).toEqual({ kind: 'takeover' });
      const all = reasons.map((each) => JSON.stringify(decideOn({ ...live, reason: each }, 7, false)));
      expect(new Set(all).size).toBe(reasons.length);
    },
  );

  it('blocks a socket of another user even when forced', () => {
    expect(decideOn({ kind: 'live', reason: 'pong', identity, uid: 8 }, 7, true)).toMatchObject({
      kind: 'blocked',
    });
    expect(decideOn({ kind: 'stale', identity, uid: 8 }, 7, true)).toMatchObject({ kind: 'blocked' });
  });

  it('blocks a socket without a known owner: a pipe or an inaccessible path', () => {
    expect(decideOn({ kind: 'live', reason: 'denied', detail: 'EACCES' }, 7, true)).toMatchObject({
      kind: 'blocked',
      why: expect.stringContaining('EACCES'),
    });
    expect(decideOn({ kind: 'live', reason: 'pong' }, undefined, true)).toMatchObject({ kind: 'blocked' });
  });

  it('returns the owner of a blocked socket', () => {
    const owner = { pid: 9, name: 'arc' };
    expect(decideOn({ kind: 'live', reason: 'pong', identity, uid: 7, owner }, 7, false)).toEqual({
      kind: 'blocked',
      why: 'arc (pid 9) serves it',
      owner,
    });
  });
});
