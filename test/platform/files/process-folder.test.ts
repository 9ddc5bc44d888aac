import { spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { makeProcessFolder, removeDeadFolders } from '../../../platform/files/process-folder.ts';
import { isRoot } from '../../helpers/fault-bridge.ts';
import { NOBODY } from '../../helpers/other-user.ts';

/** A temporary folder of the system that is this test's alone. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fb-process-'));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  vi.stubEnv('TMPDIR', folder);
  return folder;
}

/** The number of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ['--version']).pid;
const namespace = process.platform === 'linux' ? /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] : '0';

/** Makes a folder with a file, as a process leaves it. */
function leave(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { mode: 0o700 });
  writeFileSync(join(path, 'file'), 'bytes');
  return path;
}

it('the folder of a process that has ended is removed with its files', async () => {
  const folder = temporaryFolder();
  leave(folder, `footbridge-files-${deadPid()}-1-${namespace}-Abc123`);
  await removeDeadFolders('files');
  expect(readdirSync(folder)).toEqual([]);
});

it('the folder of an earlier process that had the pid of a live one is removed', async () => {
  const folder = temporaryFolder();
  leave(folder, `footbridge-files-${process.pid}-1-${namespace}-Abc123`);
  await removeDeadFolders('files');
  expect(readdirSync(folder)).toEqual([]);
});

it('the folder of a live process remains until the process removes it', async () => {
  const folder = temporaryFolder();
  const made = makeProcessFolder('files');
  expect(statSync(made.path).mode & 0o777).toBe(0o700);
  await removeDeadFolders('files');
  expect(made.exists()).toBe(true);
  made.remove();
  expect(readdirSync(folder)).toEqual([]);
});

it('other folders, files, links and folders of another PID namespace are not removed', async () => {
  const folder = temporaryFolder();
  const pid = deadPid();
  const target = leave(folder, 'target');
  leave(folder, `footbridge-other-${pid}-1-${namespace}-Abc123`);
  leave(folder, `footbridge-files-${pid}-1-1-Abc123`);
  leave(folder, 'footbridge-files-Abc123');
  symlinkSync(target, join(folder, `footbridge-files-${pid}-1-${namespace}-Abc124`));
  writeFileSync(join(folder, `footbridge-files-${pid}-1-${namespace}-Abc125`), '');
  const before = readdirSync(folder);
  await removeDeadFolders('files');
  expect(readdirSync(folder)).toEqual(before);
  expect(existsSync(join(target, 'file'))).toBe(true);
});

it('a link in a removed folder is not followed', async () => {
  const folder = temporaryFolder();
  const target = leave(folder, 'target');
  const left = leave(folder, `footbridge-files-${deadPid()}-1-${namespace}-Abc123`);
  symlinkSync(target, join(left, 'link'));
  await removeDeadFolders('files');
  expect(readdirSync(folder)).toEqual(['target']);
  expect(existsSync(join(target, 'file'))).toBe(true);
});

it.skipIf(!isRoot)('the folder of another user is not removed (needs root)', async () => {
  const folder = temporaryFolder();
  const path = leave(folder, `footbridge-files-${deadPid()}-1-${namespace}-Abc123`);
  chownSync(path, NOBODY, NOBODY);
  await removeDeadFolders('files');
  expect(lstatSync(path).uid).toBe(NOBODY);
});

it('a folder that replaced the folder of the process is neither recognised nor removed', () => {
  temporaryFolder();
  const made = makeProcessFolder('files');
  rmSync(made.path, { recursive: true });
  expect(made.exists()).toBe(false);
  // Another number than the removed one, whose number may be given again.
  mkdirSync(`${made.path}.next`);
  symlinkSync(`${made.path}.next`, made.path);
  expect(made.exists()).toBe(false);
  made.remove();
  expect(lstatSync(made.path).isSymbolicLink()).toBe(true);
});
