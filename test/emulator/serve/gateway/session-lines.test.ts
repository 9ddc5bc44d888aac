import { describe, expect, it } from 'vitest';
import type { GatewayListener } from '../../../../src/emulator/api/dispatch.ts';
import type { Deadline } from '../../../../src/emulator/kernel/clock.ts';
import { Hub, shardOf } from '../../../../src/emulator/serve/gateway/hub.ts';
import { ReplayRoom } from '../../../../src/emulator/serve/gateway/replay.ts';
import { type Line, Session, type SessionOwner } from '../../../../src/emulator/serve/gateway/session.ts';
import { Sessions } from '../../../../src/emulator/serve/gateway/sessions.ts';

const OWNER: SessionOwner = { token: 't', family: undefined, hash: undefined, expires: undefined };
const ENOUGH = 256 * 1024;
const frame = (t: string, s: number, d = '{}') => `{"t":"${t}","s":${s},"op":0,"d":${d}}`;

/** A line that notes what is sent, and whose texts leave when the test says so. */
function lineOf() {
  const sent: string[] = [];
  const leaving: (() => void)[] = [];
  let waiting = 0;
  const line: Line = {
    get waiting() {
      return waiting;
    },
    send: (text, left) => {
      sent.push(text);
      if (left !== undefined) leaving.push(left);
    },
  };
  return {
    line,
    take: () => sent.splice(0),
    leave: () => {
      for (const left of leaving.splice(0)) left();
    },
    waits: (bytes: number) => {
      waiting = bytes;
    },
  };
}

function sessionOf(first = lineOf()) {
  const lost: string[] = [];
  const session = new Session('s', {
    listener: {} as GatewayListener,
    owner: OWNER,
    line: first.line,
    room: new ReplayRoom(10 * 1024 * 1024),
    lost: ({ id }) => lost.push(id),
  });
  const deadlines: string[] = [];
  const deadline = (): Deadline =>
    ({ cancel: () => deadlines.push('cancelled'), over: false }) as unknown as Deadline;
  return { session, ...first, deadlines, deadline, lost };
}

describe('a session', () => {
  it('numbers its events, and sends those that were missed to the connection that resumes it', () => {
    const { session, line, take, deadline, deadlines } = sessionOf();
    session.take('A', '{"a":1}');
    session.take('B', '{}');
    expect(take()).toEqual([frame('A', 1, '{"a":1}'), frame('B', 2)]);
    expect([session.seq, session.state, session.isOn(line)]).toEqual([2, 'connected', true]);
    const other = lineOf();
    expect(session.isOn(other.line)).toBe(false);
    session.cut(other.line, deadline);
    expect(session.state).toBe('connected');
    session.cut(line, deadline);
    expect([session.state, session.isOn(line)]).toEqual(['cut', false]);
    session.take('C', '{"c":1}');
    expect(take()).toEqual([]);
    const newer = { ...OWNER, token: 'u' };
    expect(session.resume(other.line, newer, -1)).toBe('no such event');
    expect(session.resume(other.line, newer, 4)).toBe('no such event');
    expect([session.state, session.owner, deadlines, other.take()]).toEqual(['cut', OWNER, [], []]);
    expect(session.resume(other.line, newer, 1)).toBe('resumed');
    expect([session.state, session.owner, deadlines]).toEqual(['connected', newer, ['cancelled']]);
    expect(other.take()).toEqual([frame('B', 2), frame('C', 3, '{"c":1}'), frame('RESUMED', 4)]);
    session.take('D', '{}');
    expect([other.take(), take()]).toEqual([[frame('D', 5)], []]);
    // The end of the connection before is of no account.
    session.cut(line, deadline);
    expect(session.state).toBe('connected');
  });

  it('forgets what its client has, and nothing that it was not sent', () => {
    const { session, take } = sessionOf();
    for (const name of ['A', 'B', 'C']) session.take(name, '{}');
    session.acknowledge(4);
    const next = lineOf();
    expect(session.resume(next.line, OWNER, 0)).toBe('resumed');
    expect(next.take()).toHaveLength(4);
    session.acknowledge(2);
    expect(session.resume(next.line, OWNER, 1)).toBe('gone');
    expect(session.resume(next.line, OWNER, 2)).toBe('resumed');
    session.acknowledge(5);
    expect(session.resume(next.line, OWNER, 4)).toBe('gone');
    expect(session.resume(next.line, OWNER, 5)).toBe('resumed');
    expect(take()).toHaveLength(3);
  });

  it('is over once, sends nothing more and is not resumed', () => {
    const { session, line, take, deadline, deadlines, lost } = sessionOf();
    session.cut(line, deadline);
    expect([session.end(), session.end(), session.state]).toEqual([true, false, 'over']);
    expect(deadlines).toEqual(['cancelled']);
    session.take('A', '{}');
    session.feed([['B', '{}']]);
    expect([session.seq, take()]).toEqual([0, []]);
    expect(session.resume(line, OWNER, 0)).toBe('gone');
    session.cut(line, deadline);
    expect(session.state).toBe('over');
    session.lose();
    expect(lost).toEqual(['s']);
  });

  it('sends events in chunks as fast as its client reads them, in order', () => {
    const { session, take, leave, waits, line, deadline } = sessionOf();
    const chunks = (name: string, count: number) =>
      Array.from({ length: count }, (_, at) => [name, String(at)] as const);
    waits(ENOUGH);
    session.feed(chunks('A', 2));
    expect(take()).toEqual([frame('A', 1, '0'), frame('A', 2, '1')]);
    leave();
    waits(ENOUGH + 1);
    session.feed(chunks('B', 3));
    session.feed(chunks('C', 1));
    expect(take()).toEqual([frame('B', 3, '0')]);
    session.take('D', '{}');
    leave();
    expect(take()).toEqual([frame('D', 4), frame('B', 5, '1')]);
    waits(0);
    leave();
    expect(take()).toEqual([frame('B', 6, '2'), frame('C', 7, '0')]);
    leave();
    expect(take()).toEqual([]);
    // While nobody listens, it waits; whoever resumes is sent the rest.
    waits(ENOUGH + 1);
    session.feed(chunks('E', 3));
    session.cut(line, deadline);
    leave();
    expect(take()).toEqual([frame('E', 8, '0')]);
    const next = lineOf();
    session.resume(next.line, OWNER, 7);
    expect(next.take()).toEqual([
      frame('E', 8, '0'),
      frame('RESUMED', 9),
      frame('E', 10, '1'),
      frame('E', 11, '2'),
    ]);
  });

  it('sends each guild once, before its first event', () => {
    const { session, take, leave, waits } = sessionOf();
    waits(ENOUGH + 1);
    const guilds = new Map<string, () => string | undefined>([
      ['1', () => '{"id":1}'],
      ['2', () => '{"id":2}'],
      ['3', () => undefined],
      ['4', () => undefined],
      ['5', () => '{"id":5}'],
    ]);
    expect(session.prepare('1')).toBe(false);
    session.sendGuilds(guilds);
    expect(take()).toEqual([frame('GUILD_CREATE', 1, '{"id":1}')]);
    expect([session.prepare('1'), session.prepare('9'), session.prepare('3')]).toEqual([false, false, false]);
    expect(session.prepare('5')).toBe(true);
    expect(session.prepare('5')).toBe(false);
    leave();
    expect(take()).toEqual([frame('GUILD_CREATE', 2, '{"id":5}'), frame('GUILD_CREATE', 3, '{"id":2}')]);
    leave();
    expect(take()).toEqual([]);
  });
});

describe('all sessions', () => {
  function sessionsOf() {
    const due: (readonly [at: number, task: () => void])[] = [];
    const clock = {
      now: () => 1000,
      at: (at: number, task: () => void) => {
        due.push([at, task]);
        return { cancel: () => {}, over: false };
      },
    };
    const ended: string[] = [];
    const hub = new Hub({ world: { subscribeCommits: () => () => {} }, log: {} } as never, []);
    const sessions = new Sessions(hub, clock as never, {
      ended: ({ id }) => ended.push(id),
      lost: () => {},
      replayed: 1024,
    });
    const begin = (application = '1', shard: readonly [number, number] = [0, 1]) => {
      const { line } = lineOf();
      const listener = { kind: 'bot', application: { id: application }, shard } as never;
      return { line, session: sessions.begin({ listener, owner: OWNER }, line) };
    };
    return { due, ended, hub, sessions, begin };
  }

  it('are found by their ids until they end', () => {
    const { sessions, begin, ended, hub } = sessionsOf();
    const [one, other] = [begin('1'), begin('2', [1, 2])];
    expect(one.session.id).toMatch(/^[0-9a-f]{32}$/);
    expect(sessions.get(other.session.id)).toBe(other.session);
    expect(sessions.get('x')).toBeUndefined();
    expect([...sessions]).toEqual([one.session, other.session]);
    expect(['1', '2', '3'].map((id) => hub.hasReceiver(id))).toEqual([true, true, false]);
    sessions.end(one.session);
    sessions.end(one.session);
    expect(ended).toEqual([one.session.id]);
    expect([...sessions]).toEqual([other.session]);
    expect(['1', '2'].map((id) => hub.hasReceiver(id))).toEqual([false, true]);
  });

  it('can be resumed for five minutes after their connections were cut', () => {
    const { sessions, begin, ended, due } = sessionsOf();
    const [one, other] = [begin(), begin()];
    sessions.cut(one.session, other.line);
    expect(due).toEqual([]);
    sessions.cut(one.session, one.line);
    expect(due.map(([at]) => at)).toEqual([1000 + 5 * 60_000]);
    for (const [, task] of due) task();
    expect(ended).toEqual([one.session.id]);
    expect([...sessions]).toEqual([other.session]);
  });

  it('of at most 2,000 cut connections are kept, those that were cut last', () => {
    const { sessions, begin, ended } = sessionsOf();
    const all = Array.from({ length: 2002 }, () => begin());
    for (const { session, line } of all.slice(0, 2000)) sessions.cut(session, line);
    // A session that is resumed is not one of them.
    const [first] = all;
    if (first === undefined) throw new Error('there is no session');
    expect(sessions.resume(first.session, first.line, OWNER, 0)).toBe('resumed');
    sessions.cut(first.session, lineOf().line);
    expect(first.session.state).toBe('connected');
    for (const { session, line } of all.slice(2000, 2001)) sessions.cut(session, line);
    expect(ended).toEqual([]);
    for (const { session, line } of all.slice(2001)) sessions.cut(session, line);
    expect(ended).toEqual([all[1]?.session.id]);
  });
});

it.each([
  [undefined, 5, 0],
  ['4194304', 1, 0],
  ['4194304', 2, 1],
  ['8388608', 2, 0],
  ['4194303', 2, 0],
  ['400000000000000001', 7, Number((400000000000000001n >> 22n) % 7n)],
])('the guild %s of %i shards is of the shard %i', (guild, count, shard) => {
  expect(shardOf(guild, count)).toBe(shard);
});
