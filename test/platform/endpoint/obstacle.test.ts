import { describe, expect, it } from 'vitest';
import { judge } from '../../../platform/endpoint/obstacle.ts';
import type { LiveReason } from '../../../platform/endpoint/ping.ts';

const identity = { dev: 1n, ino: 2n, birth: 3n };
const reasons: LiveReason[] = ['pong', 'talked', 'silent', 'closed', 'backlog-full', 'denied', 'error'];

describe('judge', () => {
  it('frees an empty place and a dead socket of ours, forced or not', () => {
    const stale = { kind: 'stale', identity, uid: 7 } as const;
    for (const force of [false, true]) {
      expect(judge({ kind: 'absent' }, 7, force)).toEqual({ kind: 'free' });
      expect(judge(stale, 7, force)).toEqual({ kind: 'stale', probe: stale });
    }
  });

  it.each(reasons)(
    'never takes a live socket unasked (%s), and says something different for each',
    (reason) => {
      const live = { kind: 'live', reason, identity, uid: 7 } as const;
      expect(judge(live, 7, false)).toMatchObject({ kind: 'blocked', why: expect.stringContaining('uid 7') });
      expect(judge(live, 7, true)).toEqual({ kind: 'takeover' });
      const all = reasons.map((each) => JSON.stringify(judge({ ...live, reason: each }, 7, false)));
      expect(new Set(all).size).toBe(reasons.length);
    },
  );

  it("does not take another user's socket even when forced", () => {
    expect(judge({ kind: 'live', reason: 'pong', identity, uid: 8 }, 7, true)).toMatchObject({
      kind: 'blocked',
    });
    expect(judge({ kind: 'stale', identity, uid: 8 }, 7, true)).toMatchObject({ kind: 'blocked' });
  });

  it('does not take what has no owner to compare: a pipe, or a path we may not look at', () => {
    expect(judge({ kind: 'live', reason: 'denied', detail: 'EACCES' }, 7, true)).toMatchObject({
      kind: 'blocked',
      why: expect.stringContaining('EACCES'),
    });
    expect(judge({ kind: 'live', reason: 'pong' }, undefined, true)).toMatchObject({ kind: 'blocked' });
  });

  it('hands the owner on', () => {
    const owner = { pid: 9, name: 'arc' };
    expect(judge({ kind: 'live', reason: 'pong', identity, uid: 7, owner }, 7, false)).toEqual({
      kind: 'blocked',
      why: 'arc (pid 9) serves it',
      owner,
    });
  });
});
