import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  type Receipt,
  readReceipt,
  receiptFiles,
  receiptPath,
  removeFiles,
  stateOf,
  writeFiles,
  writeReceipt,
} from '../../service/receipt.ts';

function place(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'fb-receipt-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function receiptOf(files: Receipt['files']): Receipt {
  return { kind: 'systemd', version: '1.2.3', core: 'upstream', files, marks: ['linger'] };
}

it('a receipt is stored for its owner alone, and can be removed', () => {
  const folder = join(place(), 'state');
  expect(readReceipt(folder)).toBeUndefined();
  const receipt = receiptOf([{ path: '/a', sha256: 'b' }]);
  writeReceipt(folder, receipt);
  expect(readReceipt(folder)).toEqual(receipt);
  expect(lstatSync(receiptPath(folder)).mode & 0o777).toBe(0o600);
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  writeReceipt(folder, undefined);
  writeReceipt(folder, undefined);
  expect(readReceipt(folder)).toBeUndefined();
});

it.each(['', 'null', '{"kind":"systemd"}', '{"kind":1,"version":"1","core":"c","files":[],"marks":[]}', '{'])(
  'readReceipt rejects the receipt %j',
  (text) => {
    const folder = place();
    writeFileSync(receiptPath(folder), text);
    expect(() => readReceipt(folder)).toThrow(/does not say what was installed/);
  },
);

it('placeFiles writes files that differ, and nothing the second time', () => {
  const path = join(place(), 'deep', 'a.service');
  const files = [{ path, content: 'one\n', mode: 0o644 }];
  expect(writeFiles(files, undefined, false)).toEqual([path]);
  expect(lstatSync(path).mode & 0o777).toBe(0o644);
  const receipt = receiptOf(receiptFiles(files));
  expect(writeFiles(files, receipt, false)).toEqual([]);
  expect(writeFiles([{ path, content: 'two\n', mode: 0o644 }], receipt, false)).toEqual([path]);
  expect(readFileSync(path, 'utf8')).toBe('two\n');
});

it('placeFiles changes no file when one of them was edited, unless forced', () => {
  const folder = place();
  const [first, second] = [join(folder, 'a'), join(folder, 'b')];
  const files = [first, second].map((path) => ({ path, content: 'ours', mode: 0o644 }));
  writeFiles(files, undefined, false);
  const receipt = receiptOf(receiptFiles(files));
  writeFileSync(second, 'by hand');
  const next = files.map((file) => ({ ...file, content: 'newer' }));
  expect(() => writeFiles(next, receipt, false)).toThrow(`${second} was edited`);
  expect(readFileSync(first, 'utf8')).toBe('ours');
  expect(writeFiles(next, receipt, true)).toEqual([first, second]);
});

it('placeFiles rejects an existing file that it never wrote', () => {
  const path = join(place(), 'a');
  writeFileSync(path, 'of somebody else');
  expect(() => writeFiles([{ path, content: 'ours', mode: 0o644 }], undefined, false)).toThrow('is not ours');
});

it('placeFiles replaces a symbolic link, and leaves its target alone', () => {
  const folder = place();
  const [path, target] = [join(folder, 'a'), join(folder, 'target')];
  writeFileSync(target, 'precious');
  symlinkSync(target, path);
  const files = [{ path, content: 'ours', mode: 0o644 }];
  expect(() => writeFiles(files, undefined, false)).toThrow('is not ours');
  writeFiles(files, undefined, true);
  expect(readFileSync(target, 'utf8')).toBe('precious');
  expect(lstatSync(path).isFile()).toBe(true);
});

it('removeFiles removes only files that are unchanged, unless forced', () => {
  const folder = place();
  const paths = ['ours', 'edited', 'missing', 'folder'].map((name) => join(folder, name));
  const files = paths.map((path) => ({ path, content: 'text', mode: 0o644 }));
  writeFiles(files, undefined, false);
  const known = receiptFiles(files);
  const [ours = '', edited = '', missing = '', other = ''] = paths;
  writeFileSync(edited, 'by hand');
  rmSync(missing);
  rmSync(other);
  mkdirSync(other);
  expect(known.map(stateOf)).toEqual(['ours', 'edited', 'missing', 'edited']);
  expect(removeFiles(known, false)).toEqual({ removed: [ours], editedPaths: [edited, other] });
  rmSync(other, { recursive: true });
  expect(removeFiles(known, true)).toEqual({ removed: [edited], editedPaths: [] });
});
