import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBudgets, Intake } from '../../src/session/intake.ts';
import { defaultLimits, type Limits } from '../../src/session/limits.ts';
import type { CloseError } from '../../src/wire/close-error.ts';
import { CloseCode, Opcode } from '../../src/wire/codes.ts';
import type { Connection } from '../../src/wire/connection.ts';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A connection that writes down what is done to it. */
function recordingConnection() {
  const calls: string[] = [];
  const connection: Connection = {
    kind: 'memory',
    start: () => {},
    send: () => {},
    close: () => {},
    end: () => {},
    pause: () => void calls.push('pause'),
    resume: () => void calls.push('resume'),
    setFrameLimit: () => {},
    destroy: () => void calls.push('destroy'),
  };
  return { connection, calls };
}

function setUp(changed: Partial<Limits> = {}) {
  const limits = { ...defaultLimits, ...changed };
  const budgets = createBudgets(limits);
  const peer = (actor: string) => {
    const { connection, calls } = recordingConnection();
    const closed: CloseError[] = [];
    const intake = new Intake({ connection, limits, budgets, actor, close: (error) => closed.push(error) });
    const frames = (count: number, bytes = 100): void => {
      for (let i = 0; i < count; i++) intake.frame({ opcode: Opcode.FRAME, body: new Uint8Array(bytes) });
    };
    return { intake, calls, closed, frames };
  };
  return { budgets, peer };
}

describe('the message rate', () => {
  it('lets 240 at once pass, pauses at the next, and reads on after what that one owes', () => {
    const { frames, calls } = setUp().peer('a');
    frames(240);
    expect(calls).toEqual([]);
    frames(12);
    expect(calls).toContain('pause');
    vi.advanceTimersByTime(99);
    expect(calls).not.toContain('resume');
    vi.advanceTimersByTime(1);
    expect(calls.at(-1)).toBe('resume');
  });
  it('lets 120 a second pass for ever', () => {
    const { frames, calls } = setUp().peer('a');
    for (let second = 0; second < 300; second++) {
      frames(120);
      vi.advanceTimersByTime(1000);
    }
    expect(calls).toEqual([]);
  });
  it('T39 is a flood only after 60 s without a pause, and then closes 4002', () => {
    const { frames, closed, calls } = setUp().peer('a');
    frames(360);
    for (let second = 0; second < 59; second++) {
      vi.advanceTimersByTime(1000);
      frames(120);
    }
    expect(closed).toEqual([]);
    vi.advanceTimersByTime(1000);
    frames(121);
    expect(closed[0]?.code).toBe(CloseCode.RATE_LIMITED);
    expect(calls).not.toContain('destroy');
  });
});

describe('the byte rate', () => {
  it('lets the largest frame pass at once, and pauses as long as the next one owes', () => {
    const { frames, calls } = setUp().peer('a');
    frames(1, defaultLimits.frameBytes);
    expect(calls).toEqual([]);
    frames(1, defaultLimits.bytesPerSecond - 8);
    expect(calls).toEqual(['pause']);
    vi.advanceTimersByTime(999);
    expect(calls).toEqual(['pause']);
    vi.advanceTimersByTime(1);
    expect(calls).toEqual(['pause', 'resume']);
  });
});

describe('several reasons to pause', () => {
  it('all have to end', () => {
    const { intake, calls } = setUp().peer('a');
    intake.pause('held');
    intake.pause('busy');
    intake.resume('held');
    expect(calls).not.toContain('resume');
    intake.resume('busy');
    expect(calls.at(-1)).toBe('resume');
  });
  it('that was not given is not taken back', () => {
    const { intake, calls } = setUp().peer('a');
    intake.resume('busy');
    expect(calls).toEqual([]);
  });
});

describe('incomplete frames', () => {
  it('are closed 1003 at their deadline, which a whole frame ends', () => {
    const { intake, closed, frames } = setUp().peer('a');
    intake.partial(4);
    vi.advanceTimersByTime(9_999);
    frames(1);
    intake.partial(4);
    vi.advanceTimersByTime(9_999);
    expect(closed).toEqual([]);
    intake.partial(5);
    vi.advanceTimersByTime(10);
    expect(closed.map(({ code }) => code)).toEqual([CloseCode.UNSUPPORTED]);
  });
  it('have no deadline while nothing is read, and a new one after that', () => {
    const { intake, closed } = setUp().peer('a');
    intake.partial(4);
    intake.pause('busy');
    vi.advanceTimersByTime(60_000);
    intake.resume('busy');
    intake.partial(4);
    vi.advanceTimersByTime(9_999);
    expect(closed).toEqual([]);
  });
  it('of one process share one budget: half of it for the first, and 1006 beyond', () => {
    const { peer, budgets } = setUp({ partialBytes: 1200 });
    const [one, two, other] = [peer('pid 1'), peer('pid 1'), peer('pid 2')];
    one.intake.partial(400);
    two.intake.partial(200);
    expect([one.closed, two.closed]).toEqual([[], []]);
    two.intake.partial(201);
    expect(two.closed.map(({ code }) => code)).toEqual([CloseCode.ABNORMAL]);
    other.intake.partial(200);
    expect(other.closed).toEqual([]);
    other.intake.partial(201);
    expect(other.closed).toHaveLength(1);
    for (const { intake } of [one, two, other]) intake.dispose();
    expect(budgets.partial.balanced).toBe(true);
  });
});

describe('unread answers', () => {
  it('T38 beyond the share of a process cut the peer that left them', () => {
    const { peer, budgets } = setUp({ unreadTotalBytes: 1000 });
    const [one, two] = [peer('pid 1'), peer('pid 2')];
    one.intake.backlog(500, 500);
    expect(one.calls).toEqual([]);
    one.intake.backlog(501, 501);
    expect(one.calls).toEqual(['destroy']);
    two.intake.backlog(166, 166);
    two.intake.backlog(0, 0);
    expect(two.calls).toEqual([]);
    one.intake.dispose();
    expect(budgets.unread.balanced).toBe(true);
  });
});

describe('peers of a process that leaves much unread', () => {
  const BURDEN = 16 * 1024;
  /** Two peers of one process, the first of which leaves all that one peer may. */
  function crowd(changed: Partial<Limits> = {}) {
    const { peer, budgets } = setUp({ unreadBytes: 100_000, ...changed });
    const [first, peerOfIt] = [peer('pid 1'), peer('pid 1')];
    first.intake.backlog(0, 100_000);
    expect(first.calls).toEqual([]);
    return { ...peerOfIt, first, budgets, stranger: peer('pid 2') };
  }

  it('T38 are not read from until they have read', () => {
    const { intake, calls } = crowd();
    intake.backlog(0, BURDEN);
    expect(calls).toEqual(['pause']);
    intake.backlog(0, BURDEN - 1);
    expect(calls).toEqual(['pause']);
    vi.advanceTimersByTime(0);
    expect(calls).toEqual(['pause', 'resume']);
    vi.advanceTimersByTime(60_000);
    expect(calls).toEqual(['pause', 'resume']);
  });
  it('are read from while they have little unread themselves, and so is another process', () => {
    const { intake, calls, stranger } = crowd();
    intake.backlog(BURDEN - 1, BURDEN - 1);
    stranger.intake.backlog(0, 100_000);
    expect([calls, stranger.calls]).toEqual([[], []]);
  });
  it('stay paused when the rest of the process has read, until they have read, too', () => {
    const { intake, calls, first } = crowd();
    intake.backlog(0, 50_000);
    first.intake.backlog(0, 0);
    intake.backlog(0, BURDEN);
    vi.advanceTimersByTime(1000);
    expect(calls).not.toContain('resume');
  });
  it('stay paused when they have more unread again by the time they would be read from', () => {
    const { intake, calls } = crowd();
    intake.backlog(0, BURDEN);
    intake.backlog(0, 0);
    intake.backlog(0, BURDEN);
    vi.advanceTimersByTime(1000);
    expect(calls).not.toContain('resume');
  });
  it('T38 are cut after 10 s in which they have read nothing', () => {
    const { intake, calls } = crowd();
    intake.backlog(0, 80_000);
    vi.advanceTimersByTime(9_999);
    intake.backlog(0, 60_000);
    vi.advanceTimersByTime(9_999);
    intake.backlog(20_000, 80_000);
    expect(calls).not.toContain('destroy');
    vi.advanceTimersByTime(10);
    expect(calls.at(-1)).toBe('destroy');
  });
  it('T38 are not cut together, so that they do not come back together; one that reads then is spared', () => {
    const { peer } = setUp({ unreadBytes: 100_000 });
    const peers = Array.from({ length: 10 }, () => peer('pid 1'));
    for (const { intake } of peers) intake.backlog(0, 100_001);
    vi.advanceTimersByTime(10_010);
    const cut = (): number => peers.filter(({ calls }) => calls.includes('destroy')).length;
    expect(cut()).toBe(1);
    peers[9]?.intake.backlog(0, 100_000);
    vi.advanceTimersByTime(500);
    expect(cut()).toBe(6);
    vi.advanceTimersByTime(1000);
    expect(cut()).toBe(9);
  });
  it('are not cut for what the kernel holds, but paused where the pool has no room for it', () => {
    const { peer, budgets } = setUp({ unreadTotalBytes: 100_000 });
    const { intake, calls } = peer('pid 1');
    intake.backlog(0, 50_001);
    expect(calls).toEqual(['pause']);
    expect(budgets.unread.free).toBe(100_000);
    intake.backlog(50_000, 200_000);
    expect(calls).not.toContain('destroy');
    intake.backlog(50_001, 200_000);
    expect(calls.at(-1)).toBe('destroy');
    intake.dispose();
    expect(budgets.unread.balanced).toBe(true);
  });
});

it('leaves no timer behind when its peer has left', () => {
  const { intake, frames } = setUp().peer('a');
  intake.partial(4);
  frames(300);
  intake.partial(4);
  intake.backlog(0, 2 * defaultLimits.unreadBytes);
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  intake.dispose();
  expect(vi.getTimerCount()).toBe(0);
});
