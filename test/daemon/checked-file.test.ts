import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { damagedCopies, readChecked, writeChecked } from '../../src/daemon/checked-file.ts';
import { temporaryFolder, uid } from '../helpers/sockets.ts';

it('the damaged copies of a file are those of its name, oldest first, and none of a folder that is not there', () => {
  const path = join(temporaryFolder(), 'origins.json');
  for (const name of ['.corrupt-20', '.corrupt-10', '.other', '']) writeFileSync(`${path}${name}`, '');
  writeFileSync(join(path, '..', 'x-origins.json.corrupt-1'), '');
  expect(damagedCopies(path)).toEqual([`${path}.corrupt-10`, `${path}.corrupt-20`]);
  expect(damagedCopies('/nowhere/origins.json')).toEqual([]);
});

it('a checked file is read up to its largest size', () => {
  const path = join(temporaryFolder(), 'file.json');
  writeChecked(path, { text: 'x' });
  const damaged: string[] = [];
  const read = (maxBytes: number): unknown =>
    readChecked(path, {
      maxBytes,
      uid,
      parse: (content) => content,
      onDamaged: ({ reason }) => void damaged.push(reason),
    });
  const size = JSON.stringify({ version: 1, sha256: 'x'.repeat(64), content: { text: 'x' } }).length + 1;
  expect([read(size), damaged]).toEqual([{ text: 'x' }, []]);
  expect([read(size - 1), damaged]).toEqual([undefined, [`it is larger than ${size - 1} bytes`]]);
});

it('the reason why a file is damaged is a clause', () => {
  const path = join(temporaryFolder(), 'file.json');
  writeChecked(path, 1);
  const damaged: string[] = [];
  const parse = (): never => {
    throw new Error('It is wrong. All of it.');
  };
  readChecked(path, { maxBytes: 1000, uid, parse, onDamaged: ({ reason }) => void damaged.push(reason) });
  expect(damaged).toEqual(['It is wrong. All of it']);
});
