import { expect, it, describe as suite } from 'vitest';
import { type Style, styleFor } from '../../src/base/style.ts';
import {
  applicationText,
  describe,
  describedLine,
  describedText,
  describeRefusal,
  type EntryDescription,
  searchTextOf,
  shortId,
  timeOfDay,
  wholeOf,
} from '../../src/journal/describe.ts';
import type { JournalEntry, Passed } from '../../src/journal/entry.ts';
import { Opcode } from '../../src/wire/codes.ts';

const AT = new Date(2026, 0, 2, 3, 4, 5, 6).getTime();
const entryOf = (passed: Passed): JournalEntry => ({ ...passed, seq: 1, at: AT });

type Frame = Extract<Passed, { kind: 'frame' }>;
const frame = (opcode: number, body: unknown, direction: Frame['direction'] = 'in'): Passed => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'frame', session: '0123456789', direction, opcode, text, bytes: text.length };
};
const payload = (body: object, direction: Frame['direction'] = 'in'): Passed =>
  frame(Opcode.FRAME, body, direction);
const gateway = (body: unknown): Passed => ({
  kind: 'gateway',
  session: 'g1',
  direction: 'out',
  text: JSON.stringify(body),
  bytes: 1,
});
const part = (body?: string) => ({ headers: {}, bytes: 0, ...(body === undefined ? {} : { body }) });
const http = (status: number, ms: number): Passed => ({
  kind: 'http',
  method: 'GET',
  path: '/api/x?y=1',
  status,
  ms,
  request: part('ASKED'),
  response: part('{"id":12345678901234567890}'),
});
const webhook = (outcome: Extract<Passed, { kind: 'webhook' }>['outcome'], url = 'http://h/'): Passed => ({
  kind: 'webhook',
  application: '1',
  type: 'MESSAGE_CREATE',
  url,
  ms: 12.6,
  text: '{}',
  outcome,
});
const refused = (more: Partial<Extract<Passed, { kind: 'refused' }>> = {}): Passed => ({
  kind: 'refused',
  count: 3,
  over: 'websocket',
  why: 'origin',
  origin: 'https://a.example',
  clientId: '300000000000000002',
  application: 'Tunes',
  remedy: 'allow it',
  ...more,
});

type Expected = Partial<EntryDescription> & Pick<EntryDescription, 'text'>;
const long = 'x'.repeat(300);

it.each<[string, Passed, Expected]>([
  [
    'a connection with all facts',
    { kind: 'connect', session: '0123456789', over: 'ipc', pid: 7, entrance: 'lan\u001b' },
    {
      who: '01234567',
      direction: 'in',
      text: 'connects over ipc, pid 7, lan?',
      label: 'connects over ipc',
      detail: 'pid 7, lan?',
      tone: 'quiet',
    },
  ],
  [
    'a connection alone',
    { kind: 'connect', session: 'g1', over: 'gateway' },
    { who: 'g1', text: 'connects over gateway', label: 'connects over gateway', detail: '' },
  ],
  [
    'HANDSHAKE',
    frame(Opcode.HANDSHAKE, { v: 1, client_id: '7' }),
    { direction: 'in', text: 'HANDSHAKE client_id=7', label: 'HANDSHAKE', detail: '{"v":1,"client_id":"7"}' },
  ],
  ['HANDSHAKE without an id', frame(Opcode.HANDSHAKE, '[]'), { text: 'HANDSHAKE client_id=?', detail: '{}' }],
  [
    'a frame of CLOSE',
    frame(Opcode.CLOSE, { code: 1000, message: 'bye' }, 'out'),
    { direction: 'out', text: 'CLOSE 1000', label: 'CLOSE', detail: '{"code":1000,"message":"bye"}' },
  ],
  ['PING', frame(Opcode.PING, '"x"'), { direction: 'in', text: 'PING', label: 'PING', detail: '' }],
  ['an unknown opcode', frame(77, '{}'), { text: 'opcode 77' }],
  [
    'a request',
    payload({ cmd: 'GET_GUILD', args: { id: '1' }, nonce: 'n' }),
    { text: 'GET_GUILD nonce=n', label: 'GET_GUILD', detail: '{"id":"1"}', tone: 'plain' },
  ],
  [
    'a subscription',
    payload({ cmd: 'SUBSCRIBE', evt: 'E', args: {}, nonce: 7 }),
    { text: 'SUBSCRIBE evt=E nonce=7', label: 'SUBSCRIBE', detail: 'E {}' },
  ],
  [
    'an answer',
    payload({ cmd: 'GET_GUILD', data: [1], nonce: 'n', evt: null }, 'out'),
    { text: 'GET_GUILD nonce=n ok', label: 'GET_GUILD', detail: '[1]', tone: 'plain' },
  ],
  ['an answer without a nonce', payload({ cmd: 'X' }, 'out'), { text: 'X ok', detail: '' }],
  [
    'an error',
    payload({ cmd: 'X', evt: 'ERROR', data: { code: 4006 }, nonce: 'n' }, 'out'),
    { text: 'X nonce=n ERROR 4006', label: 'X', detail: '{"code":4006}', tone: 'failure' },
  ],
  [
    'an error without data',
    payload({ cmd: 'X', evt: 'ERROR', data: null, nonce: 'n' }, 'out'),
    { text: 'X nonce=n ERROR ?' },
  ],
  [
    'an error with a text',
    payload({ cmd: 'X', evt: 'ERROR', data: 'no', nonce: 'n' }, 'out'),
    { text: 'X nonce=n ERROR ?' },
  ],
  [
    'an event',
    payload({ cmd: 'DISPATCH', evt: 'E', data: { a: 1 }, nonce: null }, 'out'),
    { text: 'DISPATCH evt=E', label: 'E', detail: '{"a":1}', tone: 'plain' },
  ],
  [
    'a DISPATCH without a name',
    payload({ cmd: 'DISPATCH', nonce: null }, 'out'),
    { text: 'DISPATCH', label: 'DISPATCH' },
  ],
  ['no JSON', frame(Opcode.FRAME, '(not JSON, 3 characters)'), { text: '?', label: '?', detail: '' }],
  [
    'words and values of any length',
    payload({ cmd: long, args: long, nonce: '\u001b' }),
    { text: `${'x'.repeat(64)} nonce=?`, detail: `"${'x'.repeat(159)}…` },
  ],
  [
    'a value of 160 characters',
    payload({ cmd: 'X', args: 'y'.repeat(158) }),
    { text: 'X', detail: `"${'y'.repeat(158)}"` },
  ],
  ['a large number', payload({ cmd: 'X', args: { id: 1 } }), { text: 'X', detail: '{"id":1}' }],
  [
    'a dispatch of the gateway',
    gateway({ op: 0, t: 'READY', d: { a: 1 } }),
    { who: 'g1', direction: 'out', text: 'op 0 READY', label: 'READY', detail: '{"a":1}', tone: 'plain' },
  ],
  ['a heartbeat', gateway({ op: 1, t: null, d: 251 }), { text: 'op 1', label: 'op 1', detail: '251' }],
  ['a payload without a name', gateway({ op: 11 }), { text: 'op 11', label: 'op 11', detail: '' }],
  [
    'a normal close',
    { kind: 'close', session: 's', code: 1000, message: 'bye' },
    { direction: 'out', text: 'CLOSE 1000 bye', label: 'CLOSE 1000', detail: 'bye', tone: 'quiet' },
  ],
  [
    'another close',
    { kind: 'close', session: 's', code: 4003, message: 'a\u001b' },
    { text: 'CLOSE 4003 a?', tone: 'warning' },
  ],
  [
    'no frame',
    { kind: 'broken', session: 's', message: 'x\u001b' },
    { direction: 'in', text: 'broken: x?', label: 'broken', detail: 'x?', tone: 'failure' },
  ],
  [
    'a warning',
    { kind: 'warning', session: 's', message: 'x' },
    { direction: 'in', text: 'warning: x', label: 'warning', detail: 'x', tone: 'warning' },
  ],
  [
    'a refused page',
    refused(),
    {
      who: 'refused',
      direction: 'in',
      text: 'refused: https://a.example for Tunes (300000000000000002) over websocket: origin not allowed, 3 times; to do: allow it',
      label: 'refused',
      detail:
        'https://a.example for Tunes (300000000000000002) over websocket: origin not allowed, 3 times; to do: allow it',
      tone: 'warning',
    },
  ],
  [
    'the end',
    { kind: 'end', session: '0123456789' },
    { who: '01234567', direction: 'in', text: 'end of the connection', tone: 'quiet' },
  ],
  [
    'a request over HTTP',
    http(200, 9.94),
    {
      who: 'http',
      direction: undefined,
      text: 'GET /api/x?y=1 200 in 9.9 ms',
      label: 'GET /api/x?y=1',
      detail: '200 in 9.9 ms',
      tone: 'plain',
    },
  ],
  ['a refused request over HTTP', http(400, 10), { text: 'GET /api/x?y=1 400 in 10 ms', tone: 'failure' }],
  ['a redirected request over HTTP', http(399, 12.6), { text: 'GET /api/x?y=1 399 in 13 ms', tone: 'plain' }],
  [
    'an answered webhook',
    webhook({ kind: 'answered', status: 204 }),
    {
      who: 'webhook',
      direction: undefined,
      text: 'MESSAGE_CREATE to http://h/ 204 in 13 ms',
      label: 'MESSAGE_CREATE',
      detail: '204 from http://h/',
      tone: 'plain',
    },
  ],
  [
    'a refused webhook',
    webhook({ kind: 'answered', status: 500 }),
    { text: 'MESSAGE_CREATE to http://h/ 500 in 13 ms', tone: 'failure' },
  ],
  [
    'a webhook without an answer',
    webhook({ kind: 'failed', reason: 'gone\u001b' }, `http://h/${long}`),
    {
      text: `MESSAGE_CREATE to http://h/${'x'.repeat(191)}: gone?`,
      label: 'MESSAGE_CREATE',
      detail: `gone? from http://h/${'x'.repeat(191)}`,
      tone: 'failure',
    },
  ],
  [
    'a fault of a session',
    { kind: 'fault', fault: 'f1', session: '0123456789', what: 'drop: x' },
    {
      who: '01234567',
      direction: undefined,
      text: 'fault f1: drop: x',
      label: 'fault f1',
      detail: 'drop: x',
      tone: 'warning',
    },
  ],
  ['a fault', { kind: 'fault', fault: 'f1', what: 'x' }, { who: 'fault', text: 'fault f1: x' }],
  [
    'a missing feature',
    { kind: 'missing', what: 'POST /x', times: 1 },
    {
      who: 'missing',
      direction: undefined,
      text: 'not offered, answered 501: POST /x',
      label: 'not offered, answered 501',
      detail: 'POST /x',
      tone: 'warning',
    },
  ],
  [
    'a violation of strict mode',
    {
      kind: 'violation',
      rule: 'no-answer',
      what: 'the command "/tide": no answer in 3 s',
      where: 'interaction 7',
    },
    {
      who: 'violation',
      direction: undefined,
      text: 'strict: no-answer: the command "/tide": no answer in 3 s, at interaction 7',
      label: 'strict: no-answer',
      detail: 'the command "/tide": no answer in 3 s, at interaction 7',
      tone: 'failure',
    },
  ],
  [
    'a clock that was set',
    { kind: 'clock', from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T00:15:00.000Z', frozen: false },
    { who: 'clock', text: 'clock: 2026-01-01T00:00:00.000Z to 2026-01-01T00:15:00.000Z', tone: 'quiet' },
  ],
  [
    'a clock that was stopped',
    { kind: 'clock', from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z', frozen: true },
    { text: 'clock, standing: 2026-01-01T00:00:00.000Z' },
  ],
  [
    'a feature that was missing often',
    { kind: 'missing', what: 'x', times: 2 },
    { text: 'not offered, answered 501: x (2 times)' },
  ],
])('describe shows %s', (_what, passed, expected) => {
  const described = describe(entryOf(passed));
  expect(described).toMatchObject(expected);
  expect(described).toHaveProperty('direction');
  const { direction, text } = described;
  expect(describedText(entryOf(passed))).toBe(
    direction === undefined ? text : `${direction === 'in' ? '->' : '<-'} ${text}`,
  );
});

suite('a line of the terminal', () => {
  const marks: Style = {
    ...styleFor(false),
    faint: (text) => `f(${text})`,
    warn: (text) => `w(${text})`,
    bad: (text) => `b(${text})`,
  };
  it.each<[Passed, string]>([
    [{ kind: 'end', session: '0123456789' }, '01234567  f(-> end of the connection)'],
    [{ kind: 'warning', session: 's', message: 'x' }, 's         w(-> warning: x)'],
    [{ kind: 'broken', session: 's', message: 'x' }, 's         b(-> broken: x)'],
    [payload({ cmd: 'X' }, 'out'), '01234567  <- X ok'],
    [http(200, 1), 'http      GET /api/x?y=1 200 in 1.0 ms'],
  ])('begins with time and session, and shows the tone: %#', (passed, line) => {
    expect(describedLine(entryOf(passed), marks)).toBe(`f(03:04:05.006)  ${line}\n`);
  });

  it('shows each part of the time with its digits', () => {
    expect(timeOfDay(new Date(2026, 0, 1, 13, 59, 58, 123).getTime())).toBe('13:59:58.123');
    expect(shortId('\u001b123456789')).toBe('?1234567');
  });
});

it.each([
  [{}, 'https://a.example for Tunes (300000000000000002) over websocket: origin not allowed, 3 times'],
  [{ count: 1, why: 'host' }, 'https://a.example for Tunes (300000000000000002) over websocket: wrong Host'],
  [
    { count: 2, why: 'encoding', application: null },
    'https://a.example for application 300000000000000002 over websocket: unknown encoding, 2 times',
  ],
  [
    { count: 1, why: 'frame', origin: null, clientId: null },
    'a request without one Origin for an unknown application over websocket: HANDSHAKE of another frame',
  ],
  [{ count: 1, why: 'new', over: 'x', origin: 'a\u001b' }, 'a? for Tunes (300000000000000002) over x: new'],
])('describeRefusal with %j', (more, text) => {
  const facts = {
    over: 'websocket',
    why: 'origin',
    count: 3,
    origin: 'https://a.example',
    clientId: '300000000000000002',
    application: 'Tunes',
  };
  expect(describeRefusal({ ...facts, ...more })).toBe(text);
});

it('applicationText leaves out the name without an id', () => {
  expect(applicationText({ application: 'Tunes', clientId: null })).toBe('an unknown application');
});

it('wholeOf parses the JSON texts of an entry, with the digits of large numbers', () => {
  expect(wholeOf(entryOf(http(200, 1)))).toMatchObject({
    request: { body: 'ASKED' },
    response: { body: { id: '12345678901234567890' } },
  });
  const bare = { ...http(200, 1), request: part(), response: part() } as Passed;
  expect(wholeOf(entryOf(bare))).toEqual(entryOf(bare));
  expect(wholeOf(entryOf(payload({ cmd: 'X' })))).toMatchObject({ text: { cmd: 'X' } });
  expect(wholeOf(entryOf(frame(Opcode.FRAME, 'no')))).toMatchObject({ text: 'no' });
  expect(wholeOf(entryOf({ kind: 'end', session: 's' }))).toEqual(entryOf({ kind: 'end', session: 's' }));
});

it('searchTextOf has who, what and the texts of an entry, in lower case', () => {
  expect(searchTextOf(entryOf(payload({ cmd: 'GET_GUILD', args: { a: 'B' } })))).toBe(
    '01234567 get_guild {"a":"b"} {"cmd":"get_guild","args":{"a":"b"}}',
  );
  expect(searchTextOf(entryOf(http(200, 1)))).toBe(
    'http get /api/x?y=1 200 in 1.0 ms asked {"id":12345678901234567890}',
  );
  const bare = { ...http(200, 1), request: part(), response: part() } as Passed;
  expect(searchTextOf(entryOf(bare))).toBe('http get /api/x?y=1 200 in 1.0 ms  ');
  expect(searchTextOf(entryOf({ kind: 'end', session: 'S' }))).toBe('s end of the connection  ');
});
