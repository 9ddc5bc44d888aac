import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalEntry, Passed } from '../../src/journal/entry.ts';
import { type Exchange, entriesOf, firstOf } from '../../src/journal/exchange.ts';
import { Exchanges, orderByBegin } from '../../src/journal/exchanges.ts';

const APP = '300000000000000001';

const frame = (direction: 'in' | 'out', body: object | string, opcode = 1, session = 's'): Passed => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'frame', session, direction, opcode, text, bytes: text.length };
};
const gateway = (direction: 'in' | 'out', body: object): Passed => ({
  kind: 'gateway',
  session: 'g1',
  direction,
  text: JSON.stringify(body),
  bytes: 10,
});
const part = { headers: {}, bytes: 4 };

const interaction = (id: string): Passed => gateway('out', { op: 0, t: 'INTERACTION_CREATE', d: { id } });
const callback = (id: string, status: number): Passed => ({
  kind: 'http',
  method: 'POST',
  path: `/api/v10/interactions/${id}/t/callback`,
  status,
  ms: 1,
  request: part,
  response: part,
});

/** Rows of these entries, 10 ms after one another. */
function rowsOf(passed: readonly Passed[]): readonly Exchange[] {
  const exchanges = new Exchanges();
  const rows: Exchange[] = [];
  for (const [index, one] of passed.entries()) {
    const { row, isNew } = exchanges.add({ ...one, seq: index + 1, at: 1000 + index * 10 });
    if (isNew) rows.push(row);
  }
  return rows;
}

/** Row in short: its entries, kind, name, state, code and duration. */
const short = (row: Exchange): string =>
  [
    entriesOf(row)
      .map(({ seq }) => seq)
      .join('+'),
    row.kind,
    row.name,
    row.state,
    row.code,
    row.ms ?? '',
  ]
    .join(' ')
    .replaceAll(/ +/g, ' ')
    .trim();

describe('Exchanges', () => {
  it.each<[string, readonly Passed[], readonly string[]]>([
    [
      'a request with its answer',
      [frame('in', { cmd: 'A', nonce: 'x' }), frame('out', { cmd: 'A', nonce: 'x', evt: null, data: {} })],
      ['1+2 rpc A ok ok 10'],
    ],
    [
      'a request with its error',
      [
        frame('in', { cmd: 'A', nonce: 'x' }),
        frame('out', { cmd: 'A', nonce: 'x', evt: 'ERROR', data: { code: 4006, message: 'no' } }),
      ],
      ['1+2 rpc A failed 4006 10'],
    ],
    [
      'answers in another order',
      [
        frame('in', { cmd: 'A', nonce: '1' }),
        frame('in', { cmd: 'B', nonce: '2' }),
        frame('out', { cmd: 'B', nonce: '2' }),
        frame('out', { cmd: 'A', nonce: '1' }),
      ],
      ['1+4 rpc A ok ok 30', '2+3 rpc B ok ok 10'],
    ],
    [
      'two requests with one nonce, the older first',
      [
        frame('in', { cmd: 'A', nonce: '1' }),
        frame('in', { cmd: 'B', nonce: '1' }),
        frame('out', { cmd: 'A', nonce: '1' }),
        frame('out', { cmd: 'B', nonce: '1' }),
      ],
      ['1+3 rpc A ok ok 20', '2+4 rpc B ok ok 20'],
    ],
    [
      'no request of another session, and no text for a number',
      [
        frame('in', { cmd: 'A', nonce: '1' }),
        frame('out', { cmd: 'A', nonce: '1' }, 1, 'another'),
        frame('out', { cmd: 'A', nonce: 1 }),
      ],
      ['1 rpc A open', '2 rpc A ok ok', '3 rpc A ok ok'],
    ],
    [
      'HANDSHAKE with READY, and later events alone',
      [
        frame('in', { v: 1, client_id: APP }, 0),
        frame('out', { cmd: 'DISPATCH', evt: 'READY', nonce: null }),
        frame('out', { cmd: 'DISPATCH', evt: 'READY', nonce: null }),
      ],
      ['1+2 rpc HANDSHAKE ok ok 10', '3 event READY none'],
    ],
    [
      'HANDSHAKE with the CLOSE that refuses it',
      [frame('in', { v: 1, client_id: '1' }, 0), { kind: 'close', session: 's', code: 4000, message: 'no' }],
      ['1+2 rpc HANDSHAKE failed 4000 10'],
    ],
    [
      'PING with PONG',
      [frame('in', '"a"', 3), frame('out', '"a"', 4), frame('out', '"a"', 4)],
      ['1+2 rpc PING ok ok 10', '3 rpc PONG ok ok'],
    ],
    [
      'a request whose connection ends',
      [frame('in', { cmd: 'A', nonce: '1' }), { kind: 'end', session: 's' }],
      ['1 rpc A unanswered', '2 session end none'],
    ],
    [
      'an event, a frame without a nonce, and texts that are no objects',
      [
        frame('out', { cmd: 'DISPATCH', evt: 'VOICE_STATE_UPDATE', nonce: null }),
        frame('in', { cmd: 'A' }),
        frame('in', '(not JSON, 3 characters)'),
        frame('in', '[1]'),
        frame('in', '{"cmd":{}}', 77),
      ],
      [
        '1 event VOICE_STATE_UPDATE none',
        '2 rpc A none',
        '3 rpc ? none',
        '4 rpc ? none',
        '5 rpc opcode 77 none',
      ],
    ],
    [
      'the gateway: IDENTIFY with READY, heartbeats with their ACK',
      [
        gateway('in', { op: 2, d: {} }),
        gateway('out', { op: 0, t: 'READY', d: { application: { id: APP } } }),
        gateway('in', { op: 1, d: 251 }),
        gateway('out', { op: 0, t: 'MESSAGE_CREATE', d: {} }),
        gateway('out', { op: 11 }),
        gateway('in', { op: 6, d: {} }),
        gateway('out', { op: 9, d: false }),
      ],
      [
        '1+2 gateway IDENTIFY ok ok 10',
        '3+5 gateway HEARTBEAT ok ok 20',
        '4 gateway MESSAGE_CREATE none',
        '6+7 gateway RESUME failed invalid 10',
      ],
    ],
    [
      'HTTP and webhooks, which are one entry',
      [
        {
          kind: 'http',
          method: 'GET',
          path: '/api/v10/users/@me?a=1',
          status: 401,
          ms: 2,
          request: part,
          response: part,
        },
        {
          kind: 'webhook',
          application: APP,
          type: 'T',
          url: 'http://h/',
          ms: 3,
          text: '{}',
          outcome: { kind: 'answered', status: 204 },
        },
        {
          kind: 'webhook',
          application: APP,
          type: 'T',
          url: 'http://h/',
          ms: 4,
          text: '{}',
          outcome: { kind: 'failed', reason: 'no' },
        },
      ],
      ['1 http GET /users/@me failed 401 2', '2 webhook T ok 204 3', '3 webhook T failed failed 4'],
    ],
    [
      'an interaction with the callback that the platform takes, which stays a row of its own',
      [interaction('7'), interaction('8'), callback('7', 404), callback('7', 204), callback('7', 204)],
      [
        '1 gateway INTERACTION_CREATE ok ok 30',
        '2 gateway INTERACTION_CREATE open',
        '3 http POST /interactions/7/t/callback failed 404 1',
        '4 http POST /interactions/7/t/callback ok 204 1',
        '5 http POST /interactions/7/t/callback ok 204 1',
      ],
    ],
  ])('pairs %s', (_what, passed, expected) => {
    expect(rowsOf(passed).map(short)).toEqual(expected);
  });

  it('has the time at which each row began, in that order where rows come together', () => {
    const passed = [
      gateway('out', { op: 0, t: 'MESSAGE_CREATE', d: {} }),
      { ...callback('7', 204), ms: 15 } as Passed,
    ];
    const rows = [...rowsOf(passed)];
    const inShort = () => rows.map(({ id, seq, at }) => [id, seq, at]);
    expect(inShort()).toEqual([
      [1, 1, 1000],
      [2, 2, 995],
    ]);
    orderByBegin(rows);
    expect(inShort()).toEqual([
      [1, 2, 995],
      [2, 1, 1000],
    ]);
  });

  it('knows the application of every row of a session once one entry names it', () => {
    const rows = rowsOf([
      { kind: 'connect', session: 's', over: 'ipc' },
      frame('in', { v: 1, client_id: APP }, 0),
      frame('in', { cmd: 'A', nonce: '1' }),
    ]);
    expect(rows.map(({ peer }) => peer)).toEqual(
      Array.from({ length: 3 }, () => ({ session: 's', app: APP })),
    );
  });

  it('has an interaction without an answer after three seconds, with the next entry or without one', () => {
    const exchanges = new Exchanges();
    const add = (seq: number, at: number, passed: Passed) => exchanges.add({ ...passed, seq, at });
    const [first, second, third] = [1, 2, 3].map((seq) => add(seq, 1000 * seq, interaction(String(seq))).row);
    expect(add(4, 4000, gateway('out', { op: 11 })).others).toEqual([]);
    expect(add(5, 4001, callback('1', 204)).others).toEqual([first]);
    expect(first?.state).toBe('unanswered');
    expect(add(6, 4002, callback('2', 204)).others).toEqual([second]);
    expect(second).toMatchObject({ state: 'ok', ms: 2002 });
    expect([exchanges.hasInteractions, exchanges.expire(6000)]).toEqual([true, []]);
    expect(exchanges.expire(6001)).toEqual([third]);
    expect([exchanges.hasInteractions, third?.state]).toEqual([false, 'unanswered']);
  });

  it('begins anew with the numbers of another bridge', () => {
    const exchanges = new Exchanges();
    const add = (seq: number, passed: Passed) => exchanges.add({ ...passed, seq, at: seq });
    const asked = add(7, frame('in', { cmd: 'A', nonce: '1' })).row;
    const { row, isNew } = add(1, frame('out', { cmd: 'A', nonce: '1' }));
    expect([isNew, row.id, row.seq, asked.state]).toEqual([true, 2, 1, 'open']);
  });
});

/** Requests and answers of two sessions with few nonces, so that many are used twice. */
const traffic = fc.array(
  fc.oneof(
    fc.record({
      session: fc.constantFrom('a', 'b'),
      direction: fc.constantFrom<('in' | 'out')[]>('in', 'out'),
      nonce: fc.constantFrom('1', '2', 3, null),
    }),
    fc.record({ session: fc.constantFrom('a', 'b'), end: fc.constant(true) }),
  ),
  { maxLength: 60 },
);

it('Exchanges has each entry in one row, and answers only the oldest open request of its session and nonce', () => {
  fc.assert(
    fc.property(traffic, (steps) => {
      const exchanges = new Exchanges();
      const rows = new Set<Exchange>();
      const open: { key: string; seq: number }[] = [];
      const pairs: string[] = [];
      const entries: JournalEntry[] = steps.map((step, index) => ({
        ...('end' in step
          ? { kind: 'end' as const, session: step.session }
          : frame(step.direction, { cmd: 'X', nonce: step.nonce }, 1, step.session)),
        seq: index + 1,
        at: index,
      }));
      for (const [index, entry] of entries.entries()) {
        const { row, isNew, others } = exchanges.add(entry);
        expect(isNew).toBe(!rows.has(row));
        rows.add(row);
        const step = steps[index];
        if (step === undefined) continue;
        if ('end' in step) {
          const left = open.filter(({ key }) => key.startsWith(step.session));
          expect(new Set(others.map(({ seq }) => seq))).toEqual(new Set(left.map(({ seq }) => seq)));
          for (const one of left) open.splice(open.indexOf(one), 1);
        } else if (step.nonce !== null) {
          const key = `${step.session} ${JSON.stringify(step.nonce)}`;
          const at = open.findIndex((one) => one.key === key);
          if (step.direction === 'in') open.push({ key, seq: entry.seq });
          else if (at !== -1) pairs.push(`${open.splice(at, 1)[0]?.seq}+${entry.seq}`);
        }
      }
      const all = [...rows];
      expect(all.flatMap((row) => entriesOf(row).map(({ seq }) => seq)).sort((a, b) => a - b)).toEqual(
        entries.map(({ seq }) => seq),
      );
      const paired = all.filter((row) => entriesOf(row).length === 2);
      expect(
        paired
          .map((row) =>
            entriesOf(row)
              .map(({ seq }) => seq)
              .join('+'),
          )
          .sort(),
      ).toEqual(pairs.sort());
      expect(all.filter(({ state }) => state === 'open').map(({ seq }) => seq)).toEqual(
        open.map(({ seq }) => seq).sort((a, b) => a - b),
      );
      for (const row of all) expect(firstOf(row).seq).toBe(row.seq);
    }),
  );
});
