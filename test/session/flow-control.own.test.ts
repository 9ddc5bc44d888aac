import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Scheduler } from '../../src/scheduling/scheduler.ts';
import { createBudgets, FlowControl } from '../../src/session/flow-control.ts';
import { defaultLimits, type Limits } from '../../src/session/limits.ts';
import type { CloseError } from '../../src/wire/close-error.ts';
import { CloseCode, Opcode } from '../../src/wire/codes.ts';
import type { Connection } from '../../src/wire/connection.ts';
import type { Frame } from '../../src/wire/frame.ts';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A connection that writes down what is done to it, and delivers what was sent to it. */
function recordingConnection() {
  const calls: string[] = [];
  const sent: Frame[] = [];
  let flow: FlowControl | undefined;
  let taken = 0;
  const deliver = (): void => {
    while (sent.length > 0 && calls.at(-1) !== 'pause' && flow?.admits((sent[0]?.body.byteLength ?? 0) + 8)) {
      const frame = sent.shift();
      if (frame) flow.frame(frame, performance.now());
      taken += 1;
    }
  };
  const connection: Connection = {
    kind: 'memory',
    start: () => {},
    redirect: () => {},
    send: () => {},
    close: () => {},
    end: () => {},
    pause: () => void calls.push('pause'),
    resume() {
      calls.push('resume');
      deliver();
    },
    setFrameLimit: () => {},
    destroy: () => void calls.push('destroy'),
  };
  return {
    connection,
    calls,
    taken: () => taken,
    serve: (control: FlowControl): void => {
      flow = control;
    },
    frames: (count: number, bytes = 100, opcode: Opcode = Opcode.FRAME): void => {
      // One body for all: nobody looks into it, and a test sends a million of them.
      const body = new Uint8Array(bytes);
      for (let i = 0; i < count; i++) sent.push({ opcode, body });
      deliver();
    },
  };
}

/** Rates and pools are looked at here without the turns of the event loop. */
class UnlimitedTurns extends Scheduler {
  override admits(): boolean {
    return true;
  }
}
/** Rates that somebody asked for. */
const MESSAGES = { messagesBurst: 240, messagesPerSecond: 120 };
const BYTES = { bytesPerSecond: 256 * 1024, frameBytes: 256 * 1024 };

function setUp(changed: Partial<Limits> = {}) {
  const limits = { ...defaultLimits, ...changed };
  const budgets = { ...createBudgets(limits), scheduler: new UnlimitedTurns() };
  const peer = (actor: string) => {
    const { connection, serve, ...rest } = recordingConnection();
    const closed: CloseError[] = [];
    const peer = { connection, close: (error: CloseError) => void closed.push(error) };
    const intake = new FlowControl(peer, actor, limits, budgets);
    serve(intake);
    return { intake, closed, ...rest };
  };
  return { budgets, peer };
}

describe('rates', () => {
  it('do not limit a process by default', () => {
    const { frames, calls, closed, taken } = setUp().peer('a');
    for (let second = 0; second < 120; second++) {
      frames(10_000, 4000);
      vi.advanceTimersByTime(1000);
    }
    expect([taken(), calls, closed]).toEqual([1_200_000, [], []]);
  }, 120_000);
  it.each([
    [{ messagesBurst: 10 }, 11, 120],
    [{ messagesPerSecond: 10 }, 241, 10],
  ])('of messages with one value set have the default for the other: %j', (limits, first, perSecond) => {
    const { frames, taken } = setUp(limits).peer('a');
    frames(10_000, 1);
    expect(taken()).toBe(first);
    for (let n = 0; n < 1000; n++) vi.advanceTimersByTime(10);
    expect(taken() - first).toBeGreaterThan(perSecond * 9.9);
    expect(taken() - first).toBeLessThan(perSecond * 10.1);
  });
});

describe('the message rate', () => {
  it('accepts 240 messages at once, pauses after the next, and resumes once the debt of that one is paid', () => {
    const { frames, calls, taken } = setUp(MESSAGES).peer('a');
    frames(240);
    expect(calls).toEqual([]);
    frames(2);
    expect([taken(), calls]).toEqual([241, ['pause']]);
    vi.advanceTimersByTime(8);
    expect(calls).toEqual(['pause']);
    vi.advanceTimersByTime(1);
    expect([taken(), calls]).toEqual([242, ['pause', 'resume']]);
  });
  it('accepts 120 messages a second without end', () => {
    const { frames, calls } = setUp(MESSAGES).peer('a');
    for (let second = 0; second < 300; second++) {
      frames(120);
      vi.advanceTimersByTime(1000);
    }
    expect(calls).toEqual([]);
  });
  it('closes a flood with 4002 after 60 s without a pause [T39]', () => {
    const { frames, closed, calls } = setUp(MESSAGES).peer('a');
    frames(360);
    for (let second = 0; second < 59; second++) {
      vi.advanceTimersByTime(1000);
      frames(130);
    }
    expect(closed).toEqual([]);
    vi.advanceTimersByTime(1100);
    expect(closed[0]?.code).toBe(CloseCode.RATE_LIMITED);
    expect(calls).not.toContain('destroy');
  });
  it('counts a process over all its connections, which resume in order', () => {
    const { peer } = setUp({ messagesBurst: 10, messagesPerSecond: 10 });
    const peers = Array.from({ length: 20 }, () => peer('pid 1'));
    const other = peer('pid 2');
    for (const { frames } of peers) frames(2);
    expect(peers.map(({ taken }) => taken())).toEqual([2, 2, 2, 2, 2, 1, ...Array(14).fill(0)]);
    vi.advanceTimersByTime(1401);
    // Each of them one, before anybody has two more.
    expect(peers.map(({ taken }) => taken())).toEqual([2, 2, 2, 2, 2, 2, ...Array(13).fill(1), 0]);
    other.frames(10);
    expect([other.taken(), other.calls]).toEqual([10, []]);
  });
  it('does not count handshakes, which the connect rate counts', () => {
    const { frames, calls } = setUp({ messagesBurst: 1, messagesPerSecond: 1 }).peer('a');
    frames(500, 100, Opcode.HANDSHAKE);
    expect(calls).toEqual([]);
  });
  it('persists across a reconnect, and is forgotten once the debt is paid', () => {
    const { peer, budgets } = setUp({ messagesBurst: 10, messagesPerSecond: 10 });
    const first = peer('pid 1');
    first.frames(40);
    first.intake.dispose();
    const second = peer('pid 1');
    second.frames(1);
    expect([first.taken(), second.taken(), second.calls]).toEqual([11, 0, ['pause']]);
    vi.advanceTimersByTime(101);
    expect(second.taken()).toBe(1);
    vi.advanceTimersByTime(2000);
    second.intake.dispose();
    expect(budgets.accounts.size).toBe(0);
  });
});

describe('the byte rate', () => {
  it('accepts the largest frame at once, and pauses until the debt of the next one is paid', () => {
    const { frames, calls, taken } = setUp(BYTES).peer('a');
    frames(1, BYTES.frameBytes);
    expect(calls).toEqual([]);
    frames(2, BYTES.bytesPerSecond - 8);
    expect([taken(), calls]).toEqual([2, ['pause']]);
    vi.advanceTimersByTime(999);
    expect(taken()).toBe(2);
    vi.advanceTimersByTime(1);
    expect(taken()).toBe(3);
  });
  it('counts a process: 120 connections pass no more large frames than one', () => {
    const { peer } = setUp(BYTES);
    const peers = Array.from({ length: 120 }, () => peer('pid 1'));
    const taken = (): number => peers.reduce((sum, one) => sum + one.taken(), 0);
    for (const { frames } of peers) frames(10, 230_000);
    expect(taken()).toBe(2);
    vi.advanceTimersByTime(10_000);
    expect(taken()).toBeLessThanOrEqual(2 + 12);
    expect(taken()).toBeGreaterThanOrEqual(2 + 11);
  });
});

describe('the share of a core', () => {
  it('accepts ten seconds of it at once, then pauses the process until its average is met', () => {
    const { peer, budgets } = setUp({ shareOfCore: 0.1 });
    const [one, two, other] = [peer('pid 1'), peer('pid 1'), peer('pid 2')];
    for (let i = 0; i < 100; i++) one.intake.worked(10, performance.now());
    two.frames(1);
    expect(two.taken()).toBe(1);
    one.intake.worked(20, performance.now());
    for (const { frames } of [one, two, other]) frames(1);
    expect([one.taken(), two.taken(), other.taken()]).toEqual([0, 1, 1]);
    vi.advanceTimersByTime(199);
    expect([one.taken(), two.taken()]).toEqual([0, 1]);
    vi.advanceTimersByTime(2);
    expect([one.taken(), two.taken(), one.closed, two.closed]).toEqual([1, 2, [], []]);
    // Half a minute of it is no flood.
    for (let second = 0; second < 600; second++) {
      one.intake.worked(100, performance.now());
      one.frames(1);
      vi.advanceTimersByTime(1000);
    }
    expect([one.closed, one.taken()]).toEqual([[], 601]);
    for (const { intake } of [one, two, other]) intake.dispose();
    vi.advanceTimersByTime(20_000);
    // Only the first still owed something when it left.
    expect(budgets.accounts.size).toBe(1);
  });
  it('is unlimited by default', () => {
    const { intake, frames, taken, calls } = setUp().peer('a');
    for (let n = 0; n < 6000; n++) {
      vi.advanceTimersByTime(10);
      intake.worked(10, performance.now());
      frames(1);
    }
    expect([taken(), calls]).toEqual([6000, []]);
  });
  it('charges at most 100 ms for one frame, because the machine may have slept meanwhile', () => {
    const { intake, frames, taken } = setUp({ shareOfCore: 0.1 }).peer('a');
    for (let i = 0; i < 10; i++) intake.worked(60_000, performance.now());
    frames(1);
    expect(taken()).toBe(1);
    intake.worked(60_000, performance.now());
    frames(1);
    vi.advanceTimersByTime(1001);
    expect(taken()).toBe(2);
  });
});

describe('several reasons to pause', () => {
  it('must all end before the connection resumes', () => {
    const { intake, calls } = setUp().peer('a');
    intake.pause('held');
    intake.pause('busy');
    intake.resume('held');
    expect(calls).not.toContain('resume');
    intake.resume('busy');
    expect(calls.at(-1)).toBe('resume');
  });
  it('ignore the end of a reason that was never set', () => {
    const { intake, calls } = setUp().peer('a');
    intake.resume('busy');
    expect(calls).toEqual([]);
  });
});

describe('incomplete frames', () => {
  it('are closed with 1003 at their deadline, which ends with a complete frame', () => {
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
  it('have no deadline while the connection is paused, and a new one after that', () => {
    const { intake, closed } = setUp().peer('a');
    intake.partial(4);
    intake.pause('busy');
    vi.advanceTimersByTime(60_000);
    intake.resume('busy');
    intake.partial(4);
    vi.advanceTimersByTime(9_999);
    expect(closed).toEqual([]);
  });
  it('share one budget of their process, half for the first process, and are closed with 1006 beyond it', () => {
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

describe('the charge of a peer', () => {
  it('equals the bytes that it holds now', () => {
    const { peer, budgets } = setUp({ partialBytes: 1200, unreadTotalBytes: 1000, waitingTotalBytes: 900 });
    const { intake } = peer('pid 1');
    for (const bytes of [10, 30, 30, 5, 40]) {
      intake.partial(bytes);
      intake.backlog(bytes, bytes);
      intake.waiting(bytes);
      const free = [budgets.partial.free, budgets.unread.free, budgets.waiting.free];
      expect(free).toEqual([1200 - bytes, 1000 - bytes, 900 - bytes]);
    }
    intake.dispose();
    for (const pool of [budgets.partial, budgets.unread, budgets.waiting]) expect(pool.balanced).toBe(true);
  });
});

describe('unread answers', () => {
  it('beyond the share of a process drop the peer that left them [T38]', () => {
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

describe('frames that wait behind unread answers', () => {
  it('pause the peer, and drop it beyond the share of its process', () => {
    const { peer, budgets } = setUp({ waitingTotalBytes: 1000 });
    const one = peer('pid 1');
    expect([one.intake.waiting(300), one.intake.waiting(500)]).toEqual([true, true]);
    expect(new Set(one.calls)).toEqual(new Set(['pause']));
    expect(one.intake.waiting(0)).toBe(true);
    expect(one.calls.at(-1)).toBe('resume');
    expect(one.intake.waiting(501)).toBe(false);
    expect(one.calls.at(-1)).toBe('destroy');
    one.intake.dispose();
    expect(budgets.waiting.balanced).toBe(true);
  });
});

describe('peers of a process that leaves many bytes unread', () => {
  const BURDEN = 16 * 1024;
  /** Two peers of one process, the first of which leaves all that one peer may. */
  function crowd(changed: Partial<Limits> = {}) {
    const { peer, budgets } = setUp({ unreadBytes: 100_000, ...changed });
    const [first, peerOfIt] = [peer('pid 1'), peer('pid 1')];
    first.intake.backlog(0, 100_000);
    expect(first.calls).toEqual([]);
    return { ...peerOfIt, first, budgets, stranger: peer('pid 2') };
  }

  it('are paused until they have read [T38]', () => {
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
  it('are not paused while they have few unread bytes, nor is another process', () => {
    const { intake, calls, stranger } = crowd();
    intake.backlog(BURDEN - 1, BURDEN - 1);
    stranger.intake.backlog(0, 100_000);
    expect([calls, stranger.calls]).toEqual([[], []]);
  });
  it('stay paused when the rest of the process has read, until they have read themselves', () => {
    const { intake, calls, first } = crowd();
    intake.backlog(0, 50_000);
    first.intake.backlog(0, 0);
    intake.backlog(0, BURDEN);
    vi.advanceTimersByTime(1000);
    expect(calls).not.toContain('resume');
  });
  it('stay paused when their unread bytes have grown again before they resume', () => {
    const { intake, calls } = crowd();
    intake.backlog(0, BURDEN);
    intake.backlog(0, 0);
    intake.backlog(0, BURDEN);
    vi.advanceTimersByTime(1000);
    expect(calls).not.toContain('resume');
  });
  it('are dropped after 10 s in which they have read nothing [T38]', () => {
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
  it('are dropped at different times, except those that have read meanwhile [T38]', () => {
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
  it('are not dropped for bytes in the kernel, but paused where the pool has no room for these', () => {
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

it('flow control leaves no timer after its peer has left', () => {
  const { intake, frames } = setUp().peer('a');
  intake.partial(4);
  frames(300);
  intake.partial(4);
  intake.backlog(0, 2 * defaultLimits.unreadBytes);
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  intake.dispose();
  expect(vi.getTimerCount()).toBe(0);
});
