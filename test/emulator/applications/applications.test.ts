import { expect, it } from 'vitest';
import {
  publicApplication,
  publicCopies,
  SeenApplications,
} from '../../../src/emulator/applications/applications.ts';
import { worldOf } from '../../helpers/patched.ts';

const { tables } = worldOf();
const listed = '300000000000000001';

it('SeenApplications finds listed applications, and any snowflake unless strict', () => {
  const world = worldOf();
  const firstSight = new SeenApplications(world.tables);
  expect(firstSight.find(listed)?.origin).toBe('fixture');
  expect(firstSight.find('42')).toMatchObject({
    origin: 'first-sight',
    record: { id: '42', name: 'Application 42', secret: null },
  });
  expect(firstSight.list().map((application) => application.id)).toEqual(['42']);
  for (const id of ['', '0', 'abc', '-1', '1e3', '9223372036854775808', '__proto__']) {
    expect(firstSight.find(id)).toBeUndefined();
  }
  world.transaction(({ strict }) => strict.set(true));
  expect(firstSight.find('42')).toBeUndefined();
  expect(firstSight.find(listed)?.origin).toBe('fixture');
  expect(firstSight.list()).toEqual([]);
  world.transaction(({ strict }) => strict.set(false));
  expect(firstSight.list()).toHaveLength(1);
  firstSight.clear();
  expect(firstSight.list()).toEqual([]);
});

it('SeenApplications finds more applications than it remembers', () => {
  const firstSight = new SeenApplications(tables);
  for (let id = 1; id <= 1000; id += 1) expect(firstSight.find(String(id))).toBeDefined();
  expect(firstSight.list()).toHaveLength(256);
});

it('publicApplication returns no secret, redirect address or policy of an application', () => {
  const known = new SeenApplications(tables).find(listed);
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

it('SeenApplications no longer lists an application once the fixture does', () => {
  const world = worldOf();
  const seen = new SeenApplications(world.tables);
  const record = seen.find('42')?.record;
  expect(seen.find('42')?.record).toBe(record);
  seen.find('43');
  if (record !== undefined)
    world.transaction(({ applications }) => applications.put({ ...record, name: 'Tug' }));
  expect(seen.list().map(({ id }) => id)).toEqual(['43']);
  expect(seen.find('42')).toMatchObject({ origin: 'fixture', record: { name: 'Tug' } });
});

it('sessions of one application share one public copy', () => {
  const copyOf = publicCopies();
  const record = new SeenApplications(tables).find(listed)?.record;
  if (record === undefined) throw new Error('listed application not found');
  const copy = copyOf(record);
  expect(copy).toEqual(publicApplication(record));
  expect(copyOf(record)).toBe(copy);
  expect(copyOf({ ...record, name: 'Tug' })).toMatchObject({ name: 'Tug' });
});
