import { expect, it } from 'vitest';
import { Rates } from '../../src/console/page/data/rates.ts';
import type { JournalEntry, Passed } from '../../src/journal/entry.ts';
import { Exchanges } from '../../src/journal/exchanges.ts';

const APP = '300000000000000001';

/** Rates after these entries, each at its time (ms). */
function ratesOf(entries: readonly (readonly [at: number, passed: Passed])[]): Rates {
  const [rates, exchanges] = [new Rates(), new Exchanges()];
  for (const [index, [at, passed]] of entries.entries()) {
    const entry: JournalEntry = { ...passed, seq: index + 1, at };
    rates.count(entry, exchanges.add(entry));
  }
  return rates;
}

function frame(direction: 'in' | 'out', text: string, opcode = 1): Passed {
  return { kind: 'frame', session: 's', direction, opcode, text, bytes: text.length };
}

it.each([
  ['without white space', '{"cmd":"PING","nonce":"7"}', '{"nonce":"7"}'],
  ['with a space after each colon', '{"cmd": "PING", "nonce": "7"}', '{"nonce":"7"}'],
  ['over several lines', '{\n  "nonce" :\n  "7"\n}', '{"nonce":"7"}'],
  ['with another spelling of a letter', '{"nonce":"\\u0037"}', '{"nonce":"7"}'],
  ['with a number', '{"nonce": 7}', '{"nonce":7}'],
  ['with a nonce of something else before', '{"args":{"nonce":"1"},"nonce":"7"}', '{"nonce":"7"}'],
])('Rates counts a round trip whose request is written %s', (_how, request, answer) => {
  const rates = ratesOf([
    [10_000, frame('in', request)],
    [10_012, frame('out', answer)],
  ]);
  expect(rates.tripsOver(10_100)).toEqual({ p50: 12, p95: 12, count: 1 });
  expect(rates.messages(10_100).at(-1)).toBe(2);
});

it('Rates has the requests, errors and quantiles of each application', () => {
  const rates = ratesOf([
    [1000, frame('in', `{"v":1,"client_id":"${APP}"}`, 0)],
    [1004, frame('out', '{"cmd":"DISPATCH","evt":"READY","nonce":null}')],
    [1010, frame('in', '{"cmd":"A","nonce":"1"}')],
    [1020, frame('in', '{"cmd":"B","nonce":"2"}')],
    [1030, frame('out', '{"cmd":"B","evt":"ERROR","data":{"code":4006},"nonce":"2"}')],
    // The time that a person takes to decide is no round trip.
    [1031, frame('in', '{"cmd":"AUTHORIZE","nonce":"3"}')],
    [1039, frame('out', '{"cmd":"AUTHORIZE","data":{},"nonce":"3"}')],
    [1040, { kind: 'end', session: 's' }],
  ]);
  expect(rates.ofApp(APP)).toMatchObject({
    requests: 2,
    errors: 2,
    trips: { p50: 10, p95: 10, count: 2 },
    lastError: { name: 'A', state: 'unanswered' },
    endedAt: 1040,
  });
  expect(rates.ofApp('another')).toBeUndefined();
});

it('Rates knows the connections of a bot with the gateway of this bridge', () => {
  const hello = (session: string): Passed => {
    const text = '{"op":0,"t":"GUILD_CREATE"}';
    return { kind: 'gateway', session, application: APP, direction: 'out', text, bytes: text.length };
  };
  const [rates, exchanges] = [new Rates(), new Exchanges()];
  const gateway = (seq: number, passed: Passed): unknown => {
    const entry: JournalEntry = { ...passed, seq, at: seq };
    rates.count(entry, exchanges.add(entry));
    return [...(rates.ofApp(APP)?.gateway ?? [])];
  };
  expect(gateway(1, hello('g1'))).toEqual(['g1']);
  expect(gateway(2, hello('g2'))).toEqual(['g1', 'g2']);
  expect(gateway(3, { kind: 'end', session: 'g1' })).toEqual(['g2']);
  expect(gateway(1, { kind: 'end', session: 'g5' })).toEqual([]);
});

it('Rates counts a request that was sent by hand, and not the handshake of its connection', () => {
  const byHand = (passed: Passed): Passed => ({ ...passed, byHand: true }) as Passed;
  const rates = ratesOf([
    [1000, byHand(frame('in', `{"v":1,"client_id":"${APP}"}`, 0))],
    [1001, byHand(frame('out', '{"cmd":"DISPATCH","evt":"READY"}'))],
    [1002, byHand(frame('in', '{"cmd":"GET_GUILD","nonce":"1"}'))],
    [1003, byHand(frame('out', '{"cmd":"GET_GUILD","nonce":"1"}'))],
  ]);
  expect(rates.ofApp(APP)).toMatchObject({ requests: 2, byHand: 1 });
});
