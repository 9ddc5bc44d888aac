import { expect, it } from 'vitest';
import { Rates } from '../../src/console/page/data/rates.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';

function frame(direction: 'in' | 'out', text: string, at: number): JournalEntry {
  return { kind: 'frame', seq: 1, at, session: 's', direction, text } as unknown as JournalEntry;
}

it.each([
  ['without white space', '{"cmd":"PING","nonce":"7"}', '{"nonce":"7"}'],
  ['with a space after each colon', '{"cmd": "PING", "nonce": "7"}', '{"nonce":"7"}'],
  ['over several lines', '{\n  "nonce" :\n  "7"\n}', '{"nonce":"7"}'],
  ['with another spelling of a letter', '{"nonce":"\\u0037"}', '{"nonce":"7"}'],
  ['with a number', '{"nonce": 7}', '{"nonce":7}'],
  ['with a nonce of something else before', '{"args":{"nonce":"1"},"nonce":"7"}', '{"nonce":"7"}'],
  ['cut short', '{"nonce": "7", "args": {"te', '{"nonce":"7"}'],
])('Rates counts a round trip whose request is written %s', (_how, request, answer) => {
  const rates = new Rates();
  rates.count(frame('in', request, 10_000));
  rates.count(frame('out', answer, 10_012));
  expect(rates.tripsOver(10_100)).toEqual({ p50: 12, p95: 12, count: 1 });
});
