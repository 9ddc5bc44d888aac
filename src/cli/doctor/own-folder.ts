import { accessSync, type BigIntStats, chmodSync, constants } from 'node:fs';
import { identityOf, isStill, lstatOf } from '../../../platform/inode.ts';
import { systemCode } from '../../../platform/local-error.ts';
import { type Finding, ok } from './check.ts';

const OTHERS = 0o077n;

/** A folder of ours in the home: writable for us, closed to others. `uid` is undefined where files have no mode. */
export function checkOwnFolder(path: string, uid: number | undefined): Finding {
  const status = lookAt(path);
  if (typeof status === 'string') return refused(path, `cannot be looked at: ${status}`);
  if (status === undefined) return ok(`${path} is not there; it is made when it is needed`);
  if (!status.isDirectory()) {
    if (!status.isSymbolicLink()) return refused(path, 'is no folder');
    return ok(`${path} is a link, and is left to you`);
  }
  if (uid !== undefined && Number(status.uid) !== uid) return refused(path, `belongs to uid ${status.uid}`);
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch {
    return { ...tooOpen(path, status), verdict: 'failed', evidence: [`${path} cannot be written to`] };
  }
  if (uid !== undefined && (status.mode & OTHERS) !== 0n) return tooOpen(path, status);
  return ok(`${path}, writable${uid === undefined ? '' : ' and yours alone'}`);
}

function lookAt(path: string): BigIntStats | string | undefined {
  try {
    return lstatOf(path);
  } catch (error) {
    return systemCode(error) ?? String(error);
  }
}

function refused(path: string, what: string): Finding {
  return { verdict: 'failed', evidence: [`${path} ${what}`], fix: `move it away: mv ${path} ${path}.old` };
}

function tooOpen(path: string, status: BigIntStats): Finding {
  const mode = (status.mode & 0o7777n).toString(8).padStart(4, '0');
  return {
    verdict: 'warning',
    evidence: [`${path} has mode ${mode}: other users can look into it; the files in it are closed to them`],
    fix: `chmod 0700 ${path} (footbridge doctor --fix does it)`,
    repair: async () => {
      // chmod follows links: only if it is still that very folder.
      if (!isStill(path, identityOf(status))) return [`${path} changed meanwhile and was left alone`];
      chmodSync(path, 0o700);
      return [`chmod 0700 ${path}`];
    },
  };
}
