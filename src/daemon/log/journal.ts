import { fstatSync } from 'node:fs';
import type { Environment } from '../../../platform/endpoint/endpoints.ts';

/**
 * Whether a file descriptor leads to the system's journal. `JOURNAL_STREAM` names the journal's device and inode, which
 * are compared because programs with redirected output inherit the variable, too (systemd.exec(5)).
 */
export function goesToJournal(env: Environment, fd: number): boolean {
  const [device, inode] = (env['JOURNAL_STREAM'] ?? '').split(':');
  if (!device || !inode) return false;
  try {
    const status = fstatSync(fd, { bigint: true });
    return String(status.dev) === device && String(status.ino) === inode;
  } catch {
    return false;
  }
}
