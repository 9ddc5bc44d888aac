import { fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { LocalError } from '../../src/base/local-error.ts';
import { goesToJournal } from '../../src/daemon/log/journal.ts';
import { StateFiles, unstoredText, written } from '../../src/daemon/state-files.ts';
import { isRelease, version } from '../../src/daemon/version.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

it('the state files log the first failure of a reason, and the first success after it', () => {
  const log: unknown[] = [];
  const logger = { warn: (...all: unknown[]) => log.push(all), info: (...all: unknown[]) => log.push(all) };
  const files = new StateFiles();
  const failed = (reason: string) => ({ kind: 'failed', reason }) as const;
  const saved = { kind: 'saved' } as const;
  expect(files.note('/a', saved, logger)).toBe(saved);
  const full = failed('full');
  expect(files.note('/a', full, logger)).toBe(full);
  files.note('/a', failed('full'), logger);
  files.note('/b', failed('gone'));
  expect(files.unstored()).toEqual(['full', 'gone']);
  files.note('/a', failed('other'), logger);
  files.note('/a', saved, logger);
  files.note('/a', saved, logger);
  const text = 'state file not written: changes end with the bridge';
  expect(log).toEqual([
    [{ path: '/a', reason: 'full' }, text],
    [{ path: '/a', reason: 'other' }, text],
    [{ path: '/a' }, 'state file written again'],
  ]);
  expect(files.unstored()).toEqual(['gone']);
  files.note('/b', saved);
  expect(files.unstored()).toEqual([]);
});

it('written names the file and the reason', () => {
  const write = vi.fn();
  expect([written('/a', write), write.mock.calls.length]).toEqual([{ kind: 'saved' }, 1]);
  const full = (): never => {
    throw Object.assign(new Error('x'), { code: 'ENOSPC' });
  };
  expect(written('/a', full)).toEqual({
    kind: 'failed',
    reason: '/a cannot be written: the disk is full (ENOSPC)',
  });
  const locked = (): never => {
    throw new LocalError('FOOTBRIDGE_LOCK', 'The lock file /a.lock cannot be used: you may not open it.');
  };
  expect(written('/a', locked)).toEqual({
    kind: 'failed',
    reason: '/a cannot be written: The lock file /a.lock cannot be used: you may not open it',
  });
});

const remedy = 'Make room on that disk, or make its folder writable';
it.each([
  [{ stored: true }, undefined],
  [undefined, undefined],
  [null, undefined],
  ['text', undefined],
  [{ stored: false, reason: 'a\u001b' }, `not stored: a?. It holds until the bridge ends. ${remedy}.`],
  [
    { stored: false, reason: 'a', comesBack: true },
    `not stored: a. ${remedy}, or the next start of the bridge restores what was revoked.`,
  ],
  [
    { stored: false, reason: 'a', comesBack: false },
    `not stored: a. A restart does not restore what was revoked. ${remedy}.`,
  ],
])('unstoredText(%j)', (answer, text) => {
  expect(unstoredText(answer)).toBe(text);
});

it('a descriptor goes to the journal if JOURNAL_STREAM names it', () => {
  const fd = openSync(join(temporaryFolder(), 'log'), 'w');
  const { dev, ino } = fstatSync(fd, { bigint: true });
  const goes = (stream: string | undefined, of = fd): boolean =>
    goesToJournal(stream === undefined ? {} : { JOURNAL_STREAM: stream }, of);
  expect(goes(`${dev}:${ino}`)).toBe(true);
  const others = [undefined, '', ':', `${dev}`, `${dev}:`, `:${ino}`, `${dev}:${ino}0`, `${dev}0:${ino}`];
  expect(others.map((stream) => goes(stream))).toEqual(others.map(() => false));
  expect(goes(`${dev}:${ino}`, 1_000_000)).toBe(false);
});

it('the version of the sources is that of package.json, and no release', () => {
  const { version: wanted } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect([version(), isRelease()]).toEqual([wanted, false]);
});
