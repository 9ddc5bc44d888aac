import { execFileSync } from 'node:child_process';
import {
  existsSync,
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
  editedNotes,
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

const whole = {
  kind: 'systemd',
  version: '1',
  core: 'c',
  files: [{ path: '/a', sha256: 'b' }],
  marks: ['m'],
};

it.each([
  '',
  '{',
  ...[
    null,
    [],
    { ...whole, kind: 1 },
    { ...whole, version: undefined },
    { ...whole, core: null },
    { ...whole, files: {} },
    { ...whole, files: [null] },
    { ...whole, files: [{ path: '/a' }] },
    { ...whole, files: [...whole.files, { sha256: 'b' }] },
    { ...whole, marks: 'm' },
    { ...whole, marks: ['m', 1] },
    { ...whole, flags: null },
    { ...whole, flags: 'core' },
    { ...whole, flags: { core: 'c', port: 1 } },
  ].map((value) => JSON.stringify(value)),
])('readReceipt rejects the receipt %j', (text) => {
  const folder = place();
  writeFileSync(receiptPath(folder), text);
  expect(() => readReceipt(folder)).toThrow(
    `${join(folder, 'service.json')} does not say what was installed. Remove it, then run "footbridge install" again.`,
  );
});

it.each([whole, { ...whole, flags: { core: 'c' } }])('readReceipt accepts the receipt %j', (value) => {
  const folder = place();
  writeFileSync(receiptPath(folder), JSON.stringify(value));
  expect(readReceipt(folder)).toEqual(value);
});

it('readReceipt ignores a path that is no file of ours: a link, a FIFO, a file that is too large', () => {
  const folder = place();
  const path = receiptPath(folder);
  const text = JSON.stringify(whole);
  writeFileSync(join(folder, 'another'), text);
  symlinkSync(join(folder, 'another'), path);
  expect(readReceipt(folder)).toBeUndefined();
  rmSync(path);
  execFileSync('mkfifo', [path]);
  expect(readReceipt(folder)).toBeUndefined();
  rmSync(path);
  writeFileSync(path, text.padEnd(256 * 1024));
  expect(readReceipt(folder)).toEqual(whole);
  writeFileSync(path, text.padEnd(256 * 1024 + 1));
  expect(readReceipt(folder)).toBeUndefined();
});

it('writeReceipt names the path, the reason and the remedy when it cannot write', () => {
  const folder = join(place(), 'file');
  writeFileSync(folder, '');
  expect(() => writeReceipt(folder, receiptOf([]))).toThrow(
    expect.objectContaining({
      code: 'FOOTBRIDGE_CONFIG',
      message: expect.stringMatching(
        /^\/.*\/file\/service\.json cannot be written: .+ \(E[A-Z]+\)\. Make room on its disk, or make its folder writable, and run "footbridge install" again\.$/,
      ),
    }),
  );
});

it('placeFiles leaves the files as before when a later file or the receipt cannot be written', () => {
  const folder = place();
  const [old, fresh] = [join(folder, 'old'), join(folder, 'sub', 'fresh')];
  const before = [{ path: old, content: 'before', mode: 0o644 }];
  writeFiles(before, undefined, false);
  const receipt = receiptOf(receiptFiles(before));
  const files = [old, fresh].map((path) => ({ path, content: 'after', mode: 0o644 }));
  const fail = (): never => {
    throw new Error('no receipt');
  };
  expect(() => writeFiles(files, receipt, false, fail)).toThrow('no receipt');
  expect([readFileSync(old, 'utf8'), existsSync(fresh)]).toEqual(['before', false]);
  const unwritable = { path: join(old, 'below'), content: 'x', mode: 0o644 };
  expect(() => writeFiles([...files, unwritable], receipt, false)).toThrow(`${unwritable.path} cannot be`);
  expect([readFileSync(old, 'utf8'), existsSync(fresh)]).toEqual(['before', false]);
  expect(lstatSync(old).mode & 0o777).toBe(0o644);
});

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
  expect(() => writeFiles(next, receipt, false)).toThrow(
    `${second} was edited, or is not ours. Keep a copy and give --force to replace it.`,
  );
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
  expect(editedNotes([edited])).toEqual([
    `${edited} was edited and stays where it is: take it away yourself.`,
  ]);
  rmSync(other, { recursive: true });
  expect(removeFiles(known, true)).toEqual({ removed: [edited], editedPaths: [] });
});
