import { accessSync, type BigIntStats, chmodSync, constants, statfsSync } from 'node:fs';
import { identityOf, isStill, lstatOf } from '../../../platform/files/inode.ts';
import { systemErrorText } from '../../../platform/system-error-text.ts';
import { systemCode } from '../../base/local-error.ts';
import { type Finding, failed, ok, warning } from './check.ts';

const OTHERS = 0o077n;
const OTHERS_WRITE = 0o022n;
const STICKY = 0o1000n;

/**
 * Checks that a folder of the bridge is writable for its user and closed to others. `uid` is undefined where files have
 * no mode. A folder that the user chose (not `made` by the bridge) is never changed.
 */
export function checkOwnFolder(
  path: string,
  uid: number | undefined,
  { made }: { readonly made: boolean },
): Finding {
  const status = statusOf(path);
  if (typeof status === 'string') return refused(path, `cannot be looked at: ${status}`, made);
  if (status === undefined) return ok(`${path} is not there; it is made when it is needed`);
  if (!status.isDirectory()) {
    if (!status.isSymbolicLink()) return refused(path, 'is no folder', made);
    return ok(`${path} is a link, and is left to you`);
  }
  if (uid !== undefined && Number(status.uid) !== uid)
    return refused(path, `belongs to uid ${status.uid}`, made);
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    const [evidence, code] = [[`${path} cannot be written to: ${systemErrorText(error)}`], systemCode(error)];
    if (code === 'EACCES') return { ...tooOpen(path, status, made), verdict: 'failed', evidence };
    return failed('mount its disk so that it can be written, or give another folder', ...evidence);
  }
  if (isFull(path)) return failed('make room on that disk', `${path}: its disk is full`);
  if (uid !== undefined && (status.mode & OTHERS) !== 0n) return tooOpen(path, status, made);
  return ok(`${path}, writable${uid === undefined ? '' : ' and yours alone'}`);
}

function statusOf(path: string): BigIntStats | string | undefined {
  try {
    return lstatOf(path);
  } catch (error) {
    return systemCode(error) ?? String(error);
  }
}

function isFull(path: string): boolean {
  try {
    const { blocks, bavail, files, ffree } = statfsSync(path);
    // A file system without a fixed number of blocks or files reports 0 for both.
    return (blocks > 0 && bavail === 0) || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
}

function refused(path: string, what: string, made: boolean): Finding {
  const fix = made ? `move it away: mv ${path} ${path}.old` : 'give another folder';
  return failed(fix, `${path} ${what}`);
}

function tooOpen(path: string, status: BigIntStats, made: boolean): Finding {
  const mode = (status.mode & 0o7777n).toString(8).padStart(4, '0');
  const finding: Finding =
    (status.mode & OTHERS_WRITE) === 0n
      ? warning(
          null,
          `${path} has mode ${mode}: other users can look into it; the files in it are closed to them`,
        )
      : failed('give a folder of its own', `${path} has mode ${mode}: other users can put files in it`);
  // A folder with the sticky bit, such as /tmp, is shared and must stay open, so the finding advises nothing.
  if ((status.mode & STICKY) !== 0n) return finding;
  if (!made) return { ...finding, fix: `chmod 0700 ${path}, if nobody else uses it` };
  return {
    ...finding,
    fix: `chmod 0700 ${path} (footbridge doctor --fix does it)`,
    repair: async () => {
      // chmod follows links, so the path must still be the same folder.
      if (!isStill(path, identityOf(status))) return [`${path} changed meanwhile and was left alone`];
      chmodSync(path, 0o700);
      return [`chmod 0700 ${path}`];
    },
  };
}
