import { expect, it } from 'vitest';
import { FirstSight, findUser, publicApplication } from '../../../src/emulator/accounts/accounts.ts';
import { defaultFixture } from '../../../src/emulator/fixture/default.ts';

const fixture = defaultFixture();
const listed = '300000000000000001';

it('knows listed applications, and any snowflake unless strict', () => {
  const firstSight = new FirstSight();
  expect(firstSight.find(fixture, listed)?.origin).toBe('fixture');
  expect(firstSight.find(fixture, '42')).toMatchObject({
    origin: 'first-sight',
    record: { id: '42', secret: null },
  });
  expect(firstSight.list(fixture).map((application) => application.id)).toEqual(['42']);
  for (const id of ['', '0', 'abc', '-1', '1e3', '9223372036854775808', '__proto__']) {
    expect(firstSight.find(fixture, id)).toBeUndefined();
  }
  const strict = { ...fixture, strict: true };
  expect(firstSight.find(strict, '42')).toBeUndefined();
  expect(firstSight.find(strict, listed)?.origin).toBe('fixture');
  expect(firstSight.list(strict)).toEqual([]);
  firstSight.clear();
  expect(firstSight.list(fixture)).toEqual([]);
});

it('serves more applications than it remembers', () => {
  const firstSight = new FirstSight();
  for (let id = 1; id <= 1000; id += 1) expect(firstSight.find(fixture, String(id))).toBeDefined();
  expect(firstSight.list(fixture)).toHaveLength(256);
});

it('shows no secret, redirect or policy of an application', () => {
  const known = new FirstSight().find(fixture, listed);
  if (known === undefined) throw new Error('listed application not found');
  const shown = publicApplication({ ...known.record, secret: 's', consent: 'allow' });
  expect(Object.keys(shown)).toEqual([
    'id',
    'name',
    'description',
    'icon',
    'cover_image',
    'rpc_origins',
    'partner',
  ]);
});

it('finds users by id only', () => {
  expect(findUser(fixture, fixture.me)?.username).toBe('river');
  expect(findUser(fixture, 'river')).toBeUndefined();
});
