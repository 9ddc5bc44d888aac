import { expect, it } from 'vitest';
import { type CodeRecord, CodeStore } from '../../../../src/emulator/accounts/oauth2/codes.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';

const record: CodeRecord = {
  userId: '1',
  clientId: '2',
  scopes: ['rpc'],
  challenge: undefined,
  nonce: undefined,
  redirectUri: undefined,
};

it('a code has 30 letters and digits and is never repeated', () => {
  const book = new CodeStore(new ManualClock());
  const codes = Array.from({ length: 200 }, () => book.issue(record));
  for (const code of codes) expect(code).toMatch(/^[A-Za-z0-9]{30}$/);
  expect(new Set(codes).size).toBe(200);
});

it('a code expires after 100 seconds [R-5]', () => {
  const clock = new ManualClock();
  const book = new CodeStore(clock);
  const code = book.issue(record);
  clock.advance(99_999);
  expect(book.find(code)).toEqual(record);
  clock.advance(1);
  expect(book.find(code)).toBeUndefined();
});

it('a code can be used once', () => {
  const book = new CodeStore(new ManualClock());
  const code = book.issue(record);
  expect(book.burn(code)).toBe(true);
  expect(book.burn(code)).toBe(false);
  expect(book.find(code)).toBeUndefined();
  expect(book.find('')).toBeUndefined();
});

it('a code is removed with its user and application', () => {
  const book = new CodeStore(new ManualClock());
  const code = book.issue(record);
  const other = book.issue({ ...record, clientId: '3' });
  book.remove('1', '2');
  expect(book.find(code)).toBeUndefined();
  expect(book.find(other)).toBeDefined();
});

it('at most 1024 codes wait, and no application is refused because of the codes of others', () => {
  const clock = new ManualClock();
  const book = new CodeStore(clock);
  for (let i = 0; i < 1024; i += 1) book.issue({ ...record, clientId: String(i % 32) });
  // However many collect them, another one gets its own, and their newest ones last.
  const newest = book.issue({ ...record, clientId: '5' });
  const other = book.issue({ ...record, clientId: '99' });
  expect([book.find(newest), book.find(other)]).not.toContain(undefined);
  for (let i = 0; i < 2000; i += 1) book.issue({ ...record, clientId: String(i % 32) }, `process ${i % 32}`);
  expect(book.find(other)).toBeDefined();
  clock.advance(100_000);
  expect(book.issue(record)).toHaveLength(30);
});

it('an application with too many codes displaces its own oldest code, and not those of others', () => {
  const book = new CodeStore(new ManualClock());
  const first = book.issue(record);
  const other = book.issue({ ...record, clientId: '3' });
  for (let i = 0; i < 63; i += 1) book.issue(record);
  expect(book.find(first)).toBeDefined();
  for (let i = 0; i < 2000; i += 1) book.issue(record);
  expect(book.find(first)).toBeUndefined();
  expect(book.find(other)).toBeDefined();
  expect(book.issue({ ...record, clientId: '4' })).toHaveLength(30);
});

it('a used code names its token family as long as the code would have been valid', () => {
  const clock = new ManualClock();
  const book = new CodeStore(clock);
  const code = book.issue(record);
  expect(book.spentFor(code)).toBeUndefined();
  clock.advance(40_000);
  book.spend(code, 'family');
  expect(book.find(code)).toBeUndefined();
  expect(book.spentFor(code)).toBe('family');
  clock.advance(59_999);
  expect(book.spentFor(code)).toBe('family');
  clock.advance(1);
  expect(book.spentFor(code)).toBeUndefined();
});

it('an unknown code, or one without a token family, names no token family', () => {
  const book = new CodeStore(new ManualClock());
  book.spend('unknown', 'family');
  expect(book.spentFor('unknown')).toBeUndefined();
  const code = book.issue(record);
  book.spend(code, undefined);
  expect(book.find(code)).toBeUndefined();
  expect(book.spentFor(code)).toBeUndefined();
});
